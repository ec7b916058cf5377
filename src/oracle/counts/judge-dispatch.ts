/** Section 1: no more jobs run than there are workers. */
import type { Scene } from '../scene.js';
import { answerOf, statusIn } from '../reading.js';
import type { CallEvent } from '../../history/events.js';

export function judgeDispatch(scene: Scene): void {
  const { session } = scene;
  const workers = session.workersAtFirst;
  if (workers === null || !session.fresh || !scene.has('worker-count-known') || session.workers.length > 0)
    return;
  const seen: CallEvent[] = [];
  for (const call of session.calls)
    if (call.op === 'status' && answerOf(call) === 'ok' && statusIn(call) === 'IN_PROGRESS') seen.push(call);
  for (const call of seen) overcrowded(scene, call, seen, workers);
}

/** Jobs that were all seen running at one instant: that of a clock that stands still. */
function overcrowded(scene: Scene, call: CallEvent, seen: readonly CallEvent[], workers: number): void {
  const jobs = new Set<string>();
  const together = seen.filter((other) => {
    if (other.sentMs !== call.sentMs || other.receivedMs !== other.sentMs || jobs.has(other.request.path))
      return false;
    jobs.add(other.request.path);
    return true;
  });
  if (together.length === workers) scene.pass('1/no-more-jobs-in-progress-than-workers');
  if (together.length <= workers || together.at(-1) !== call) return;
  scene.fail('1/no-more-jobs-in-progress-than-workers', {
    script: call.script,
    actual: `${together.length} jobs were IN_PROGRESS at once on ${workers} workers`,
    calls: together.map((one) => one.call),
  });
}
