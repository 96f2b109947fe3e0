/** A live table: one socket that reconnects by itself, and the state it has received. */
import { query } from './rest';
import type {
  ChatLine,
  ClockInfo,
  FromPeople,
  FromServer,
  HintedMove,
  LegalAction,
  LogEntry,
  Pace,
  Problem,
  TableInfo,
  View,
} from './types';

/** connecting: nothing received yet; live: in sync; lost: the page may be stale; shut: access denied. */
export type Link = 'connecting' | 'live' | 'lost' | 'shut';

const WAITS = [300, 700, 1500, 3000, 6000, 10000];
const PING_EVERY = 20_000;
const PONG_WITHIN = 6_000;

export class LiveTable {
  link = $state<Link>('connecting');
  /** The invitation key, for people without a seat: from the address, or sent to those who sit here. */
  key = $state<string | null>(null);
  table = $state.raw<TableInfo | null>(null);
  /** The seat watched from; null for a spectator. */
  seat = $state<number | null>(null);
  view = $state.raw<View | null>(null);
  log = $state.raw<LogEntry[]>([]);
  /** The last message's log entries, for animation. */
  news = $state.raw<LogEntry[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  clock = $state.raw<ClockInfo>({ now: 0, due: null, left: [] });
  hints = $state.raw<{ ply: number; moves: HintedMove[] } | null>(null);
  /** Why the last request was refused; shown until the next one. */
  problem = $state.raw<Problem | null>(null);
  /** This person has had a choice, so an undo may be possible. */
  decided = $state(false);
  /** The server's clock minus ours, in seconds. */
  skew = 0;
  /** Connection attempts since it was last live. */
  tries = $state(0);

  private playing = $state<number | null>(null);
  private thinking = $state<number | null>(null);
  private looking: number | null = null;
  private socket: WebSocket | null = null;
  private ref = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setInterval> | undefined;
  private due: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    readonly id: string,
    key: string | null,
    private wanted: number | null = null,
  ) {
    this.key = key;
    addEventListener('online', this.rejoin);
    addEventListener('offline', this.fell);
    document.addEventListener('visibilitychange', this.wake);
    this.connect();
  }

  /** Offer nothing: out of sync, or awaiting an answer. */
  get busy(): boolean {
    return this.link !== 'live' || this.playing !== null;
  }

  get pondering(): boolean {
    return this.thinking !== null;
  }

  play(action: LegalAction): void {
    if (this.busy || !this.view || this.seat === null) return;
    this.hints = null;
    const { ply } = this.view;
    this.playing = this.send({ type: 'play', seat: this.seat, ply, action: action.id });
  }

  /** Goes back to this person's last decision; the Sync that follows shows it. */
  undo(): void {
    if (this.busy || !this.view) return;
    this.hints = null;
    this.playing = this.send({ type: 'undo', ply: this.view.ply });
  }

  /** Watches from another seat, as soon as the Sync arrives. */
  look(seat: number | null): void {
    this.wanted = seat;
    this.looking = this.send({ type: 'look', seat });
  }

  /** Returns whether it could be sent. */
  say(text: string): boolean {
    return this.send({ type: 'say', text }) !== null;
  }

  hint(): void {
    if (this.thinking === null) this.thinking = this.send({ type: 'hint' });
  }

  standin(seat: number, level: number | null): void {
    this.send({ type: 'standin', seat, level });
  }

  /** Changes the bots' pace. */
  hurry(pace: Pace): void {
    this.send({ type: 'hurry', pace });
  }

  /** Reopens the socket, as the browser's current person. */
  renew(): void {
    if (this.link !== 'shut') this.again(0);
  }

  forget(): void {
    this.problem = null;
  }

  close(): void {
    this.ended = true;
    removeEventListener('online', this.rejoin);
    removeEventListener('offline', this.fell);
    document.removeEventListener('visibilitychange', this.wake);
    this.drop();
  }

  private send(message: FromPeople): number | null {
    if (this.socket?.readyState !== WebSocket.OPEN) return null;
    this.problem = null;
    this.ref += 1;
    this.socket.send(JSON.stringify({ ...message, ref: this.ref }));
    return this.ref;
  }

  private connect(): void {
    clearTimeout(this.timer);
    if (this.ended || this.socket) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const asked = query({ key: this.key, seat: this.wanted });
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/live${asked}`);
    this.socket = socket;
    // An abandoned socket may still send; ignore all but the current one.
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
    this.heart = setInterval(this.ping, PING_EVERY);
    // Treat a socket that neither opens nor fails as lost.
    this.due = setTimeout(() => this.again(), PONG_WITHIN);
  }

  /** Drops the socket and its pending requests. */
  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.due);
    clearInterval(this.heart);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.playing = this.thinking = this.looking = null;
    if (this.link === 'live') this.link = 'lost';
  }

  /** Reconnects, unless the server has closed the table to us. */
  private closed(code: number): void {
    if (code === 4403 && this.wanted !== null) this.wanted = null; // the seat was given up elsewhere
    else if (code === 4403 || code === 4404) {
      this.drop();
      this.link = 'shut';
      return;
    }
    this.again();
  }

  private again(after?: number): void {
    this.drop();
    if (this.ended) return;
    const wait = after ?? WAITS[Math.min(this.tries, WAITS.length - 1)]! * (0.7 + Math.random() * 0.6);
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private ping = (): void => {
    if (this.send({ type: 'ping' }) === null) return;
    clearTimeout(this.due);
    this.due = setTimeout(() => this.again(0), PONG_WITHIN);
  };

  private rejoin = (): void => {
    if (this.link === 'connecting' || this.link === 'lost') this.again(0);
  };

  private fell = (): void => this.drop();

  /** A phone that slept may hold a dead socket. */
  private wake = (): void => {
    if (document.visibilityState !== 'visible') return;
    if (this.link === 'live') this.ping();
    else this.rejoin();
  };

  private hear(message: FromServer): void {
    clearTimeout(this.due);
    switch (message.type) {
      case 'sync':
        if (this.looking !== null && message.seat !== this.wanted) return; // an older one
        this.meet(message.table);
        this.seat = message.seat;
        this.view = message.view;
        this.log = message.log;
        this.news = [];
        this.chat = message.chat;
        this.tell(message.clock);
        this.decided = message.decided;
        this.playing = this.looking = null;
        this.hints = null;
        this.link = 'live';
        this.tries = 0;
        return;
      case 'update':
        if (this.view && this.view.legal.length > 1) this.decided = true;
        this.view = message.view;
        this.news = message.log;
        this.log = [...this.log.filter((entry) => entry.ply <= message.view.ply - message.log.length), ...message.log];
        this.tell(message.clock);
        this.hints = null;
        if (this.table) this.table = { ...this.table, ply: message.view.ply, to_act: message.view.to_act };
        return;
      case 'table':
        this.meet(message.table);
        return;
      case 'chat':
        if (!this.chat.some((line) => line.number === message.line.number)) this.chat = [...this.chat, message.line];
        return;
      case 'done':
        if (message.ref === this.playing) this.playing = null;
        return;
      case 'refused':
        if (message.ref === this.playing) this.playing = null;
        if (message.ref === this.thinking) this.thinking = null;
        if (message.ref === this.looking) this.looking = null;
        this.problem = message.problem;
        return;
      case 'hints':
        if (message.ref === this.thinking) this.thinking = null;
        if (message.ply === this.view?.ply) this.hints = { ply: message.ply, moves: message.moves };
        return;
      case 'pong':
        this.skew = message.now - Date.now() / 1000;
        return;
      case 'bye':
        this.again(message.seconds * 1000);
    }
  }

  /** Keeps the invitation key, so somebody who gives up a seat can stay and watch. */
  private meet(table: TableInfo): void {
    this.table = table;
    if (table.invite) this.key ??= new URLSearchParams(table.invite.split('?')[1]).get('key');
  }

  private tell(clock: ClockInfo): void {
    this.clock = clock;
    this.skew = clock.now - Date.now() / 1000;
  }
}
