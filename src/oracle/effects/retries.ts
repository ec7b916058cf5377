/** `/retry` begins a new life where it is valid, and none where it is not: section 4.6. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { workersAreKnown } from '../cast/occupancy.js';
import { isWaitingOrRunning, precedes, seenWaitingAfter, sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import {
  answerOf,
  chunksOf,
  describeCall,
  isObject,
  jsonOf,
  sameJson,
  saysNothing,
  seconds,
  statusIn,
} from '../observed/reading.js';
import { wasThere } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';

/** `explained`: the jobs whose lives are. */
export function retries(scene: Scene, explained: readonly Job[]): void {
  for (const job of explained) {
    const calls = job.calls.filter(({ op, reply }) => op === 'retry' && reply !== null);
    atOnce(scene, job, calls);
    for (const call of calls) {
      outlivesItsResult(scene, job, call);
      waitsInVain(scene, job, call);
      inWrongState(scene, job, call);
    }
  }
}

/** A retried job waits or runs longer than its earlier result would have been kept. */
function outlivesItsResult(scene: Scene, job: Job, call: CallEvent): void {
  const seen = sightingsOf(job);
  const keptMs = job.life.terms[0]?.keptAtLeastMs ?? Infinity;
  const ended = seen.findLast(
    ({ call: earlier, shows }) => precedes(earlier, call) && (shows === 'FAILED' || shows === 'TIMED_OUT'),
  )?.call;
  if (ended === undefined || answerOf(call) !== 'ok') return;
  const overMs = ended.receivedMs! + keptMs + scene.graceMax;
  if (seen.some(({ call: later, shows }) => later.sentMs > overMs && isWaitingOrRunning(shows)))
    scene.pass('4.6/retried-job-not-expired');
}

/** Two at once: run twice, the job would have been seen to run again after its end, or have streamed twice. */
function atOnce(scene: Scene, job: Job, [first, second, ...more]: readonly CallEvent[]): void {
  if (first === undefined || second === undefined || more.length > 0) return;
  if (precedes(first, second) || precedes(second, first)) return;
  if (answerOf(first) === 'unknown' || answerOf(second) === 'unknown') return;
  const { outcome, lastsMs, chunks } = job.foreseen(1);
  if (outcome !== 'success' || chunks.length !== 1 || job.foreseen(0).outcome !== 'error') return;
  const seen = sightingsOf(job);
  const ended = seen.find(({ shows }) => shows === 'COMPLETED')?.call;
  const read = job.calls.find((call) => call.op === 'stream' && answerOf(call) === 'ok');
  const delivered = read === undefined ? null : chunksOf(jsonOf(read.reply!.body));
  if (ended === undefined || read === undefined || delivered === null) return;
  const times = delivered.filter(
    (chunk) => isObject(chunk) && sameJson(chunk['output'], chunks[0]!.output),
  ).length;
  if (times > 1)
    scene.fail('4.6/retries-at-once-requeue-once', {
      script: job.script,
      actual: `${describeCall(read)}, with the only result of a run ${times} times`,
      calls: [first.call, second.call, read.call],
    });
  const overMs = ended.receivedMs! + lastsMs!;
  const later = seen.some(({ call }) => call.sentMs > overMs + scene.graceAt(call.sentMs));
  if (later && times === 1 && precedes(ended, read)) scene.pass('4.6/retries-at-once-requeue-once');
}

/** A worker whose job was stopped may have to start anew. */
const RESTART_MS = 30_000;

/** With nothing else to do for any worker, a retried job is taken. */
function waitsInVain(scene: Scene, job: Job, call: CallEvent): void {
  const { session, cast } = scene;
  if (!workersAreKnown(session, cast.jobs.length) || session.workers.length > 0) return;
  if (answerOf(call) !== 'ok' || session.workersAtFirst === 0 || cast.roll.ghosts.length > 0) return;
  const seen = sightingsOf(job);
  const waiting = seen.findLast(({ shows }) => shows === 'IN_QUEUE')?.call;
  if (waiting === undefined || !precedes(call, waiting)) return;
  if (waiting.sentMs <= call.receivedMs! + scene.graceAt(call.receivedMs!, waiting.sentMs) + RESTART_MS)
    return;
  if (job.calls.some((one) => one.op === 'retry' && one !== call && !precedes(one, call))) return;
  // Its own run before may have been cut short by its timeout.
  if (seen.some(({ shows }) => shows === 'TIMED_OUT') || job.foreseen(0).outcome !== 'error') return;
  const isOver = ({ place, retries: times, zone }: Hypothesis): boolean =>
    (place === 'completed' || place === 'failed') && times === 0 && zone.latest(ENDED) <= call.sentMs;
  const isIdle = cast.jobs.every(
    (other) => other === job || precedes(waiting, other.submitted) || scene.lifeOf(other).mustBe(isOver),
  );
  if (!isIdle) return;
  scene.fail('4.6/retried-job-runs', {
    script: job.script,
    actual: `job ${job.id}, retried by ${seconds(call.receivedMs!)}, was still IN_QUEUE at ${seconds(waiting.sentMs)}`,
    proof: ['every other job of the endpoint had ended before the retry: all workers were free'],
    calls: [job.submitted.call, call.call, waiting.call],
  });
}

const WRONG_STATES = {
  IN_QUEUE: ['4.6/refused-in-queue', '4.6/wrong-state-answer-in-queue'],
  IN_PROGRESS: ['4.6/refused-in-progress', '4.6/wrong-state-answer-in-progress'],
  COMPLETED: ['4.6/refused-for-completed', '4.6/wrong-state-answer-completed'],
  CANCELLED: ['4.6/refused-for-cancelled', '4.6/wrong-state-answer-cancelled'],
} as const;

function inWrongState(scene: Scene, job: Job, call: CallEvent): void {
  const code = call.reply!.status;
  const answer = answerOf(call);
  const state = wrongStateAt(scene, job, call);
  if (state === null || answer === 'unknown' || saysNothing(call)) return;
  if (code === 404 && !wasThere(scene, job, call)) return;
  const [id, question] = WRONG_STATES[state];
  // A success that says where the job stands is one reading; one that says it was requeued is none.
  const feigned = answer === 'ok' && statusIn(call) === 'IN_QUEUE' && state !== 'IN_QUEUE';
  if (answer === 'refused') scene.pass(id);
  else
    scene.fail(id, {
      script: call.script,
      actual: describeCall(call),
      calls: [call.call],
      inexcusable: feigned,
    });
  if (feigned) return;
  const { ledger } = scene;
  if (answer === 'ok') ledger.observe(question, 'success-without-effect');
  else if (code === 400 || code === 404 || code === 409 || code === 422)
    ledger.observe(question, `refused-${code}`);
  else ledger.observe(question, 'other-error');
  // A second run would have been seen after the end of the only one.
  const ends = sightingsOf(job).filter(({ shows }) => shows === 'COMPLETED');
  if (state === 'IN_QUEUE' && ends.length > 1) scene.pass('4.6/no-effect-in-queue');
}

/** The state other than FAILED and TIMED_OUT in which the job certainly was at the call. */
function wrongStateAt(scene: Scene, job: Job, call: CallEvent): keyof typeof WRONG_STATES | null {
  const seen = sightingsOf(job);
  const before = seen.findLast((one) => precedes(one.call, call))?.shows;
  const after = seen.find((one) => precedes(call, one.call))?.shows;
  const others = job.calls.filter((one) => one !== call);
  const life = scene.lifeOf(job);
  if (others.some((one) => one.op === 'retry' && answerOf(one) !== 'refused')) return null;
  if (!life.mustBe((at) => at.retries === 0)) return null;
  const cancels = others.filter(({ op }) => op === 'cancel');
  if (before === 'COMPLETED') return cancels.length > 0 ? null : 'COMPLETED';
  if (cancels.some((one) => answerOf(one) === 'ok' && precedes(one, call)))
    return life.mustBe((at) => at.place === 'cancelled') ? 'CANCELLED' : null;
  // It has run at most once: what it was on both sides of the call it was during it.
  if (!life.mustBe((at) => at.runs <= (at.place === 'cancelled' ? 1 : 0))) return null;
  if (before === undefined || before === 'IN_QUEUE')
    return after === 'IN_QUEUE' && seenWaitingAfter(job, call) ? 'IN_QUEUE' : null;
  return before === 'IN_PROGRESS' && after === 'IN_PROGRESS' ? 'IN_PROGRESS' : null;
}
