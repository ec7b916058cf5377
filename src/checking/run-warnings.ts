/** The warnings of a run: that it stopped early or took longer than estimated, and jobs that may still be alive. */
import type { HistoryEvent } from '../history/events.js';
import { truncated } from '../report/escape.js';
import { pluralize } from '../report/formatting.js';
import { hasNoWorkers, noWorkerTook } from '../target/http/index.js';
import type { LimitedRun } from './run-within-limit.js';
import { whyOtherCalls } from './plan/other-calls.js';
import { slowerAtLast } from './slower.js';
import { stoppedClock } from './stopped-clock.js';
import { speedHint } from './speed-hint.js';
import { whyLonger, type TimedRun } from './plan/time-limit.js';

/** Of a call that was given up no job id is known, so its job cannot be ended. */
export const abandonedCalls = (count: number, operation: string): readonly string[] =>
  count === 0
    ? []
    : [
        `${pluralize(count, 'call')} of /${operation} still waited when the run stopped: their job ids are not known, so these jobs end by themselves or by their ttl`,
      ];

/** Calls that the network or the target lost: whether they took effect is unknown. */
function lostCalls(events: readonly HistoryEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const event of events)
    if (event.kind === 'call' && event.lost !== null && LOST[event.lost] !== undefined)
      counts.set(event.lost, (counts.get(event.lost) ?? 0) + 1);
  if (counts.size === 0) return [];
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const how = [...counts].map(([lost, count]) => `${count} ${LOST[lost]}`);
  return [`${pluralize(all, 'call')} got no answer: ${how.join(', ')}`];
}

const LOST: { readonly [reason: string]: string } = {
  reset: 'with the connection closed',
  refused: 'with the connection refused',
  timeout: 'in time',
};

/**
 * `unfinished`: created jobs that are not known to have ended; `clean`: the command that ends them, null without a file; `unanswered`: how many
 * submissions before the run were given up without an answer.
 */
export function warningsOf(
  { summary, wallMs, stoppedBecause }: LimitedRun,
  run: TimedRun,
  unfinished: readonly string[],
  clean: string | null,
  unanswered = 0,
): readonly string[] {
  const leftBehind = [...new Set([...summary.leftBehind, ...unfinished])];
  const longer = whyLonger(run, wallMs);
  const otherCalls = whyOtherCalls(run, summary.calls);
  const speed = speedHint(run.events);
  const stopped = stoppedClock(run.events);
  const { latency } = run.plan.target;
  return [
    ...(hasNoWorkers(latency) && latency.queuedMs !== undefined ? [noWorkerTook(latency.queuedMs)] : []),
    ...(speed === null ? [] : [speed]),
    ...(stopped === null ? [] : [stopped]),
    ...slowerAtLast(summary),
    ...(stoppedBecause === null ? [] : [stoppedEarly(run, stoppedBecause)]),
    ...(longer === null ? [] : [longer]),
    ...(otherCalls === null ? [] : [otherCalls]),
    ...(['run', 'runsync', 'openai'] as const).flatMap((operation) => {
      const given = run.events.filter(
        (event) => event.kind === 'call' && event.op === operation && event.lost === 'aborted',
      ).length;
      return abandonedCalls(given + (operation === 'run' ? unanswered : 0), operation);
    }),
    ...lostCalls(run.events),
    ...leftBehindInWords(leftBehind).map(
      (left) =>
        `${left}${limitedCancels(run.events)}${clean === null ? '' : `; to end ${leftBehind.length === 1 ? 'it' : 'them'} later: ${clean}`}`,
    ),
  ];
}

function stoppedEarly({ plan, events }: TimedRun, because: string): string {
  const ended = events.filter((event) => event.kind === 'script-end' && event.outcome === 'played').length;
  return `stopped early, after ${ended} of ${pluralize(plan.scripts.length, 'script')}: ${because}`;
}

/** How many of these jobs are named, and how many characters of each. */
const LEFT_NAMED_MAX = 3;
const LEFT_CHARACTERS_MAX = 60;

/** Why they could not be, where the rate of `/cancel` is the reason. */
function limitedCancels(events: readonly HistoryEvent[]): string {
  const limited = events.reduce(
    (sum, event) => sum + (event.kind === 'cleanup' ? (event.limited ?? 0) : 0),
    0,
  );
  return limited === 0 ? '' : `; ${pluralize(limited, 'call')} of /cancel that should end jobs got 429`;
}

/** Empty where there are none. */
export function leftBehindInWords(left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, LEFT_NAMED_MAX).map((job) => truncated(job, LEFT_CHARACTERS_MAX));
  const others = left.length > LEFT_NAMED_MAX ? ' and others' : '';
  return [`${pluralize(left.length, 'job')} could not be ended: ${named.join(', ')}${others}`];
}
