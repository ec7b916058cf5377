/**
 * Section 2.2: no run is without a limit, the one after a retry neither. Whether a retry keeps the policy is advice
 * (4.6/keeps-policy): where it is lost, the default of the endpoint holds.
 */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes, statusObservationsOf } from '../jobs/status-observations.js';
import { answerOf, seconds } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';

const ID = '2.2/execution-timeout-stops-retried';

export function secondRuns(context: JudgingContext): void {
  for (const job of context.jobs) {
    const retry = job.calls.findLast(({ op }) => op === 'retry');
    if (retry !== undefined && answerOf(retry) === 'ok') afterRetry(context, job, retry);
  }
}

function afterRetry(context: JudgingContext, job: Job, retry: CallEvent): void {
  const seen = statusObservationsOf(job).filter(({ call }) => precedes(retry, call));
  const from = seen.findIndex(({ observed }) => observed === 'IN_PROGRESS');
  const first = seen[from];
  // A job that waits again runs anew.
  const last = seen.slice(from).findLast(({ observed }) => observed === 'IN_PROGRESS');
  if (first === undefined || last === undefined) return;
  if (seen.slice(from).some(({ observed }) => observed === 'IN_QUEUE')) return;
  const end = seen.find(({ call }) => precedes(last.call, call))?.observed;
  // A handler that is to fail may have failed.
  if (end === 'TIMED_OUT' || (end === 'FAILED' && job.predicted(1).durationMs === Infinity)) context.pass(ID);
  const { executionTimeoutDefaultMs: defaultMs = null } = context.session.run;
  if (defaultMs === null) return;
  const limitMs = Math.max(defaultMs, ...job.policies.map(({ executionMs }) => executionMs ?? Infinity));
  const overMs = first.call.receivedMs! + limitMs;
  if (last.call.sentMs <= overMs + context.graceAt(last.call.sentMs)) return;
  context.fail(ID, {
    script: job.script,
    actual: `${job.id} was running by ${seconds(first.call.receivedMs!)} after its retry, and still at ${seconds(last.call.sentMs)}`,
    calls: [retry.call, first.call.call, last.call.call],
  });
}
