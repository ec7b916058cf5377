/** What a run has to tell besides its verdicts: time that it took, and jobs that may still be alive. */
import type { HistoryEvent } from '../history/events.js';
import { truncated } from '../report/escape.js';
import { pluralize } from '../report/formatting.js';
import type { DurationEstimate } from '../target/http/index.js';
import type { LimitedRun } from './run-within-limit.js';
import { whyLonger, type PlayedInTime } from './plan/time-limit.js';

/** Which jobs are theirs nobody knows, so that nobody can end them. */
function givenUp(events: readonly HistoryEvent[]): readonly string[] {
  const count = events.filter(
    (event) => event.kind === 'call' && event.op === 'runsync' && event.lost === 'aborted',
  ).length;
  return count === 0
    ? []
    : [
        `${pluralize(count, 'call')} of /runsync still waited when they were given up: where no answer tells of their jobs, these end by themselves, or by their ttl`,
      ];
}

/** `open`: jobs of the ledger that are not known to have ended, and `ledger` the name of its file. */
export function warningsOf(
  { summary, wallMs }: LimitedRun,
  played: PlayedInTime,
  foreseen: DurationEstimate | null,
  open: readonly string[],
  createdJobs: string,
): readonly string[] {
  const leftBehind = [...new Set([...summary.leftBehind, ...open])];
  const longer = foreseen === null ? null : whyLonger(played, foreseen.wallMs, wallMs);
  const late = [...(longer === null ? [] : [longer]), ...givenUp(played.events)];
  return leftBehind.length === 0
    ? late
    : [
        ...late,
        `left behind, could not be ended: ${leftBehindInWords(leftBehind)}; ` +
          `later: runproof clean ${createdJobs}`,
      ];
}

/** How many jobs that were left behind are named, and how much of each. */
const LEFT_NAMED_MAX = 10;
const LEFT_CHARACTERS_MAX = 80;

function leftBehindInWords(left: readonly string[]): string {
  const named = left.slice(0, LEFT_NAMED_MAX).map((job) => truncated(job, LEFT_CHARACTERS_MAX));
  return `${named.join(', ')}${left.length > LEFT_NAMED_MAX ? ` and ${left.length - LEFT_NAMED_MAX} more` : ''}`;
}
