/** Whether workers may have raised a limit: section 8's dynamic rule counts those that run. */
import type { CallEvent } from '../../history/events.js';
import { isFinished, type Hypothesis } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import type { Scene } from './scene.js';

/** There are no workers until these calls are answered, or until the given instant, or nothing is left for them to do from the first call on. */
export function noWorkerRuns(
  scene: Scene,
  calls: readonly CallEvent[],
  until = Math.max(...calls.map((call) => call.receivedMs ?? Infinity)),
): boolean {
  const { cast } = scene;
  const from = calls[0]!;
  if (noWorkers(scene, calls, until)) return true;
  const over = (at: Hypothesis): boolean =>
    (isFinished(at.place) || at.place === 'gone') && at.retries === 0 && at.zone.latest(ENDED) < from.sentMs;
  return cast.roll.ghosts.length === 0 && cast.jobs.every((job) => scene.lifeOf(job).mustBe(over));
}

/** There are no workers until these calls are answered. Whether idle ones count as running, and raise a limit, is open. */
export function noWorkers(
  { session }: Scene,
  calls: readonly CallEvent[],
  until = Math.max(...calls.map((call) => call.receivedMs ?? Infinity)),
): boolean {
  return session.workersAtFirst === 0 && session.workers.every(({ sentMs }) => sentMs > until);
}
