/** A job's runs one after the other, as its observers saw them, and what a retry leaves of the first. */
import type { CallEvent } from '../../history/events.js';
import { EXECUTION_TIMEOUT_MAX_MS, EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf, type Sighting } from '../cast/sightings.js';
import type { Explained } from '../model/known.js';
import { ENDED, STARTED } from '../model/zone.js';
import { answerOf, isObject, recordOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { theOne, type Candidate, type Span } from './spans.js';

interface Run {
  readonly queued: Span;
  readonly started: Span;
  readonly ended: Span;
}

/** The first run and the one after the only retry; null where either was not seen from its queue to its end. */
export function twoRuns(job: Job): readonly [Run, Run] | null {
  const retries = job.calls.filter((call) => call.op === 'retry' && answerOf(call) !== 'refused');
  const [retry] = retries;
  if (retry === undefined || retries.length > 1 || retry.receivedMs === null) return null;
  const seen = sightingsOf(job);
  const submitted = { fromMs: job.life.submittedFromMs, byMs: job.life.submittedByMs };
  const first = runIn(
    seen.filter(({ call }) => precedes(call, retry)),
    submitted,
  );
  const second = runIn(
    seen.filter(({ call }) => precedes(retry, call)),
    { fromMs: retry.sentMs, byMs: retry.receivedMs },
  );
  return first === null || second === null ? null : [first, second];
}

function runIn(seen: readonly Sighting[], queued: Span): Run | null {
  const running = seen.find(({ shows }) => shows === 'IN_PROGRESS');
  const ended = seen.find(
    ({ shows }) => shows === 'FAILED' || shows === 'COMPLETED' || shows === 'TIMED_OUT',
  );
  if (ended === undefined || running === undefined) return null;
  const waiting = seen.findLast(({ shows, call }) => shows === 'IN_QUEUE' && precedes(call, running.call));
  const lastRunning = seen.findLast(
    ({ shows, call }) => shows === 'IN_PROGRESS' && precedes(call, ended.call),
  );
  // Looks at once tell of no order.
  if (lastRunning === undefined) return null;
  return {
    queued,
    started: { fromMs: waiting?.call.sentMs ?? queued.fromMs, byMs: running.call.receivedMs! },
    ended: { fromMs: lastRunning.call.sentMs, byMs: ended.call.receivedMs! },
  };
}

function between(from: Span, to: Span): Span {
  return { fromMs: Math.max(0, to.fromMs - from.byMs), byMs: to.byMs - from.fromMs };
}

function sum(left: Span, right: Span): Span {
  return { fromMs: left.fromMs + right.fromMs, byMs: left.byMs + right.byMs };
}

export function retriedRuns(scene: Scene, job: Job, life: Explained): void {
  const runs = twoRuns(job);
  if (runs === null) return;
  const [first, second] = runs;
  const done = sightingsOf(job).findLast(
    ({ shows }) => shows === 'COMPLETED' || shows === 'FAILED' || shows === 'TIMED_OUT',
  )!.call;
  timesOf(scene, done, first, second);
  timeoutOf(scene, job, first, life);
}

/** `delayTime` and `executionTime` after a retry, in any unit. */
function timesOf(scene: Scene, call: CallEvent, first: Run, second: Run): void {
  const record = recordOf(call) ?? {};
  const waits = [between(first.queued, first.started), between(second.queued, second.started)] as const;
  const lasts = [between(first.started, first.ended), between(second.started, second.ended)] as const;
  const delay = measured(scene, record['delayTime'], [
    { reading: 'last-wait', span: waits[1] },
    { reading: 'all-waits', span: sum(...waits) },
    { reading: 'since-submission', span: between(first.queued, second.started) },
  ]);
  if (delay !== null) scene.ledger.observe('2.4/delay-time-after-retry', delay);
  const execution = measured(scene, record['executionTime'], [
    { reading: 'last-run', span: lasts[1] },
    { reading: 'all-runs', span: sum(...lasts) },
  ]);
  if (execution !== null) scene.ledger.observe('2.4/execution-time-after-retry', execution);
}

function measured<R extends string>(
  scene: Scene,
  value: unknown,
  candidates: readonly Candidate<R>[],
): R | null {
  if (typeof value !== 'number' || value < 0) return null;
  const one = (ms: Span): R | null => theOne(scene, ms, candidates);
  const inUnit = (ms: number): R | null => one({ fromMs: value * ms - 1, byMs: value * ms + 1 });
  const inMs = one({ fromMs: value - 1, byMs: value + 1 });
  const inSeconds = one({ fromMs: value * 1000 - 1000, byMs: value * 1000 + 1000 });
  if (inMs !== null && inSeconds !== null && inMs !== inSeconds) return null;
  // Finer units are asked last: in them any time is next to nothing.
  return inMs ?? inSeconds ?? inUnit(0.001) ?? inUnit(0.000001);
}

/** The run after a retry was ended by its `executionTimeout`: had it the whole of it? */
function timeoutOf(scene: Scene, job: Job, first: Run, life: Explained): void {
  const policy = job.submission['policy'];
  const limit = isObject(policy) ? policy['executionTimeout'] : undefined;
  if (typeof limit !== 'number' || limit < EXECUTION_TIMEOUT_MIN_MS || limit > EXECUTION_TIMEOUT_MAX_MS)
    return;
  if (!life.mustBe((at) => at.place === 'timed-out' && at.retries === 1)) return;
  const ranMs: Span = {
    fromMs: life.least(({ zone }) => -zone.bound(STARTED, ENDED)),
    byMs: life.most(({ zone }) => zone.bound(ENDED, STARTED)),
  };
  const before = between(first.started, first.ended);
  const reading = theOne(scene, ranMs, [
    { reading: 'whole', span: { fromMs: limit, byMs: limit } },
    { reading: 'remaining', span: { fromMs: Math.max(0, limit - before.byMs), byMs: limit - before.fromMs } },
  ]);
  if (reading !== null) scene.ledger.observe('2.2/execution-timeout-after-retry', reading);
}
