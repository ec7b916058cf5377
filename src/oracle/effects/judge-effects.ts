/**
 * What a call must not have touched: refused calls change nothing, calls on one job leave the others alone, and
 * endpoints know nothing of each other. A breach shows in the life of the job that was touched (see `blame.ts`);
 * here stands when its life proves that it was left alone.
 */
import { livesThrough, staysEnded } from '../scene/left-alone.js';
import type { CallEvent } from '../../history/events.js';
import { jobBy } from '../cast/cases.js';
import { answerOf, idInPath } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { exampleTtl } from './example-ttl.js';
import { freedWorkers } from './freed-workers.js';
import { neighbours } from './neighbours.js';
import { otherJobs } from './other-jobs.js';
import { purges } from './purges.js';
import { neverRun } from './never-run.js';
import { retries } from './retries.js';
import { runningAtOnce } from './running-at-once.js';
import { seenWaitingAfter } from '../cast/sightings.js';

/** Bursts of thousands of jobs are there for their rates. */
const JOBS_MAX = 200;
/** An endpoint that was there before has the jobs of all scripts of a run. */
const SHARED_JOBS_MAX = 1_000;

export function judgeEffects(scene: Scene): void {
  const { session, cast } = scene;
  const jobsMax = session.fresh ? JOBS_MAX : SHARED_JOBS_MAX;
  if (!session.exists || cast.jobs.length === 0 || cast.jobs.length > jobsMax) return;
  for (const call of session.calls) {
    const code = call.reply?.status;
    if (code === 401 || code === 429) refused(scene, call, code);
    else if (call.op === 'health' && answerOf(call) === 'ok') counted(scene, call);
  }
  exampleTtl(scene);
  retries(scene);
  neverRun(scene);
  otherJobs(scene);
  purges(scene);
  neighbours(scene);
  freedWorkers(scene);
  runningAtOnce(scene);
}

/** A call without a valid key, or beyond a limit, on something that would have shown its effect. */
function refused(scene: Scene, call: CallEvent, code: 401 | 429): void {
  if (call.op === 'purge-queue') {
    const waiting = scene.cast.jobs.some((job) => scene.isExplained(job) && seenWaitingAfter(job, call));
    if (waiting)
      scene.pass(code === 401 ? '5/unauthorized-purge-has-no-effect' : '8/refused-call-has-no-effect');
    return;
  }
  if (call.op !== 'cancel' && call.op !== 'retry') return;
  const job = jobBy(scene.cast, idInPath(call));
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
