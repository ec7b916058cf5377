/** The runs of a job that was retried once, as far as reads show them. */
import {
  hasEnded,
  precedes,
  type ObservedState,
  type StatusObservation,
} from '../jobs/status-observations.js';
import { between, intervalOf, type Interval } from '../observed/intervals.js';
import type { Life } from '../context/life.js';

/** Its two runs, before and after its only retry; null unless both were observed from queue to end. */
export function twoRunsOf(life: Life): readonly [Run, Run] | null {
  const [retry, ...more] = life.retries;
  if (retry === undefined || more.length > 0 || retry.receivedMs === null) return null;
  const before = life.reads.filter(({ call }) => precedes(call, retry));
  const after = life.reads.filter(({ call }) => precedes(retry, call));
  const first = runIn(before, life.submitted);
  const second = runIn(after, intervalOf(retry));
  return first === null || second === null ? null : [first, second];
}

export type Run = NonNullable<ReturnType<typeof runIn>>;

/** One of its runs as observed: how long it waited, and how long it ran. */
function runIn(reads: readonly StatusObservation[], queued: Interval) {
  const running = reads.find(({ observed }) => observed === 'IN_PROGRESS');
  const end = reads.find(({ observed }) => hasEnded(observed));
  if (end === undefined || running === undefined) return null;
  const lastBefore = (state: ObservedState, next: StatusObservation): StatusObservation | undefined =>
    reads.findLast(({ observed, call }) => observed === state && precedes(call, next.call));
  const lastRunning = lastBefore('IN_PROGRESS', end);
  // Concurrent reads have no known order.
  if (lastRunning === undefined) return null;
  const started = {
    fromMs: lastBefore('IN_QUEUE', running)?.call.sentMs ?? queued.fromMs,
    byMs: running.call.receivedMs!,
  };
  const ended = { fromMs: lastRunning.call.sentMs, byMs: end.call.receivedMs! };
  return { queued, started, waited: between(queued, started), ran: between(started, ended) };
}
