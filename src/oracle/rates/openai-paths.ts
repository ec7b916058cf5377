/** Section 8: the row `/openai/*` is one row, so the paths below it share what it allows. */
import type { CallEvent } from '../../history/events.js';
import { RATES } from '../../spec/rates.js';
import { precedes } from '../cast/sightings.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

const { requests, windowMs } = RATES.openai!;
/** However late a window is, it has not let go of a call that is as old as that. */
const SURELY_WITHIN_MS = 0.9 * windowMs;

/**
 * One path was refused, another was let in after that, and the first was refused again, all within the window that
 * began with the first call and while nobody worked: so the other path draws on something else.
 */
export function separatePaths(scene: Scene, calls: readonly CallEvent[]): void {
  const first = calls[0];
  if (!scene.session.fresh || first === undefined) return;
  const refused = calls.filter(
    (call) =>
      call.reply?.status === 429 && call.receivedMs! < first.sentMs + SURELY_WITHIN_MS && isIdle(scene, call),
  );
  const [from, last] = [refused[0], refused.at(-1)];
  if (from === undefined || last === undefined) return;
  const { path } = from.request;
  const isElsewhere = ({ request }: CallEvent): boolean => request.path !== path;
  const elsewhere = calls.filter(
    (call) =>
      isElsewhere(call) && precedes(from, call) && call.sentTick < last.sentTick && answerOf(call) === 'ok',
  );
  // A bucket that is refilled lets in a few meanwhile.
  const refill = (requests * (last.receivedMs! - from.sentMs)) / windowMs;
  const isEarlierElsewhere = calls.some((call) => call.sentTick < from.sentTick && isElsewhere(call));
  const id = '8/openai-shares-one-allowance';
  if (elsewhere.length > refill + 1 && !isElsewhere(last)) {
    const actual = `${elsewhere.length} calls of other paths were let in between two calls of ${path} that were answered 429`;
    scene.check(id, false, elsewhere.at(-1)!, actual);
  } else if (elsewhere.length === 0 && !isEarlierElsewhere && refused.some(isElsewhere)) scene.pass(id);
}

/** There is no worker from before the call was sent until after it was answered. */
function isIdle({ session: { workersAtFirst, workers } }: Scene, call: CallEvent): boolean {
  const before = workers.findLast(({ receivedMs }) => receivedMs <= call.sentMs);
  const next = workers.find(({ receivedMs }) => receivedMs > call.sentMs);
  return (before?.workers ?? workersAtFirst) === 0 && (next === undefined || next.sentMs >= call.receivedMs!);
}
