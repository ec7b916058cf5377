/** Paths that are none of the eight operations: sections 4.9 and 9, and what the document leaves open of them. */
import type { CallEvent } from '../../history/events.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';

export function judgeOtherPaths(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  if (call.op === 'openai' || call.op === 'requests') {
    if (scene.session.exists)
      scene.checkWhere(servedAt(call.op), `4.9/${call.op}-exists`, code !== 404 && code !== 405, call);
    return;
  }
  const version = call.request.path.split('/').find((part) => part !== '');
  if (answerOf(call) === 'ok' && !scene.session.exists) return;
  if (version !== undefined && /^v[0-9]+$/.test(version) && version !== 'v2')
    scene.checkWhere(servedAt(call.op), '9/other-version-not-served', answerOf(call) !== 'ok', call);
  else if (version !== 'v2')
    scene.checkWhere(servedAt(call.op), '9/path-without-version-not-served', answerOf(call) !== 'ok', call);
}
