/**
 * Whose calls share an allowance: one user has used up what a window holds, and another calls meanwhile. Told only where
 * no way to count could have given back an allowance in between.
 */
import type { CallEvent } from '../../history/events.js';
import { RATES } from '../../spec/rates.js';
import { answerOf, authorized, ofOtherUser } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

const { requests, windowMs } = RATES['purge-queue']!;
/** By then a bucket has not been refilled by one call. */
const NOT_REFILLED_MS = (0.5 * windowMs) / requests;

export function limitScope(scene: Scene): void {
  const calls = scene.cast.roll
    .of('purge-queue')
    .toSorted((left, right) => left.sentTick - right.sentTick)
    .filter((call) => authorized(call) || ofOtherUser(call));
  const other = calls.find(ofOtherUser);
  if (other === undefined) return;
  const before = calls.filter((call) => (call.endedTick ?? Infinity) < other.sentTick).slice(-requests - 1);
  const after = calls.find((call) => call.sentTick > (other.endedTick ?? Infinity));
  const last = before.at(-1);
  const first = before[0];
  if (last === undefined || first === undefined || before.length <= requests || !isRefused(last)) return;
  if (!before.slice(0, -1).every((call) => answerOf(call) === 'ok')) return;
  if (last.receivedMs! - first.sentMs > NOT_REFILLED_MS) return;
  if (isRefused(other) && isFirst(scene, calls, other)) scene.ledger.observe('8/limit-scope', 'per-endpoint');
  // Refused again: no window has begun anew in between, and no worker raised the limit, from which the other one could have drawn.
  const still = after !== undefined && isRefused(after) && !ofOtherUser(after);
  if (answerOf(other) === 'ok' && still && after.receivedMs! - first.sentMs <= NOT_REFILLED_MS)
    scene.ledger.observe('8/limit-scope', 'per-user-and-endpoint');
}

const isRefused = (call: CallEvent): boolean => call.reply?.status === 429;

/** No call of this user before can have used up an allowance of his own, nor one that no history tells of. */
function isFirst({ session }: Scene, calls: readonly CallEvent[], other: CallEvent): boolean {
  const earlier = calls.some((call) => ofOtherUser(call) && call.sentTick < other.sentTick);
  const beganMs = session.calls[0]?.sentMs ?? 0;
  return !earlier && (session.fresh || other.sentMs - beganMs > 2 * windowMs);
}
