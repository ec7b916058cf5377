/** For how long a job may run whose submission names no `executionTimeout` (section 2.2). */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { earlyFor } from '../observed/earliness.js';
import { sightingsOf } from '../cast/sightings.js';
import type { Explained } from '../model/known.js';
import { ENDED, STARTED } from '../model/zone.js';
import type { Scene } from '../scene/scene.js';

export function ownTimeout(scene: Scene, job: Job, life: Explained): void {
  if (job.life.life.executionGiven || life.mayBe(({ retries }) => retries > 0)) return;
  const { ledger, session } = scene;
  const lateMs = EXECUTION_TIMEOUT_DEFAULT_MS + scene.graceMax;
  const earlyMs = EXECUTION_TIMEOUT_DEFAULT_MS - earlyFor(session.run.earlyMs, EXECUTION_TIMEOUT_DEFAULT_MS);
  if (life.mustBe(({ place }) => place === 'timed-out')) {
    const leastMs = life.least(({ zone }) => -zone.bound(STARTED, ENDED));
    const mostMs = life.most(({ zone }) => zone.bound(ENDED, STARTED));
    if (leastMs > lateMs || mostMs < earlyMs) ledger.observe('2.2/execution-timeout-default', 'own-setting');
    else if (leastMs >= earlyMs && mostMs <= lateMs)
      ledger.observe('2.2/execution-timeout-default', 'ten-minutes');
    return;
  }
  const lastRan = sightingsOf(job).findLast(({ shows }) => shows === 'IN_PROGRESS')?.call.sentMs ?? -Infinity;
  const ranLonger = life.mustBe(
    ({ place, zone }) =>
      (place === 'completed' && -zone.bound(STARTED, ENDED) > lateMs) ||
      (place === 'progress' && lastRan - zone.latest(STARTED) > lateMs),
  );
  if (ranLonger) ledger.observe('2.2/execution-timeout-default', 'own-setting');
}
