/** What /purge-queue says that it removed. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../cast/sightings.js';
import { answerOf, meantBy, recordOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { howMany, type Census } from './census.js';
import { excessSuspects, notCounted } from './not-counted.js';
import { restsOn } from './rests-on.js';
import { sumOfJobs } from './sum-of-jobs.js';

/** What one other purge removed that was under way with this one; null where a job could have come back between them. */
function removedMeanwhile(scene: Scene, call: CallEvent): number | null {
  const meanwhile = scene.session.calls.filter(
    (one) =>
      one !== call &&
      one.sentTick < (call.endedTick ?? Infinity) &&
      (one.endedTick ?? Infinity) > call.sentTick,
  );
  if (meanwhile.some((one) => meantBy(one) === 'retry')) return null;
  const [other] = meanwhile.filter((one) => one.op === 'purge-queue' && answerOf(one) === 'ok');
  const removed = other === undefined ? undefined : recordOf(other)?.['removed'];
  return typeof removed === 'number' ? removed : null;
}

/** A refused purge before it may have removed what it should not have. */
function removedBefore(scene: Scene, call: CallEvent): readonly RequirementId[] {
  const codes = scene.cast.roll.purges.filter((one) => precedes(one, call)).map(({ reply }) => reply?.status);
  const found: RequirementId[] = [];
  if (codes.includes(429)) found.push('8/refused-call-has-no-effect');
  if (codes.includes(401)) found.push('5/unauthorized-purge-has-no-effect');
  return found;
}

/** `removed` is what waited when the queue was purged: the call itself removed it, so that no figure is older than the call. */
export function judgePurge(scene: Scene, call: CallEvent, census: Census): void {
  const removed = recordOf(call)?.['removed'];
  if (typeof removed !== 'number') return;
  const waiting = howMany(census, ['queue']);
  const within = removed >= waiting.least && removed <= waiting.most;
  const span = waiting.least === waiting.most ? `${waiting.least}` : `${waiting.least} to ${waiting.most}`;
  const id: RequirementId = '2.6/removed-counts-queued';
  if (within) scene.pass(id);
  else {
    const suspects =
      removed > waiting.most
        ? excessSuspects(scene, call, removed - waiting.most)
        : removedBefore(scene, call);
    const proof = sumOfJobs(census, 'removed', removed, waiting, ['queue']);
    const rules = restsOn(scene, id, call, removed > waiting.most);
    scene.miscounted(id, suspects, rules, call, `removed ${removed}, where ${span} would be right`, proof);
  }
  if (removed === waiting.most) notCounted(scene, call, ['queue']);
  const atOnce = removedMeanwhile(scene, call);
  const both = `two purges at once removed ${removed} and ${atOnce} jobs, where there were ${waiting.most}`;
  if (atOnce !== null) scene.check(id, removed + atOnce <= waiting.most, call, both);
  if (waiting.most > 0 || removed !== 0) return;
  const earlier = scene.session.calls.some(
    (one) =>
      one.op === 'purge-queue' &&
      one !== call &&
      answerOf(one) === 'ok' &&
      (one.endedTick ?? Infinity) < call.sentTick,
  );
  scene.pass(earlier ? '4.7/second-purge-removes-nothing' : '4.7/empty-queue-removes-nothing');
}
