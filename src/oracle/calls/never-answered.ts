/**
 * Calls that "return immediately" (sections 4.2, 4.5 and 4.6), and that were given up under a controlled clock: neither the
 * quarter of an hour that it was moved on by, nor the time that really passed, brought an answer.
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { authorized } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';

const AT_ONCE: { readonly [op: string]: RequirementId } = {
  run: '4.2/returns-at-once',
  cancel: '4.5/returns-at-once',
  retry: '4.6/returns-at-once',
};
/** What a slow server is allowed on a real clock as well. */
const PATIENCE_MS = 5_000;

export function neverAnswered(scene: Scene, call: CallEvent): void {
  const id = AT_ONCE[call.op ?? ''];
  if (id === undefined || call.lost !== 'timeout' || (call.patienceMs ?? 0) < PATIENCE_MS) return;
  if (!scene.session.exists || call.held !== undefined || call.request.illegal !== null || !authorized(call))
    return;
  const waitedMs = (call.gaveUpMs ?? call.sentMs) - call.sentMs;
  scene.checkWhere(
    servedAt(call.op),
    id,
    false,
    call,
    `no answer, though the clock was moved on by ${waitedMs} ms and ${call.patienceMs} ms really passed`,
  );
}
