/** What one job is told, or what its own timers do to it, concerns no other job of the endpoint. */
import { livesThrough, staysEnded } from '../scene/left-alone.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { ENDED, LIFE, STARTED } from '../model/zone.js';
import { answerOf, policyFieldOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { precedes, sightingsOf } from '../cast/sightings.js';

export function otherJobs(scene: Scene): void {
  const explained = scene.cast.jobs.filter((job) => scene.isExplained(job));
  if (explained.length < 2) return;
  for (const job of explained) {
    for (const call of job.calls) {
      if (answerOf(call) !== 'ok') continue;
      if (
        call.op === 'cancel' &&
        explained.some((other) => other !== job && livesThrough(scene, other, call))
      )
        scene.pass('4.5/this-job-only');
      const left = (other: Job): boolean =>
        other !== job && staysEnded(scene, other, call, ['FAILED', 'TIMED_OUT', 'COMPLETED']);
      if (call.op === 'retry' && explained.some(left)) scene.pass('4.6/this-job-only');
    }
    expiry(scene, job, explained);
    timeout(scene, job, explained);
    crash(scene, job, explained);
  }
}

/** After one job's ttl has deleted it, another one that was there at that instant is still found. */
function expiry(scene: Scene, job: Job, others: readonly Job[]): void {
  const life = scene.lifeOf(job);
  if (life.kind !== 'explained') return;
  if (!life.mustBe((at) => at.place === 'gone' && at.goneBy === 'ttl' && at.terms.ttlMs !== null)) return;
  const expiredMs = life.least(({ zone, terms }) => zone.earliest(LIFE) + terms.ttlMs!);
  const gone = sightingsOf(job).find(({ shows }) => shows === 'GONE')?.call;
  if (gone === undefined) return;
  const spared = others.some(
    (other) =>
      other !== job &&
      other.life.submittedByMs < expiredMs &&
      sightingsOf(other).some(
        ({ call, shows }) => precedes(gone, call) && shows !== 'GONE' && shows !== 'CANCELLED',
      ),
  );
  if (!spared) return;
  const asked = life.mustBe(({ terms }) => terms.ttlMs !== job.life.terms[0]?.ttlMs);
  scene.pass(asked ? '4.3/ttl-this-job-only' : '2.2/ttl-this-job-only');
}

/** While one job was ended by its executionTimeout, another one that ran at that instant ran on; or it ran for longer than that. */
function timeout(scene: Scene, job: Job, others: readonly Job[]): void {
  const life = scene.lifeOf(job);
  if (life.kind !== 'explained') return;
  if (!life.mustBe((at) => at.place === 'timed-out' || at.goneFrom === 'timed-out')) return;
  const fromMs = life.least(({ zone }) => zone.earliest(ENDED));
  const byMs = life.most(({ zone }) => zone.latest(ENDED));
  const id: RequirementId = '2.2/execution-timeout-this-job-only';
  const limit = policyFieldOf(job.submission, 'executionTimeout');
  const limitMs = typeof limit === 'number' ? limit : Infinity;
  for (const other of others) {
    if (other === job) continue;
    const itsLife = scene.lifeOf(other);
    const ranLonger = itsLife.mustBe(
      ({ place, zone }) =>
        place === 'completed' && -zone.bound(STARTED, ENDED) > limitMs + scene.graceAt(fromMs, byMs),
    );
    if (ranLonger) scene.pass(id);
    if (!itsLife.mustBe(({ zone }) => zone.latest(STARTED) < fromMs)) continue;
    const ranOn = sightingsOf(other).some(({ call, shows }) => shows === 'IN_PROGRESS' && call.sentMs > byMs);
    const endedLater = itsLife.mustBe((at) => at.place === 'completed' && at.zone.earliest(ENDED) > byMs);
    if (ranOn || endedLater) scene.pass(id);
  }
}

/** A worker died with one job, and the others came to the ends that were foreseen. */
function crash(scene: Scene, job: Job, others: readonly Job[]): void {
  if (job.foreseen(0).outcome !== 'crash') return;
  const seen = sightingsOf(job);
  const failed = seen.find(({ shows }) => shows === 'FAILED')?.call;
  if (failed === undefined) return;
  const untouched = others.some(
    (other) =>
      other !== job &&
      other.foreseen(0).outcome === 'success' &&
      precedes(other.submitted, failed) &&
      sightingsOf(other).some(({ shows }) => shows === 'COMPLETED') &&
      scene
        .lifeOf(other)
        .mustBe(
          ({ zone }) => zone.earliest(ENDED) >= job.life.submittedFromMs + (job.foreseen(0).lastsMs ?? 0),
        ),
  );
  if (untouched) scene.pass('3/crash-leaves-other-jobs-alone');
}
