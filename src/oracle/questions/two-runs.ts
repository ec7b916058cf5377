/** A job's two runs, one before its only retry and one after it, as its observers saw them. */
import { precedes, type Sighting } from '../cast/sightings.js';
import { remembered } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { spanOf, type Span } from './spans.js';

interface Run {
  readonly queued: Span;
  readonly started: Span;
  readonly ended: Span;
}

/** Null where either run was not seen from its queue to its end. */
export const twoRuns = remembered((job: SeenJob): readonly [Run, Run] | null => {
  const [retry, ...more] = job.retries;
  if (retry === undefined || more.length > 0 || retry.receivedMs === null) return null;
  const before = job.looks.filter(({ call }) => precedes(call, retry));
  const after = job.looks.filter(({ call }) => precedes(retry, call));
  const first = runIn(before, job.submitted);
  const second = runIn(after, spanOf(retry));
  return first === null || second === null ? null : [first, second];
});

function runIn(looks: readonly Sighting[], queued: Span): Run | null {
  const running = looks.find(({ shows }) => shows === 'IN_PROGRESS');
  const ended = looks.find(({ shows }) => ENDS.includes(shows));
  if (ended === undefined || running === undefined) return null;
  const lastBefore = (state: Sighting['shows'], next: Sighting): Sighting | undefined =>
    looks.findLast(({ shows, call }) => shows === state && precedes(call, next.call));
  const lastRunning = lastBefore('IN_PROGRESS', ended);
  // Looks at once tell of no order.
  if (lastRunning === undefined) return null;
  return {
    queued,
    started: {
      fromMs: lastBefore('IN_QUEUE', running)?.call.sentMs ?? queued.fromMs,
      byMs: running.call.receivedMs!,
    },
    ended: { fromMs: lastRunning.call.sentMs, byMs: ended.call.receivedMs! },
  };
}

const ENDS: readonly Sighting['shows'][] = ['FAILED', 'COMPLETED', 'TIMED_OUT'];
