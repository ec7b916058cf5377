/** Section 5: authentication. */
import type { AuthKind, CallEvent } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, type MainOperation, type RequirementId } from '../../spec/index.js';
import { RATE_WINDOW_MS } from '../../spec/rates.js';
import { MISSING_OPERATION_CODES } from '../../spec/operations.js';
import type { Operation } from '../../spec/types.js';
import { KEY_ACCEPTED, keyChecked, keyRequired } from '../jobs/evidence.js';
import { answerOf, jsonOf, usesKey } from '../observed/recorded-call.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Session } from '../observed/session.js';
import type { AnsweredCall } from '../context/answered-call.js';
import { revealsJob } from './revealed.js';

type ByOperation = { readonly [Op in MainOperation]: RequirementId };

const ACCEPTED = idsFor('5/key-accepted-*', MAIN_OPERATIONS);
const MISSING = idsFor('5/missing-key-*', MAIN_OPERATIONS);
const WRONG = idsFor('5/wrong-key-*', MAIN_OPERATIONS);
const MISSING_ELSEWHERE = idsFor('4/other-paths-require-key-*', ['openai', 'requests']);

/** The requirement that a key is refused, by what is wrong with it. */
const REFUSED: { readonly [kind in AuthKind]?: RequirementId | ByOperation } = {
  missing: MISSING,
  wrong: WRONG,
  'wrong-bearer': WRONG,
  empty: '5/empty-key',
  'empty-bearer': '5/empty-key',
  truncated: '5/key-compared-whole',
  'truncated-start': '5/key-compared-whole',
  followed: '5/key-compared-whole',
  extended: '5/key-compared-whole',
  'other-case': '5/key-compared-whole',
  unpermitted: '5/key-without-permission',
  'unpermitted-bearer': '5/key-without-permission',
  'in-query': '5/key-only-in-header',
  'other-scheme': '5/other-scheme',
};

/** The call has no key or an invalid one. */
export function mustBeRefused({ request }: CallEvent): boolean {
  return REFUSED[request.auth] !== undefined;
}

export function judgeKey(seen: AnsweredCall): void {
  const { context, call, code, lookup } = seen;
  const { op, request, reply } = call;
  // How a service answers another method, or a path of its own, is open.
  if (op === null) return;
  const refused = REFUSED[request.auth];
  if (refused === undefined) return validKey(seen, op);
  const { body, headers } = reply!;
  // What recorded it has seen calls with a key that were answered well.
  if (context.session.run.capture !== undefined) context.ledger.addEvidence('the key is accepted');
  if (op === 'openai' || op === 'requests') {
    if (request.auth === 'missing' && !mayBeRate(seen)) checkKey(seen, MISSING_ELSEWHERE[op], code === 401);
    return;
  }
  if (!context.session.exists && (code === 401 || code === 404))
    seen.observe('5/unauthorized-before-unknown-endpoint', `${code}`);
  if (code === 401) {
    const isSilent = !revealsJob(jsonOf(body), lookup);
    checkKey(seen, '5/unauthorized-reveals-nothing', isSilent);
    seen.observe('5/challenge-header', headers['www-authenticate'] === undefined ? 'absent' : 'present');
    context.ledger.addEvidence(keyRequired(op));
  } else if (code >= 400 && code < 500 && hasOtherReason(seen)) return;
  const id = typeof refused === 'string' ? refused : refused[op];
  if (!MISSING_OPERATION_CODES.includes(code)) checkKey(seen, id, code === 401);
  else context.ledger.mayBeMissing.push({ op, id, seen: context.failureOf(call) });
}

/** Called at the end of the run: an operation that does not exist asks for no key. */
export function settleKeys(ledger: Ledger): void {
  for (const { op, id, seen } of ledger.mayBeMissing)
    if (ledger.routes.get(op)?.isThere === true) ledger.fail(id, seen);
    else ledger.inconclusive(id, `/${op} may be missing: all its calls with a valid key were answered so`);
}

const checkKey = (seen: AnsweredCall, id: RequirementId, satisfied: boolean): void =>
  seen.checkGiven(id, satisfied, undefined, KEY_ACCEPTED);

/** If there are several reasons to refuse, which one is reported is an open question. */
function hasOtherReason(seen: AnsweredCall): boolean {
  const { context, call, lookup, life } = seen;
  if (!context.session.exists || call.request.illegal !== null) return true;
  if (mayBeRate(seen)) return true;
  if (lookup === null) return call.request.path.endsWith('/');
  return life?.wasThere(call) !== true;
}

/**
 * The rate may be checked before the key. On a network a gateway may have limits of its own, whatever the operation; under
 * test control there is none.
 */
const mayBeRate = (seen: AnsweredCall): boolean =>
  seen.code === 429 && (seen.context.session.run.clock === 'real' || followsClosely(seen));

/** Earlier calls may have used up the allowance. */
function followsClosely({ context, call: { op, sentTick, sentMs } }: AnsweredCall): boolean {
  return context.callIndex
    .of(op!)
    .some((one) => one.sentTick < sentTick && one.sentMs >= sentMs - 2 * RATE_WINDOW_MS);
}

/** The key is valid; which of its two forms the target accepts is open, but it must accept one. */
function validKey(seen: AnsweredCall, op: Operation): void {
  const { context, call, code } = seen;
  const { auth, path } = call.request;
  // How paths outside the document are answered is open.
  if (!usesKey(call) || !path.includes('/v2/')) return;
  const accepted = code !== 401;
  if (accepted) context.ledger.addEvidence('the key is accepted');
  // If calls are answered alike with any key, that does not show that this one is accepted.
  const needed = keyChecked(op);
  if (auth === 'bearer') seen.checkGiven('5/bearer-accepted', accepted, undefined, needed);
  // Only a success shows it: other checks may come before the key.
  if (!accepted && !isFormAccepted(context.session, auth)) return;
  seen.checkGiven('5/bare-or-bearer', accepted, undefined, needed);
  if (op !== 'openai' && op !== 'requests') seen.checkGiven(ACCEPTED[op], accepted, undefined, needed);
}

/** A call with the key in this form was performed. */
export function isFormAccepted({ calls }: Session, auth: AuthKind): boolean {
  return calls.some((call) => call.request.auth === auth && answerOf(call) === 'ok');
}
