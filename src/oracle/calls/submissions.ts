/** Sections 2.1 to 2.3, 4.1, 4.2 and 7: submissions with a flaw are refused, those without are accepted. */
import type { CallEvent } from '../../history/events.js';
import { servedAt } from '../cast/shown.js';
import { answerOf, brief, jsonOf, type JsonObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { TOO_LARGE, type Flaw } from './flaws.js';
import { featuresOf } from './refusals.js';
import { mayHaveFailed } from './served.js';
import { answersTaken } from './taken.js';

export { flawsOf } from './flaws.js';

export function judgeSubmission(scene: Scene, call: CallEvent, flaws: readonly Flaw[]): void {
  if (flaws.length === 0 && call.request.illegal === null) withoutFlaw(scene, call);
  else if (flaws.length === 1) withOneFlaw(scene, call, flaws[0]!);
  // Which one of several is told is nobody's promise; each alone is answered as its row says.
  else if (answerOf(call) === 'ok')
    for (const { refuse } of flaws) if (refuse !== undefined) scene.check(refuse, false, call);
}

function withOneFlaw(scene: Scene, call: CallEvent, { refuse, about }: Flaw): void {
  const code = call.reply!.status;
  if (about !== undefined) answersTaken(scene, call, about);
  if (refuse === TOO_LARGE.run || refuse === TOO_LARGE.runsync) {
    scene.checkWhere(servedAt(call.op), refuse, code >= 400 && code < 500, call);
    scene.ledger.observe('7/oversize-code', code === 400 ? '400' : code === 413 ? '413' : 'other-4xx');
  } else if (refuse !== undefined)
    scene.checkWhere(servedAt(call.op), refuse, code === 400, call, answerWith);
}

function answerWith(call: CallEvent): string {
  const { body } = call.request;
  const sent =
    body.as === 'json' ? brief(body.value) : body.as === 'text' ? body.text.slice(0, 80) : 'no body';
  return `${call.op} #${call.call} with ${sent} was answered ${call.reply!.status}`;
}

/** Refusing it breaks whatever it was that made it special. */
function withoutFlaw(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const body = jsonOf(call.request.body) as JsonObject;
  const { webhook } = body;
  if (answerOf(call) === 'ok') {
    scene.passWhere(servedAt(call.op), ...featuresOf(call, body));
    return;
  }
  // A waiting call may be answered with any code once its wait has elapsed or its job has failed.
  if (code >= 500 || (call.op === 'runsync' && code !== 400 && code !== 413)) return;
  if (call.op === 'runsync' && mayHaveFailed(scene, call)) return;
  if (typeof webhook === 'string' && isPrivate(webhook)) {
    scene.ledger.observe('2.1/private-webhook-address', 'refused');
    return;
  }
  const seen = scene.seen({ script: call.script, actual: answerWith(call), calls: [call.call] });
  scene.ledger.refuse(featuresOf(call, body), seen);
}

/** An address within a private network. */
export function isPrivate(url: string): boolean {
  return /^https?:\/\/(127\.|localhost|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.)/.test(url);
}
