/** The smallest histories of a run's failures: of the first of each requirement, then of more, as long as it costs little. */
import type { HistoryEvent } from '../../history/events.js';
import type { Failure, Findings, JudgeOptions } from '../findings.js';
import { shrinkHistory, SHRINK_LIMITS, type ShrunkHistory } from './shrink-history.js';

/** Failures of one requirement that a reader may look at closely. */
const PER_REQUIREMENT_MAX = 3;
/** Events judged at most, over all failures: a few seconds. */
const EVENTS_MAX = 1_000_000;

/** Deterministic. A failure that rests on the run as a whole has none, nor have those that came too late in the list. */
export function shrinkFailures(
  events: readonly HistoryEvent[],
  { requirements }: Findings,
  options: JudgeOptions,
  wanted: (requirement: string) => boolean = () => true,
): ReadonlyMap<Failure, ShrunkHistory> {
  const shrunk = new Map<Failure, ShrunkHistory>();
  let eventsLeft = EVENTS_MAX;
  for (let nth = 0; nth < PER_REQUIREMENT_MAX; nth += 1) {
    for (const { id, failures } of requirements) {
      const failure = failures[nth];
      if (failure === undefined || !wanted(id) || eventsLeft <= 0) continue;
      const eventsMax = Math.min(eventsLeft, SHRINK_LIMITS.eventsMax);
      const found = shrinkHistory(events, failure, options, { ...SHRINK_LIMITS, eventsMax });
      if (found === null) continue;
      eventsLeft -= found.eventsJudged;
      shrunk.set(failure, found);
    }
  }
  return shrunk;
}
