/** How the service answers the open questions of the document, and where that changed. */
import type { HistoryEvent } from '../../history/events.js';
import type { Findings } from '../../oracle/index.js';
import { QUESTIONS, type Dialect } from '../../spec/index.js';

/** An answered call that shows a reading. Plain data. */
export interface ShowingCall {
  readonly method: string;
  readonly path: string;
  /** Null: it was not answered. */
  readonly status: number | null;
  /** When it was sent, ms since 1970. */
  readonly atMs: number;
}

/** An open question is read in another way than before, or than in the dialect. Plain data. */
export interface Drift {
  readonly question: string;
  readonly expected: string;
  readonly observed: string;
  /** The first call that was read as expected. Null: the dialect expects it, or it took several jobs to show it. */
  readonly before: ShowingCall | null;
  /** The first that was read in the other way. Null: it took several jobs to show it. */
  readonly now: ShowingCall | null;
}

export class LiveReadings {
  readonly drifts: Drift[] = [];
  readonly #dialect: { readonly [question: string]: string };
  readonly #beganMs: number;
  readonly #known = new Map<string, Map<string, ShowingCall | null>>();

  /** @param beganMs where the clock of the history begins, ms since 1970 */
  constructor(dialect: Dialect | undefined, beganMs: number) {
    this.#dialect = dialect ?? {};
    this.#beganMs = beganMs;
  }

  /** By question. */
  get all(): { readonly [question: string]: readonly string[] } {
    return Object.fromEntries([...this.#known].map(([id, readings]) => [id, [...readings.keys()]]));
  }

  /** What differs for the first time. */
  take({ openQuestions, readFirstBy }: Findings, events: readonly HistoryEvent[]): readonly Drift[] {
    const added: Drift[] = [];
    for (const { id, readings } of openQuestions)
      for (const observed of readings) {
        const known = this.#known.get(id) ?? new Map<string, ShowingCall | null>();
        if (known.has(observed)) continue;
        const now = this.#callIn(events, readFirstBy?.[`${id}=${observed}`]);
        const expected = this.#dialect[id] ?? (isSticky(id) ? [...known.keys()][0] : undefined);
        const before = this.#dialect[id] === undefined ? (known.get(expected ?? '') ?? null) : null;
        this.#known.set(id, known.set(observed, now));
        if (expected !== undefined && expected !== observed)
          added.push({ question: id, expected, observed, before, now });
      }
    this.drifts.push(...added);
    return added;
  }

  #callIn(events: readonly HistoryEvent[], number: number | undefined): ShowingCall | null {
    const call = events.find((event) => event.kind === 'call' && event.call === number);
    if (call?.kind !== 'call') return null;
    const { request, reply, sentMs } = call;
    const { method, path } = request;
    return { method, path, status: reply?.status ?? null, atMs: this.#beganMs + sentMs };
  }
}

/** It has one answer for each service. */
const isSticky = (question: string): boolean => QUESTIONS.find(({ id }) => id === question)?.sticky === true;

/** The calls that show it, a line each. */
export function linesOf({ before, now }: Drift): readonly string[] {
  const line = (word: string, call: ShowingCall | null): readonly string[] => {
    if (call === null) return [];
    const { method, path, status, atMs } = call;
    return [`${word}${method} ${path}, ${status ?? 'not answered'}, ${new Date(atMs).toISOString()}`];
  };
  return [...line('before:   ', before), ...line('now:      ', now)];
}
