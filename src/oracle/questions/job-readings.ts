/** Open questions that a job's life or a whole session settles. */
import { wasThere } from '../scene/left-alone.js';
import type { CallEvent, Json } from '../../history/events.js';
import { jobBy, type Job } from '../cast/cases.js';
import { precedes, sightingsOf, type Sighting } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import type { Explained } from '../model/known.js';
import { ENDED, STARTED } from '../model/zone.js';
import {
  answerOf,
  idInPath,
  isObject,
  jsonOf,
  recordOf,
  sameJson,
  saysNothing,
  statusIn,
} from '../observed/reading.js';
import type { Foreseen } from '../observed/plan.js';
import { chunksOf } from '../observed/chunks.js';
import { flawsOf } from '../calls/submissions.js';
import { allowances } from './allowances.js';
import { counters } from './counters.js';
import { outOfBounds } from './out-of-bounds.js';
import { ownTimeout } from './own-timeout.js';
import { eventReadings } from './events.js';
import { lifespans } from './lifespans.js';
import { outputs } from './outputs.js';
import { queueOrders } from './queue.js';
import { oddRequests } from './requests.js';
import { retriedRuns } from './runs.js';
import { streamReadings } from './streams.js';
import type { Scene } from '../scene/scene.js';

export function judgeReadings(scene: Scene): void {
  if (!scene.session.exists) return;
  keyForms(scene);
  for (const call of scene.cast.roll.odd) if (call.reply !== null) otherPaths(scene, call);
  oddRequests(scene);
  allowances(scene);
  if (scene.cast.jobs.length > JOBS_MAX) return;
  queueOrders(scene);
  counters(scene);
  for (const job of scene.cast.jobs) {
    const life = scene.lifeOf(job);
    // What a life may have been tells nothing of how the target reads the document.
    if (life.kind !== 'explained') continue;
    const seen = sightingsOf(job);
    cancelled(scene, job, seen, life);
    purged(scene, job, seen, life);
    retried(scene, job, seen);
    outOfBounds(scene, job, life);
    ownTimeout(scene, job, life);
    streams(scene, job, seen, life);
    outputs(scene, job, seen);
    lifespans(scene, job, life);
    retriedRuns(scene, job, life);
    streamReadings(scene, job, life);
    eventReadings(scene, job, life);
    toldAtOnce(scene, job);
    afterCrash(scene, job, seen, life);
  }
}

const JOBS_MAX = 200;

/** What a `/runsync` call is told of a job that failed, or whose worker died. */
function toldAtOnce({ ledger }: Scene, job: Job): void {
  if (!job.sync || job.submitted.reply === null || statusIn(job.submitted) !== 'FAILED') return;
  const code = codeOf(job.submitted);
  const ok = answerOf(job.submitted) === 'ok';
  const { outcome } = job.foreseen(0);
  if (outcome === 'crash') ledger.observe('7/crash-code', ok ? 'record' : code === 500 ? '500' : 'other');
  else if (outcome === 'error')
    ledger.observe('4.1/failed-job-code', ok ? '200' : code === 500 || code === 400 ? `${code}` : 'other');
}

/** A plan for the second run tells whether there was one. */
function afterCrash(scene: Scene, job: Job, seen: readonly Sighting[], life: Explained): void {
  const { outcome, lastsMs } = job.foreseen(0);
  if (outcome !== 'crash' || job.foreseen(1).outcome !== 'success') return;
  // Its time may have been over before its worker died, and a purged job may be told as FAILED.
  const crashedMs = lastsMs! + scene.graceMax;
  const crashed = ({ terms, purgedBy }: Hypothesis): boolean =>
    purgedBy === null && terms.executionLeastMs > crashedMs;
  if (!life.mustBe(crashed)) return;
  if (job.calls.some((call) => call.op === 'retry')) return;
  const end = seen.find(({ shows }) => shows === 'FAILED' || shows === 'COMPLETED')?.shows;
  if (end !== undefined) scene.ledger.observe('3/worker-crash', end === 'FAILED' ? 'fails' : 're-dispatched');
}

function codeOf(call: CallEvent): number {
  return call.reply?.status ?? 0;
}

type Refusal = 'refused-400' | 'refused-404' | 'refused-409' | 'other-error';

function refusal(call: CallEvent): Refusal {
  const code = codeOf(call);
  return code === 400 || code === 404 || code === 409 ? `refused-${code}` : 'other-error';
}

/** `/cancel` of a job that had ended, the first and the second. */
function cancelled(scene: Scene, job: Job, seen: readonly Sighting[], life: Explained): void {
  const { ledger } = scene;
  const valid = job.calls.filter((call) => call.op === 'cancel' && !saysNothing(call));
  const first = valid.find((call) => answerOf(call) === 'ok');
  for (const call of valid) {
    if (call.reply === null || (codeOf(call) === 404 && !wasThere(scene, job, call))) continue;
    const before = seen.findLast((one) => precedes(one.call, call))?.shows;
    const next = seen.find((one) => precedes(call, one.call));
    const after = next?.shows;
    const soon = next !== undefined && next.call.sentMs < call.receivedMs! + 5000;
    const ended = before === 'COMPLETED' || before === 'FAILED' || before === 'TIMED_OUT';
    if (ended && !job.calls.some((one) => one.op === 'retry')) {
      if (answerOf(call) !== 'ok') ledger.observe('4.5/cancel-ended-answer', refusal(call));
      else {
        const told = statusIn(call) === 'CANCELLED' ? 'status-cancelled' : 'status-as-it-is';
        ledger.observe('4.5/cancel-ended-answer', told);
      }
      if (after === before) ledger.observe('4.5/cancel-ended-effect', 'none');
      else if (after === 'CANCELLED') ledger.observe('4.5/cancel-ended-effect', 'cancelled');
      else if (after === 'GONE' && soon && answerOf(call) === 'ok' && wasThere(scene, job, next.call))
        ledger.observe('4.5/cancel-ended-effect', 'removed');
    }
    if (first !== undefined && call !== first && precedes(first, call) && !ended && certainlyCancelled(life))
      ledger.observe('4.5/cancel-twice', answerOf(call) === 'ok' ? 'status-cancelled' : refusal(call));
  }
  const look = first === undefined ? undefined : seen.find((one) => precedes(first, one.call));
  // Much later it may have been deleted for another reason.
  if (look === undefined || !certainlyCancelled(life) || look.call.sentMs > first!.receivedMs! + 5000) return;
  if (look.shows === 'CANCELLED') ledger.observe('3/status-after-cancel', 'CANCELLED');
  else if (look.shows === 'GONE' && wasThere(scene, job, look.call))
    ledger.observe('3/status-after-cancel', 'not-found');
}

function certainlyCancelled(life: Explained): boolean {
  return life.mustBe(
    (at) => at.place === 'cancelled' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'),
  );
}

function purged(scene: Scene, job: Job, seen: readonly Sighting[], life: Explained): void {
  const { ledger } = scene;
  if (!life.mustBe((at) => at.place === 'purged')) return;
  const look = job.calls.findLast(
    (call) =>
      call.op === 'status' && call.request.illegal === null && call.reply !== null && !saysNothing(call),
  );
  const purge = life.agreed((at) => at.purgedBy);
  if (purge === undefined || purge === null) return;
  if (
    look !== undefined &&
    precedes(purge, look) &&
    answerOf(look) === 'refused' &&
    look.reply!.status !== 404
  )
    return ledger.observe('4.7/purged-job-status', 'other');
  const last = seen.at(-1);
  if (last?.call.op !== 'status') return;
  if (last.shows === 'GONE') {
    if (wasThere(scene, job, last.call)) ledger.observe('4.7/purged-job-status', 'not-found');
  } else if (last.shows === 'CANCELLED' || last.shows === 'FAILED')
    ledger.observe('4.7/purged-job-status', last.shows);
}

/** So often accepted, a retry is taken to have no limit. */
const RETRIES_MANY = 10;

/** What the record holds between a retry and the end of the new run. */
function retried({ ledger }: Scene, job: Job, seen: readonly Sighting[]): void {
  const retry = job.calls.find((call) => call.op === 'retry' && answerOf(call) === 'ok');
  const look = job.calls.find((call) => call.op === 'status' && retry !== undefined && precedes(retry, call));
  const status = look === undefined ? null : statusIn(look);
  const accepted = job.calls.filter((call) => call.op === 'retry' && answerOf(call) === 'ok').length;
  const limited = job.calls.some(
    (call) =>
      call.op === 'retry' &&
      answerOf(call) === 'refused' &&
      !saysNothing(call) &&
      seen.findLast((one) => precedes(one.call, call))?.shows === 'FAILED' &&
      seen.find((one) => precedes(call, one.call))?.shows === 'FAILED',
  );
  if (accepted > 0 && limited) ledger.observe('4.6/number-of-retries', 'limited');
  else if (accepted >= RETRIES_MANY) ledger.observe('4.6/number-of-retries', 'unlimited');
  if (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS') return;
  const output = recordOf(look!)?.['output'];
  if (output === undefined) ledger.observe('4.6/output-after-retry', 'absent');
  else if (output === null) ledger.observe('4.6/output-after-retry', 'null');
}

/** Each result is one chunk of it. */
function isWhole({ chunks }: Foreseen, list: readonly Json[]): boolean {
  return (
    list.length === chunks.length &&
    list.every((chunk, at) => isObject(chunk) && sameJson(chunk['output'], chunks[at]!.output))
  );
}

/** No later read brought something else. */
function isAll(job: Job, call: CallEvent, list: readonly Json[]): boolean {
  return job.calls.every((one) => {
    if (one.op !== 'stream' || one.sentTick <= call.sentTick || answerOf(one) !== 'ok') return true;
    const later = chunksOf(jsonOf(one.reply!.body)) ?? [];
    return later.length === 0 || sameJson(later.at(-1), list.at(-1));
  });
}

/** It had been running for so long that a worker slow to begin had begun. */
function hadBegun({ goneFrom, zone }: Hypothesis, graceMs: number): boolean {
  return goneFrom === 'progress' && -zone.bound(STARTED, ENDED) > graceMs;
}

/** `/stream` of a job that waits, has failed, was cancelled, or whose handler does not stream. */
function streams(scene: Scene, job: Job, seen: readonly Sighting[], life: Explained): void {
  const { ledger } = scene;
  const graceMs = scene.graceMax;
  const plan = job.foreseen(0);
  const retries = job.calls.some((call) => call.op === 'retry');
  let delivered = 0;
  for (const call of job.calls) {
    if (call.op !== 'stream' || call.reply === null || retries || saysNothing(call)) continue;
    const before = seen.findLast((one) => precedes(one.call, call))?.shows;
    const list = answerOf(call) === 'ok' ? chunksOf(jsonOf(call.reply.body)) : null;
    const refused = answerOf(call) === 'refused';
    const earlier = delivered;
    const endedTick = call.endedTick ?? Infinity;
    const first = !job.calls.some((one) => one.op === 'stream' && one !== call && one.sentTick < endedTick);
    delivered += list?.length ?? 0;
    if (codeOf(call) === 404 && !wasThere(scene, job, call)) continue;
    if (before === 'CANCELLED' && certainlyCancelled(life)) {
      // Only a first read of something that was certainly produced tells.
      if (earlier > 0 || plan.chunks[0]?.afterMs !== 0 || life.mayBe((at) => !hadBegun(at, graceMs)))
        continue;
      if (codeOf(call) === 404) ledger.observe('4.4/cancelled-job', 'not-found');
      else if (refused) ledger.observe('4.4/cancelled-job', 'error');
      else if (list !== null) ledger.observe('4.4/cancelled-job', list.length > 0 ? 'chunks' : 'empty-array');
    } else if (before === 'FAILED' && plan.outcome === 'error' && plan.streams) {
      if (refused) ledger.observe('4.4/failed-job', 'error');
      else if (list !== null && earlier === 0 && list.length > plan.chunks.length)
        ledger.observe('4.4/failed-job', 'chunks-and-error');
      // A service may deliver a few at a time, and the error after the last of them.
      else if (list !== null && earlier === 0 && list.length === plan.chunks.length && isAll(job, call, list))
        ledger.observe('4.4/failed-job', 'chunks');
    } else if (before === 'COMPLETED' && !plan.streams && plan.outcome === 'success') {
      if (!first) continue;
      if (refused) ledger.observe('4.4/non-streaming-handler', 'error');
      else if (list !== null)
        ledger.observe('4.4/non-streaming-handler', list.length === 0 ? 'empty-array' : 'output-as-chunk');
    } else if (before === 'COMPLETED' && plan.streams && earlier >= plan.chunks.length) {
      if (codeOf(call) === 404) ledger.observe('4.4/drained', 'not-found');
      else if (list?.length === 0) ledger.observe('4.4/drained', 'empty-array');
      // Where it is something else, not everything had been delivered: a text is cut into several chunks.
      else if (list !== null && isWhole(plan, list)) ledger.observe('4.4/drained', 'all-again');
    }
  }
}

function keyForms({ ledger, cast }: Scene): void {
  const { bare, bearer } = cast.roll.keyTaken;
  if (bare === null || bearer === null || (!bare && !bearer)) return;
  ledger.observe('5/key-forms', bare && bearer ? 'both' : bare ? 'bare-only' : 'bearer-only');
}

function otherPaths({ ledger, cast }: Scene, call: CallEvent): void {
  const code = codeOf(call);
  const ok = answerOf(call) === 'ok';
  const { auth } = call.request;
  if (call.op === 'openai' && code !== 401 && code !== 429)
    ledger.observe('4.9/openai-answer', ok ? 'worker-decides' : 'not-offered');
  if (call.op === 'requests' && code !== 401 && code !== 429) {
    const body = jsonOf(call.reply!.body);
    const list = Array.isArray(body) || (isObject(body) && Array.isArray(body['requests']));
    ledger.observe('4.9/requests-answer', !ok ? 'not-offered' : list ? 'list-of-jobs' : 'other');
  }
  const keyless = auth === 'missing' || auth === 'wrong' || auth === 'wrong-bearer';
  if (!keyless || (code !== 401 && code !== 404 && code !== 400)) return;
  const submits = call.op === 'run' || call.op === 'runsync';
  if (submits && flawsOf(call).length > 0 && (code === 401 || code === 400))
    ledger.observe('5/unauthorized-before-malformed', `${code}`);
  const onJob = call.op === 'status' || call.op === 'stream' || call.op === 'cancel' || call.op === 'retry';
  const unknown = onJob && jobBy(cast, idInPath(call)) === undefined;
  if (unknown && (code === 401 || code === 404))
    ledger.observe('5/unauthorized-before-unknown-job', `${code}`);
}
