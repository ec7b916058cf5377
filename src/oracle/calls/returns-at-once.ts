/** Calls that "return immediately": sections 4.2, 4.5 and 4.6. */
import type { CallEvent } from '../../history/events.js';
import type { MainOperation, RequirementId } from '../../spec/index.js';
import { authorized } from '../observed/reading.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';

export const AT_ONCE: { readonly [Op in MainOperation]?: RequirementId } = {
  run: '4.2/returns-at-once',
  cancel: '4.5/returns-at-once',
  retry: '4.6/returns-at-once',
};

/** A loaded network may hold an answer up; a call that waits for a job does so for longer. */
const RETURNS_WITHIN_MS = 3_000;
/** What a slow server is allowed on a real clock as well. */
const PATIENCE_MS = 5_000;

export function isAtOnce(scene: Scene, call: CallEvent): boolean {
  const { sentMs, receivedMs } = call;
  const graceMs = scene.graceAt(sentMs, receivedMs!);
  return receivedMs! - sentMs <= graceMs + Math.max(RETURNS_WITHIN_MS, onTheWayMs(scene, call));
}

/**
 * The call was given up, or lost. Under a controlled clock neither the quarter of an hour that it was moved on by, nor the time
 * that really passed, brought an answer.
 */
export function neverReturned(scene: Scene, call: CallEvent): void {
  const id = AT_ONCE[call.op as MainOperation];
  const { lost, patienceMs = 0, gaveUpMs, sentMs, held, request } = call;
  if (id === undefined || lost !== 'timeout' || patienceMs < PATIENCE_MS) return;
  if (!scene.session.exists || held !== undefined || request.illegal !== null || !authorized(call)) return;
  const movedMs = (gaveUpMs ?? sentMs) - sentMs;
  const actual = `no answer, though the clock was moved on by ${movedMs} ms and ${patienceMs} ms really passed`;
  scene.check(id, false, call, actual);
}
