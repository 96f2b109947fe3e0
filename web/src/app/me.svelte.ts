/** The current person. Asks for a name when an action needs one. */
import { api } from '../api/rest';
import type { Person } from '../api/types';

export const me = $state<{ person: Person | null; known: boolean; asking: boolean }>({
  person: null,
  known: false,
  asking: false,
});

let answer: ((named: boolean) => void) | null = null;

/** Asks the server for this device's person, retrying until it answers, so nobody known becomes a stranger. */
export async function recall(): Promise<void> {
  try {
    me.person = await api.me();
    me.known = true;
  } catch {
    setTimeout(() => void recall(), 1500);
  }
}

/** Makes sure that there is a name; false if the person would rather not say. */
export async function named(): Promise<boolean> {
  if (me.person) return true;
  me.asking = true;
  return new Promise((resolve) => (answer = resolve));
}

/** Takes the name that was given, or null if none was. */
export async function callMe(name: string | null): Promise<void> {
  if (name) me.person = await (me.person ? api.rename(name) : api.arrive(name));
  me.asking = false;
  answer?.(me.person !== null);
  answer = null;
}
