/** A worker whose job was stopped takes another one. How soon is open: it may be started anew first. */
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isOverrun } from '../model/hypothesis.js';
import type { KnownLife } from '../model/known.js';
import { ENDED, LIFE, STARTED } from '../model/zone.js';
import { answerOf, seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { sightingsOf } from '../cast/sightings.js';

/** A stopped worker that has not taken the next job by then, lateness aside, is taken for lost. */
const RESTART_MS = 60_000;

export function freedWorkers(scene: Scene): void {
  const { session } = scene;
  if (!session.fresh || session.workersAtFirst === null || session.workers.length > 0) return;
  for (const job of scene.cast.jobs) {
    const stop = stopOf(scene.lifeOf(job));
    if (stop === null) continue;
    for (const next of scene.cast.jobs) if (next !== job) follows(scene, job, stop, next);
  }
}

interface Stop {
  readonly id: RequirementId;
  readonly fromMs: number;
  readonly byMs: number;
}

/** How the job's run was certainly cut short, and when. */
function stopOf(life: KnownLife): Stop | null {
  if (life.kind !== 'explained') return null;
  const between = (id: RequirementId): Stop => ({
    id,
    fromMs: life.least(({ zone }) => zone.earliest(ENDED)),
    byMs: life.most(({ zone }) => zone.latest(ENDED)),
  });
  if (life.mustBe((at) => at.place === 'cancelled' && at.goneFrom === 'progress'))
    return between('3/cancel-frees-worker');
  if (life.mustBe(isOverrun)) return between('2.2/execution-timeout-frees-worker');
  if (life.mustBe((at) => at.goneBy === 'ttl' && at.goneFrom === 'progress' && at.terms.ttlMs !== null))
    return {
      id: '2.2/ttl-frees-worker',
      fromMs: life.least(({ zone, terms }) => zone.earliest(LIFE) + terms.ttlMs!),
      byMs: life.most(({ zone, terms }) => zone.latest(LIFE) + terms.ttlMs!),
    };
  return null;
}

function follows(scene: Scene, job: Job, stop: Stop, next: Job): void {
  const life = scene.lifeOf(next);
  if (life.kind !== 'explained') return;
  if (next.life.submittedByMs >= stop.fromMs) return;
  const ran = sightingsOf(next).some(({ shows }) => shows === 'IN_PROGRESS' || shows === 'COMPLETED');
  if (ran && life.mustBe(({ zone }) => zone.earliest(STARTED) >= stop.fromMs)) {
    const startedByMs = life.most(({ zone }) => zone.latest(STARTED));
    const atOnce = startedByMs <= stop.byMs + scene.graceAt(stop.byMs, startedByMs) + RESTART_MS;
    if (atOnce && othersBusy(scene, [job, next], stop.fromMs, startedByMs)) scene.pass(stop.id);
    return;
  }
  if (scene.session.workersAtFirst !== 1) return;
  // It may have had its turn before, and wait for another.
  const retried = next.calls.some((call) => call.op === 'retry' && answerOf(call) !== 'refused');
  if (retried || life.mayBe(({ runs }) => runs > 0)) return;
  if (!onlyOneWaiting(scene, next, stop)) return;
  const waiting = sightingsOf(next).findLast(({ shows }) => shows === 'IN_QUEUE')?.call;
  if (
    waiting === undefined ||
    waiting.sentMs <= stop.byMs + scene.graceAt(stop.byMs, waiting.sentMs) + RESTART_MS
  )
    return;
  scene.fail(stop.id, {
    script: next.script,
    actual: `job ${job.id} was stopped by ${seconds(stop.byMs)}, and job ${next.id} still waited at ${seconds(waiting.sentMs)}`,
    proof: [`the endpoint has one worker, and no other job waited for it`],
    calls: [job.submitted.call, next.submitted.call, waiting.call],
  });
}

/** All workers but one were certainly at work on other jobs from one instant to another. */
function othersBusy(scene: Scene, except: readonly Job[], fromMs: number, toMs: number): boolean {
  const busy = scene.cast.jobs.filter(
    (job) =>
      !except.includes(job) &&
      scene
        .lifeOf(job)
        .mustBe(
          (at) =>
            at.retries === 0 &&
            at.zone.latest(STARTED) < fromMs &&
            (at.place === 'progress' ? at.notBeforeMs >= toMs : at.zone.earliest(ENDED) >= toMs),
        ),
  );
  return busy.length === scene.session.workersAtFirst! - 1;
}

/** No other job can have got the worker before it. */
function onlyOneWaiting(scene: Scene, next: Job, stop: Stop): boolean {
  return scene.cast.jobs.every(
    (other) =>
      other === next ||
      scene
        .lifeOf(other)
        .mustBe(
          ({ place, zone, goneFrom }) =>
            place === 'purged' ||
            goneFrom === 'queue' ||
            zone.latest(ENDED) <= stop.byMs ||
            (place === 'gone' && zone.latest(STARTED) < stop.fromMs),
        ),
  );
}
