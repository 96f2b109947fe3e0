/** Small words that boards share. */

/** Counts with the right word: "1 cube", "3 cubes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
