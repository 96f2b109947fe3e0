/** Everything that is not play: requests to /api, refused with a typed problem. */
import type {
  GameInfo,
  Guide,
  Network,
  NewTable,
  Person,
  PersonalLink,
  PositionInfo,
  Problem,
  Setup,
  Sitter,
  TableInfo,
  TableList,
} from './types';

/** A refusal; its message can be shown to people. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

const away: Problem = {
  type: '/problems/unreachable',
  title: 'No connection',
  status: 0,
  detail: 'Can’t reach the server. Check your connection.',
};

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(away);
  }
  const json = response.status !== 204 && response.headers.get('content-type')?.includes('json');
  if (response.ok) return (json ? await response.json() : undefined) as Answer;
  const problem = json ? ((await response.json()) as Partial<Problem>) : {};
  throw new Refusal({
    type: problem.type ?? 'about:blank',
    title: problem.title ?? response.statusText,
    status: response.status,
    detail: problem.detail ?? `The server answered ${response.status}.`,
    field: problem.field,
    rule: problem.rule,
  });
}

/** Writes a query string, leaving out what is null. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const kept = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

export const api = {
  me: () => ask<Person | null>('GET', '/me'),
  arrive: (name: string) => ask<Person>('POST', '/people', { name }),
  rename: (name: string) => ask<Person>('PATCH', '/me', { name }),
  personalLink: () => ask<PersonalLink>('POST', '/me/link'),
  claim: (token: string) => ask<Person>('POST', '/me/claim', { token }),
  games: () => ask<GameInfo[]>('GET', '/games'),
  game: (name: string) => ask<GameInfo>('GET', `/games/${name}`),
  guide: (name: string) => ask<Guide>('GET', `/games/${name}/guide`),
  check: (name: string, setup: Setup) => ask<void>('POST', `/games/${name}/check`, setup),
  network: () => ask<Network>('GET', '/network'),
  tables: () => ask<TableList>('GET', '/tables'),
  open: (table: NewTable) => ask<TableInfo>('POST', '/tables', table),
  table: (id: string, key: string | null) => ask<TableInfo>('GET', `/tables/${id}${query({ key })}`),
  sit: (id: string, seat: number, sitter: Sitter, key: string | null) =>
    ask<TableInfo>('POST', `/tables/${id}/seats/${seat}${query({ key })}`, sitter),
  leave: (id: string, seat: number) => ask<void>('DELETE', `/tables/${id}/seats/${seat}`),
  start: (id: string) => ask<TableInfo>('POST', `/tables/${id}/start`),
  rematch: (id: string) => ask<TableInfo>('POST', `/tables/${id}/rematch`),
  close: (id: string) => ask<void>('DELETE', `/tables/${id}`),
  position: (id: string, ply: number, eyes: { seat?: number | null; open?: boolean; key: string | null }) =>
    ask<PositionInfo>(
      'GET',
      `/tables/${id}/positions/${ply}${query({ seat: eyes.seat, open: eyes.open || null, key: eyes.key })}`,
    ),
};
