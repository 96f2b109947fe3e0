/** What a person chose last time, on this device. */
export function kept<Value>(key: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(`foxden.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as Value);
  } catch {
    return otherwise;
  }
}

export function keep(key: string, value: unknown): void {
  localStorage.setItem(`foxden.${key}`, JSON.stringify(value));
}
