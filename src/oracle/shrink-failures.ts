/** The smallest histories of a run's failures: of the first of each requirement, then of more, as long as it costs little. */
import type { HistoryEvent } from '../history/events.js';
import type { Failure, Findings, JudgeOptions } from './ledger/findings.js';
import { shrinkHistory, SHRINK_LIMITS, type ShrunkHistory } from './shrink-history.js';

/** Failures of one requirement that a reader may look at closely. */
const PER_REQUIREMENT_MAX = 3;
/** Events judged at most, over all failures: a few seconds. */
const EVENTS_MAX = 1_000_000;

/** What was asked of a search that takes time. */
export interface ShrinkWish {
  /** Requirements whose failures are wanted; default: all. */
  readonly wanted?: (requirement: string) => boolean;
  /** Asked between two judgings: true ends the search with what was found. The clock is the caller's business. */
  readonly stop?: () => boolean;
  /** Told of each as soon as it is found. */
  readonly onFound?: (failure: Failure, shrunk: ShrunkHistory) => void;
}

export interface ShrunkFailures {
  readonly shrunk: ReadonlyMap<Failure, ShrunkHistory>;
  /** Failures whose turn had not come when the search was stopped. */
  readonly unshrunk: number;
}

/**
 * Deterministic, unless it is stopped. A failure that rests on the run as a whole has none, nor have those that came too late
 * in the list.
 */
export function shrinkFailures(
  events: readonly HistoryEvent[],
  { requirements }: Findings,
  options: JudgeOptions,
  { wanted = () => true, stop = () => false, onFound = () => undefined }: ShrinkWish = {},
): ShrunkFailures {
  const shrunk = new Map<Failure, ShrunkHistory>();
  let eventsLeft = EVENTS_MAX;
  let unshrunk = 0;
  for (let nth = 0; nth < PER_REQUIREMENT_MAX; nth += 1) {
    for (const { id, failures } of requirements) {
      const failure = failures[nth];
      if (failure === undefined || !wanted(id) || eventsLeft <= 0) continue;
      if (stop()) {
        unshrunk += 1;
        continue;
      }
      const eventsMax = Math.min(eventsLeft, SHRINK_LIMITS.eventsMax);
      const found = shrinkHistory(events, failure, options, { ...SHRINK_LIMITS, eventsMax, stop });
      if (found === null) continue;
      eventsLeft -= found.eventsJudged;
      shrunk.set(failure, found);
      onFound(failure, found);
    }
  }
  return { shrunk, unshrunk };
}
