/**
 * Section 2.2: no run is without a limit, the one after a retry neither. Whether a retry keeps the policy is advice
 * (4.6/keeps-policy): where it is lost, the default of the endpoint holds.
 */
import { precedes } from '../jobs/status-observations.js';
import { answerOf, seconds } from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';

const ID = '2.2/execution-timeout-stops-retried';

export function secondRun(life: Life): void {
  const { context, job } = life;
  const retry = life.calls('retry').at(-1);
  if (retry === undefined || answerOf(retry) !== 'ok') return;
  const seen = life.reads.filter(({ call }) => precedes(retry, call));
  const from = seen.findIndex(({ observed }) => observed === 'IN_PROGRESS');
  const first = seen[from]?.call;
  // A job that waits again runs anew.
  const last = seen.slice(from).findLast(({ observed }) => observed === 'IN_PROGRESS')?.call;
  if (first === undefined || last === undefined) return;
  if (seen.slice(from).some(({ observed }) => observed === 'IN_QUEUE')) return;
  const end = life.readAfter(last)?.observed;
  // A handler that is to fail may have failed.
  if (end === 'TIMED_OUT' || (end === 'FAILED' && job.predicted(1).durationMs === Infinity)) context.pass(ID);
  const { executionTimeoutDefaultMs: defaultMs = null } = context.session.run;
  if (defaultMs === null) return;
  const limitMs = Math.max(defaultMs, ...job.policies.map(({ executionMs }) => executionMs ?? Infinity));
  if (last.sentMs <= first.receivedMs! + limitMs + context.graceAt(last.sentMs)) return;
  life.fail(
    ID,
    `${job.id} was running by ${seconds(first.receivedMs!)} after its retry, and still at ${seconds(last.sentMs)}`,
    [retry, first, last],
  );
}
