/**
 * What a call must not have touched: refused calls change nothing, calls on one job leave the others alone, and
 * endpoints know nothing of each other. A breach shows in the life of the job that was touched (see `blame.ts`);
 * here stands when its life proves that it was left alone.
 */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cases.js';
import { answerOf, idInPath } from '../reading.js';
import type { Scene } from '../scene.js';
import { freedWorkers } from './freed-workers.js';
import { neighbours } from './neighbours.js';
import { otherJobs } from './other-jobs.js';
import { purges } from './purges.js';
import {
  isWaitingOrRunning,
  livesThrough,
  precedes,
  seenWaitingAfter,
  sightingsOf,
  staysEnded,
} from './sightings.js';

/** Bursts of thousands of jobs are there for their rates. */
const JOBS_MAX = 200;

export function judgeEffects(scene: Scene): void {
  const { session, cast } = scene;
  if (!session.exists || cast.jobs.length === 0 || cast.jobs.length > JOBS_MAX) return;
  for (const call of session.calls) {
    const code = call.reply?.status;
    if (code === 401 || code === 429) refused(scene, call, code);
    else if (call.op === 'health' && answerOf(call) === 'ok') counted(scene, call);
  }
  for (const job of cast.jobs) if (scene.sound(job)) aroundRetries(scene, job);
  otherJobs(scene);
  purges(scene);
  neighbours(scene);
  freedWorkers(scene);
}

/** A call without a valid key, or beyond a limit, on something that would have shown its effect. */
function refused(scene: Scene, call: CallEvent, code: 401 | 429): void {
  if (call.op === 'purge-queue') {
    const waiting = scene.cast.jobs.some((job) => scene.sound(job) && seenWaitingAfter(job, call));
    if (waiting)
      scene.pass(code === 401 ? '5/unauthorized-purge-has-no-effect' : '8/refused-call-has-no-effect');
    return;
  }
  if (call.op !== 'cancel' && call.op !== 'retry') return;
  const id = idInPath(call);
  const job = scene.cast.jobs.find((one) => one.id === id);
  if (job === undefined) return;
  const kept =
    call.op === 'cancel'
      ? livesThrough(scene, job, call)
      : staysEnded(scene, job, call, ['FAILED', 'TIMED_OUT']);
  if (!kept) return;
  if (code === 429) scene.pass('8/refused-call-has-no-effect');
  else if (call.op === 'cancel') scene.pass('5/unauthorized-cancel-has-no-effect');
  else scene.pass('5/unauthorized-retry-has-no-effect');
}

function counted(scene: Scene, call: CallEvent): void {
  const left = scene.cast.jobs.some(
    (job) => livesThrough(scene, job, call) || staysEnded(scene, job, call, ['COMPLETED', 'FAILED']),
  );
  if (left) scene.pass('4.8/reading-changes-nothing');
}

/** A retry begins a new life, or none where it is not valid. */
function aroundRetries(scene: Scene, job: Job): void {
  const seen = sightingsOf(job);
  const { graceMs } = scene.session.run;
  const keptMs = job.life.terms[0]?.keptAtLeastMs ?? Infinity;
  job.calls.forEach((call) => {
    if (call.op !== 'retry' || call.reply === null) return;
    const ended = seen.findLast(
      ({ call: earlier, shows }) => precedes(earlier, call) && (shows === 'FAILED' || shows === 'TIMED_OUT'),
    )?.call;
    if (ended !== undefined && answerOf(call) === 'ok') {
      const overMs = ended.receivedMs! + keptMs + graceMs;
      const alive = seen.some(({ call: later, shows }) => later.sentMs > overMs && isWaitingOrRunning(shows));
      if (alive) scene.pass('4.6/retried-job-not-expired');
    }
    const alone = job.calls.every((other) => other === call || other.op !== 'retry');
    if (!alone || ended !== undefined || !seenWaitingAfter(job, call)) return;
    // A second run would have been seen after the end of the only one.
    const ends = seen.filter(({ shows }) => shows === 'COMPLETED');
    if (ends.length > 1) scene.pass('4.6/no-effect-in-queue');
  });
}
