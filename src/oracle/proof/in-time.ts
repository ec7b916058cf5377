/** What came too late or too early, as a sum of bounds. */
import type { RequirementId } from '../../spec/index.js';
import type { Bound, ContradictionInTime } from './contradiction.js';

/** An instant that was observed, or follows from what was. */
export interface Instant {
  /** What it is called: `#17`, `ended`. */
  readonly name: string;
  readonly ms: number;
  readonly why: string;
  /** The call that it was observed by. */
  readonly call: number | null;
}

/** What may pass, or has to, between two instants. */
export interface Term {
  readonly ms: number;
  readonly why: string;
  /** Null: allowed besides. */
  readonly requirement: RequirementId | null;
}

/** `seen` came later than `since` and all that may have passed. */
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
  return contradiction(job, bounds);
}

/** `seen` came earlier than `since` and all that had to pass. */
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
  return contradiction(job, bounds);
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

function contradiction(job: string | null, bounds: readonly Bound[]): ContradictionInTime | null {
  const overMs = -bounds.reduce((sum, { limit, ms }) => sum + (limit === 'at-most' ? ms : -ms), 0);
  return overMs > 0 ? { kind: 'time', job, bounds, overMs } : null;
}
