/** Everything but play: requests to /api, refused with a typed problem. */
import type {
  AuditEntry,
  BanInfo,
  BranchInfo,
  ChatPage,
  Daily,
  DailyField,
  GameInfo,
  GamePlay,
  GuestInfo,
  Guide,
  Lesson,
  Network,
  NewBan,
  NewBranch,
  NewTable,
  Person,
  PersonFound,
  PersonInfo,
  PersonalLink,
  PositionInfo,
  Problem,
  PuzzleGame,
  PuzzleInfo,
  PuzzleResult,
  Remark,
  ReviewInfo,
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

async function ask<Answer>(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
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
  lesson: (name: string) => ask<Lesson>('GET', `/games/${name}/lesson`),
  remarks: (name: string) => ask<Remark[]>('GET', `/games/${name}/remarks`),
  check: (name: string, setup: Setup) => ask<void>('POST', `/games/${name}/check`, setup),
  network: () => ask<Network>('GET', '/network'),
  tables: () => ask<TableList>('GET', '/tables'),
  moreTables: (list: 'mine' | 'open' | 'recent', before: string) =>
    ask<TableList>('GET', `/tables${query({ list, before })}`),
  open: (table: NewTable) => ask<TableInfo>('POST', '/tables', table),
  table: (id: string, key: string | null) => ask<TableInfo>('GET', `/tables/${id}${query({ key })}`),
  sit: (id: string, seat: number, sitter: Sitter, key: string | null) =>
    ask<TableInfo>('POST', `/tables/${id}/seats/${seat}${query({ key })}`, sitter),
  leave: (id: string, seat: number) => ask<void>('DELETE', `/tables/${id}/seats/${seat}`),
  start: (id: string) => ask<TableInfo>('POST', `/tables/${id}/start`),
  rematch: (id: string) => ask<TableInfo>('POST', `/tables/${id}/rematch`),
  close: (id: string) => ask<void>('DELETE', `/tables/${id}`),
  replaceAbsent: (id: string, seat: number) => ask<TableInfo>('POST', `/tables/${id}/seats/${seat}/replace`),
  chat: (id: string, before: number, key: string | null) =>
    ask<ChatPage>('GET', `/tables/${id}/chat${query({ before, key })}`),
  removeLine: (id: string, number: number) => ask<void>('DELETE', `/tables/${id}/chat/${number}`),
  mute: (id: string, voice: string) => ask<TableInfo>('POST', `/tables/${id}/mutes`, { voice }),
  unmute: (id: string, voice: string) => ask<TableInfo>('DELETE', `/tables/${id}/mutes/${voice}`),
  review: (id: string, seat: number, key: string | null) =>
    ask<ReviewInfo>('GET', `/tables/${id}/reviews/${seat}${query({ key })}`),
  beginReview: (id: string, seat: number, key: string | null) =>
    ask<ReviewInfo>('POST', `/tables/${id}/reviews/${seat}${query({ key })}`),
  branches: (id: string, key: string | null) => ask<BranchInfo[]>('GET', `/tables/${id}/branches${query({ key })}`),
  branch: (id: string, from: NewBranch, key: string | null) =>
    ask<TableInfo>('POST', `/tables/${id}/branches${query({ key })}`, from),
  daily: () => ask<Daily>('GET', '/daily'),
  playDaily: (game: string) => ask<TableInfo>('POST', `/daily/${game}`),
  dailyField: (game: string, day: string) => ask<DailyField>('GET', `/daily/${game}/${day}`),
  puzzles: () => ask<PuzzleGame[]>('GET', '/puzzles'),
  nextPuzzle: (game: string, kind: string | null) => ask<PuzzleInfo>('GET', `/puzzles/${game}/next${query({ kind })}`),
  solve: (game: string, id: string, action: number) => ask<PuzzleResult>('POST', `/puzzles/${game}/${id}`, { action }),
  myPlay: () => ask<GamePlay[]>('GET', '/me/play'),
  position: (id: string, ply: number, eyes: { seat?: number | null; open?: boolean; key: string | null }) =>
    ask<PositionInfo>(
      'GET',
      `/tables/${id}/positions/${ply}${query({ seat: eyes.seat, open: eyes.open || null, key: eyes.key })}`,
    ),
};

/** Administrators' requests, with a token or as a promoted person. */
export const admin = (token: string | null) => ({
  guests: () => ask<GuestInfo[]>('GET', '/admin/guests', undefined, token),
  people: (name: string) => ask<PersonFound[]>('GET', `/admin/people${query({ name })}`, undefined, token),
  person: (id: string) => ask<PersonInfo>('GET', `/admin/people/${id}`, undefined, token),
  export: (id: string) => ask<unknown>('GET', `/admin/people/${id}/export`, undefined, token),
  forget: (id: string) => ask<void>('DELETE', `/admin/people/${id}`, undefined, token),
  revoke: (device: string) => ask<void>('DELETE', `/admin/devices/${device}`, undefined, token),
  bans: () => ask<BanInfo[]>('GET', '/admin/bans', undefined, token),
  ban: (asked: NewBan) => ask<BanInfo>('POST', '/admin/bans', asked, token),
  lift: (id: string) => ask<void>('DELETE', `/admin/bans/${id}`, undefined, token),
  close: (table: string) => ask<void>('DELETE', `/admin/tables/${table}`, undefined, token),
  removeChat: (what: { table?: string; person?: string }) =>
    ask<{ count: number }>('DELETE', `/admin/chat${query(what)}`, undefined, token),
  audit: () => ask<AuditEntry[]>('GET', '/admin/audit', undefined, token),
  tidy: () => ask<Record<string, number>>('POST', '/admin/tidy', undefined, token),
});
export type Admin = ReturnType<typeof admin>;
