/**
 * `proof/` shows why a history is impossible: by a sum of bounds that contradict each other, and by the
 * smallest part of the history that still shows it. It does not decide whether something is a failure.
 */
import type { RequirementId } from '../../spec/index.js';
import { seconds } from '../../util/duration.js';

/** One bound of a sum: `to` comes at least, or at most, `ms` after `from`. @public */
export interface Bound {
  /**
   * `clock` (the beginning of the script), a milestone of the job (`submitted`, `started`…), or a call
   * (`#17`).
   */
  readonly from: string;
  readonly to: string;
  readonly limit: 'at-least' | 'at-most';
  readonly ms: number;
  readonly why: string;
  /** The requirement of the bound; null for an observation or a tolerance. */
  readonly requirement: string | null;
  /** The call that it was observed by. */
  readonly call: number | null;
}

/** A contradiction in time: instants that would have to be earlier than themselves. @internal */
export interface ContradictionInTime {
  readonly kind: 'time';
  /** Id of the job; null if there is none, or if it was never returned. */
  readonly job: string | null;
  /**
   * A negative cycle: following the bounds from `from` to `to` leads back to the start, `overMs` too early
   * or too late.
   */
  readonly bounds: readonly Bound[];
  readonly overMs: number;
}

/** A contradiction in order: a state that cannot follow another. @internal */
interface ContradictionInOrder {
  readonly kind: 'order';
  readonly job: string;
  /** The observations, in the order in which they were made. */
  readonly seen: readonly { readonly call: number; readonly showed: string; readonly atMs: number }[];
}

/** A number that differs from the sum of its parts. @internal */
export interface ContradictionInNumber {
  readonly kind: 'number';
  readonly of: string;
  readonly told: number;
  readonly least: number;
  readonly most: number;
  /** The least and the most that each part counts for; `what` is a job's id, or a description. */
  readonly parts: readonly { readonly what: string; readonly least: number; readonly most: number }[];
}

/** Bounds between instants that cannot all hold. @public */
export type Contradiction = ContradictionInTime | ContradictionInOrder | ContradictionInNumber;

/** How long a job was seen unchanged after it had to change. @public */
export interface Later {
  /** `still IN_PROGRESS 5 s after the latest legal moment (2 reads), never in another state`. */
  readonly text: string;
  /** The state that it was still in. */
  readonly still: string;
  /** How long after the latest legal moment that was seen last, ms. */
  readonly lateMs: number;
  /** What it waited for, such as `ttl`, and how long after that this may be late, ms. */
  readonly timer: string;
  readonly allowedMs: number;
  /** What a read after that showed: a state, or `not found`; null: none showed anything else. */
  readonly after: string | null;
}

/** An instant that was observed, or follows from observations. */
export interface Instant {
  /** Its name: `#17`, `ended`. */
  readonly name: string;
  readonly ms: number;
  readonly why: string;
  /** The call that it was observed by. */
  readonly call: number | null;
}

/** The time that may pass, or must pass, between two instants. */
export interface Term {
  readonly ms: number;
  readonly why: string;
  /** Null: a tolerance. */
  readonly requirement: RequirementId | null;
}

/** `seen` came later than `since` plus all that may have passed. */
export function tooLate(
  job: string | null,
  since: Instant,
  terms: readonly Term[],
  seen: Instant,
): ContradictionInTime | null {
  const bounds = [
    fromClock(since, 'at-most'),
    ...between(since.name, terms, seen.name, 'at-most'),
    fromClock(seen, 'at-least'),
  ];
  return inTime(job, bounds);
}

/** `seen` came earlier than `since` plus all that had to pass. */
export function tooEarly(
  job: string | null,
  since: Instant,
  terms: readonly Term[],
  seen: Instant,
): ContradictionInTime | null {
  const bounds = [
    fromClock(seen, 'at-most'),
    ...between(since.name, terms, seen.name, 'at-least').toReversed(),
    fromClock(since, 'at-least'),
  ];
  return inTime(job, bounds);
}

const fromClock = ({ name, ms, why, call }: Instant, limit: Bound['limit']): Bound => ({
  from: 'clock',
  to: name,
  limit,
  ms,
  why,
  requirement: null,
  call,
});

function between(from: string, terms: readonly Term[], to: string, limit: Bound['limit']): Bound[] {
  return terms.map(({ ms, why, requirement }, index) => ({
    from: index === 0 ? from : `due${index === 1 ? '' : ` ${index}`}`,
    to: index === terms.length - 1 ? to : `due${index === 0 ? '' : ` ${index + 1}`}`,
    limit,
    ms,
    why,
    requirement,
    call: null,
  }));
}

/** Null if the bounds do not contradict each other. */
export function inTime(job: string | null, bounds: readonly Bound[]): ContradictionInTime | null {
  const overMs = -bounds.reduce((sum, { limit, ms }) => sum + (limit === 'at-most' ? ms : -ms), 0);
  return overMs > 0 ? { kind: 'time', job, bounds, overMs } : null;
}

export function formatContradiction(contradiction: Contradiction): readonly string[] {
  switch (contradiction.kind) {
    case 'time': {
      const { bounds, overMs } = contradiction;
      const most = bounds.filter(({ limit }) => limit === 'at-most');
      const least = bounds.filter(({ limit }) => limit === 'at-least');
      return [`at most ${sumOf(most)}, but at least ${sumOf(least)}: off by ${seconds(overMs)}`];
    }
    case 'order':
      return [contradiction.seen.map(({ call, showed }) => `#${call} ${showed}`).join(', then ')];
    case 'number': {
      const { of, told, least, most, parts } = contradiction;
      const counted = parts.filter((part) => part.most > 0);
      const sum = counted.map((part) => `${spanOf(part)} ${part.what}`).join(' + ');
      return [`${of}: ${sum === '' ? 'nothing' : sum} = ${spanOf({ least, most })}, reported ${told}`];
    }
  }
}

const spanOf = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? `${least}` : `${least}–${most}`;

/** `0.041 s (#0) + 10.000 s ttl + 0.250 s allowed lateness = 10.291 s`. */
function sumOf(bounds: readonly Bound[]): string {
  const fromClock = bounds.filter(({ from }) => from === 'clock');
  const others = bounds.filter(({ from, ms }) => from !== 'clock' && ms !== 0);
  const terms = [...fromClock, ...others].map(termOf);
  const sumMs = bounds.reduce((sum, { ms }) => sum + ms, 0);
  return terms.length > 1 ? `${terms.join(' + ')} = ${seconds(sumMs)}` : (terms[0] ?? seconds(sumMs));
}

function termOf({ ms, why, call, requirement, from }: Bound): string {
  if (call !== null) return `${seconds(ms)} (#${call})`;
  return from === 'clock' && requirement === null ? seconds(ms) : `${seconds(ms)} ${why}`;
}
