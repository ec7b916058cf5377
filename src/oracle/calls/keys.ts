/** Section 5: who may call. */
import type { AuthKind, CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { RATE_WINDOW_MS } from '../../spec/rates.js';
import { jobBy } from '../cast/cases.js';
import { answerOf, idInPath, isObject, jsonOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { KEY_TAKEN, keyTellsAt, wantsKey, type MainOperation } from '../cast/shown.js';
import { mayBeGone, mayBeTakenAway } from '../scene/may-be-gone.js';

/** What an unacceptable key must be answered with, by how it was unacceptable. */
const REFUSED: { readonly [kind in AuthKind]?: (op: MainOperation) => RequirementId } = {
  missing: (op) => `5/missing-key-${op}`,
  wrong: (op) => `5/wrong-key-${op}`,
  'wrong-bearer': (op) => `5/wrong-key-${op}`,
  empty: () => '5/empty-key',
  'empty-bearer': () => '5/empty-key',
  truncated: () => '5/key-compared-whole',
  beheaded: () => '5/key-compared-whole',
  followed: () => '5/key-compared-whole',
  extended: () => '5/key-compared-whole',
  'other-case': () => '5/key-compared-whole',
  unpermitted: () => '5/key-without-permission',
  'unpermitted-bearer': () => '5/key-without-permission',
  'in-query': () => '5/key-only-in-header',
  'other-scheme': () => '5/other-scheme',
};

/** It shows no key, or one that opens nothing. */
export function mustBeRefused({ request }: CallEvent): boolean {
  return REFUSED[request.auth] !== undefined;
}

/** Made once: it is asked of every call. */
const ACCEPTED = {
  run: '5/key-accepted-run',
  runsync: '5/key-accepted-runsync',
  status: '5/key-accepted-status',
  stream: '5/key-accepted-stream',
  cancel: '5/key-accepted-cancel',
  retry: '5/key-accepted-retry',
  'purge-queue': '5/key-accepted-purge-queue',
  health: '5/key-accepted-health',
} as const satisfies { readonly [Op in MainOperation]: RequirementId };

export function judgeKey(scene: Scene, call: CallEvent): void {
  const refused = REFUSED[call.request.auth];
  const code = call.reply!.status;
  if (refused === undefined) {
    validKey(scene, call);
    return;
  }
  if (call.op === null) return;
  if (call.op === 'openai' || call.op === 'requests') {
    if (call.request.auth === 'missing')
      scene.checkWhere(KEY_TAKEN, `4/other-paths-require-key-${call.op}`, code === 401, call);
    return;
  }
  revealsNothing(scene, call);
  if (!scene.session.exists && (code === 401 || code === 404))
    scene.ledger.observe('5/unauthorized-before-unknown-endpoint', `${code}`);
  if (code === 401) {
    scene.ledger.observe('5/challenge-header', challenge(call));
    scene.ledger.show(wantsKey(call.op));
  }
  // Which comes first where there is more than one reason to refuse is an open question.
  if (code !== 401 && otherReason(scene, call) && code >= 400 && code < 500) return;
  scene.checkWhere(KEY_TAKEN, refused(call.op), code === 401, call);
}

function challenge(call: CallEvent): 'absent' | 'present' {
  return call.reply!.headers['www-authenticate'] === undefined ? 'absent' : 'present';
}

function otherReason(scene: Scene, call: CallEvent): boolean {
  if (!scene.session.exists || call.request.illegal !== null) return true;
  if (call.reply!.status === 429 && followsClosely(scene, call)) return true;
  if (call.op === 'status' || call.op === 'stream' || call.op === 'cancel' || call.op === 'retry') {
    const job = jobBy(scene.cast, idInPath(call));
    return job === undefined || mayBeGone(job, call) || mayBeTakenAway(scene, call);
  }
  return false;
}

/** Calls before it may have used up what the operation is allowed, whoever made them: that may be told before the key is looked at. */
function followsClosely({ cast }: Scene, call: CallEvent): boolean {
  const { op } = call;
  return (
    op !== null &&
    cast.roll
      .of(op)
      .some((one) => one.sentTick < call.sentTick && one.sentMs >= call.sentMs - 2 * RATE_WINDOW_MS)
  );
}

function revealsNothing(scene: Scene, call: CallEvent): void {
  if (call.reply!.status !== 401) return;
  const body = jsonOf(call.reply!.body);
  const tells = isObject(body) && (body['output'] ?? null) !== null;
  scene.checkWhere(KEY_TAKEN, '5/unauthorized-reveals-nothing', !tells, call);
}

function isTaken({ session }: Scene, auth: AuthKind): boolean {
  return session.calls.some((call) => call.request.auth === auth && answerOf(call) === 'ok');
}

/** The key is valid; which of its two forms the target takes is open, but one of them it must. */
function validKey(scene: Scene, call: CallEvent): void {
  const { auth } = call.request;
  // What the service says to another method, or to a path of its own, is open.
  if ((auth !== 'bare' && auth !== 'bearer') || call.op === null) return;
  // What paths that are none of the document's answer is open.
  if (!call.request.path.includes('/v2/')) return;
  const taken = call.reply!.status !== 401;
  if (taken) scene.ledger.show('the key is taken');
  // What is answered alike with any key does not show that this one is taken.
  const { op } = call;
  const wanted = keyTellsAt(op);
  if (auth === 'bearer') scene.checkWhere(wanted, '5/bearer-accepted', taken, call);
  // Only a success shows it: other things may be told before the key is looked at.
  if (!taken && !isTaken(scene, auth)) return;
  scene.checkWhere(wanted, '5/bare-or-bearer', taken, call);
  if (op !== 'openai' && op !== 'requests') scene.checkWhere(wanted, ACCEPTED[op], taken, call);
}
