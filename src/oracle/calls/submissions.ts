/**
 * Sections 2.1 to 2.3, 4.1, 4.2 and 7: invalid submissions are refused, valid ones accepted. Why a valid one
 * was refused shows only in comparison with the others of the run: the cause is the feature that was refused
 * most often. So these refusals are attributed at the end.
 */
import type { CallEvent, RunEvent } from '../../history/events.js';
import { idsFor, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUN_PAYLOAD_MAX,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Refusal } from '../ledger/unsettled.js';
import { excerpt, isObject, isText, jsonOf, statusIn, type JsonObject } from '../observed/recorded-call.js';
import type { AnsweredCall } from '../context/answered-call.js';
import { ACCEPTANCE_READINGS, TOO_LARGE, type Defect, type AcceptanceReadings } from './defects.js';
import { isBehindNetwork } from '../observed/session.js';
import { mayHaveFailed, OPERATION } from './implemented.js';
import { isWaitOver, mayBeGone } from './wait.js';
import { shortened } from '../../history/long-text.js';
import { isPrivateUrl } from '../../util/address.js';

export function judgeSubmission(seen: AnsweredCall, defects: readonly Defect[]): void {
  if (defects.length === 0 && seen.call.request.illegal === null) withoutDefect(seen);
  else if (defects.length === 1) withOneDefect(seen, defects[0]!);
  // Which of several errors is reported is open, but each requires a refusal.
  else if (seen.isOk) for (const { refuse } of defects) if (refuse !== undefined) seen.check(refuse, false);
}

const REFUSED = { 400: 'refused', 422: 'refused' };

function withOneDefect(seen: AnsweredCall, { refuse, about, enforces }: Defect): void {
  const { context, call, code } = seen;
  if (about !== undefined) {
    const { accepted, refused = REFUSED }: AcceptanceReadings<string> = ACCEPTANCE_READINGS[about] ?? {};
    // An answer that reports a job shows that the submission was accepted, whatever the code.
    const reading = seen.isOk ? accepted : statusIn(call) === null ? refused[code] : undefined;
    if (reading !== undefined) context.ledger.observe(about, reading as never, call);
  }
  if (enforces !== undefined && code === 400) seen.passGiven(enforces);
  if (refuse === TOO_LARGE.run || refuse === TOO_LARGE.runsync) {
    const isRefused = code >= 400 && code < 500;
    seen.checkGiven(refuse, isRefused);
    // A body that was accepted shows no code of refusals.
    if (isRefused) seen.observeCode('7/oversize-code', 'other-4xx');
  } else if (refuse !== undefined) seen.checkGiven(refuse, code === 400, answerWith);
}

function answerWith(call: CallEvent): string {
  const { body } = call.request;
  const sent =
    body.as === 'json' ? excerpt(body.value) : body.as === 'text' ? body.text.slice(0, 80) : 'no body';
  return `${call.op} #${call.call} with ${sent} was answered with ${call.reply!.status}`;
}

/** Refusing it violates a requirement about one of its features. */
function withoutDefect(seen: AnsweredCall): void {
  const { context, call, code } = seen;
  const body = jsonOf(call.request.body) as JsonObject;
  const { webhook } = body;
  const input = context.has('scripted-worker') ? null : shortened(JSON.stringify(body['input']));
  if (seen.isOk) {
    seen.passGiven(...featuresOf(call, body));
    if (input !== null) context.ledger.acceptedInputs.add(input);
    return;
  }
  // A waiting call may be answered with any code once its wait has elapsed or its job has failed.
  if (code >= 500) {
    if (isAcceptanceDue(seen)) context.serverError(featuresOf(call, body), call);
    return;
  }
  if (call.op === 'runsync' && code !== 400 && code !== 413) return;
  if (call.op === 'runsync' && mayHaveFailed(context, call)) return;
  if (isText(webhook) && isPrivateUrl(webhook)) {
    context.ledger.observe('2.1/private-webhook-address', 'refused');
    return;
  }
  const failure = context.failureOf(call, answerWith(call));
  context.ledger.refuse(featuresOf(call, body), code in REFUSED ? input : null, failure);
}

/**
 * What `input` holds is defined by the worker (2.1), and only its owner knows what an opaque one accepts. So a refusal
 * accuses the service only where the same input was accepted elsewhere: a sample that the user gave may be wrong.
 */
const INPUT_REFUSED =
  'refused with an input that no other submission shows to be accepted: a worker that checks its input may do so';

function dueRefusals(ledger: Ledger, { sampleInput }: RunEvent): readonly Refusal[] {
  const refusals = [...ledger.refusals.values()];
  const isDue = ({ input }: Refusal): boolean => input === null || ledger.acceptedInputs.has(input);
  const doubtful = refusals.filter((refusal) => !isDue(refusal));
  for (const id of new Set(doubtful.flatMap(({ features }) => features)))
    ledger.inconclusive(id, INPUT_REFUSED);
  if (doubtful.length > 0)
    ledger.warn(
      sampleInput === undefined
        ? 'submissions were refused, perhaps for their input, which only your worker defines: ' +
            'give one that it accepts by --sample-input FILE'
        : 'submissions were refused that have the sample input, and none with it was accepted: ' +
            'does your worker accept it, and is it given without `{"input": …}` around it?',
    );
  return refusals.filter(isDue);
}

/**
 * Only an acceptance answers it. Without a network between, `/run` is judged by each single server error
 * (`implemented.ts`).
 */
function isAcceptanceDue({ context, call }: AnsweredCall): boolean {
  if (call.op === 'run') return isBehindNetwork(context.session);
  return (
    context.has('scripted-worker') &&
    !mayHaveFailed(context, call) &&
    !isWaitOver(context, call) &&
    !mayBeGone(context, call)
  );
}

/** The address without its last segment: a receiver's addresses have it in common. */
export const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/'));

const AT_LIMIT = {
  run: '4.2/payload-up-to-limit-accepted',
  runsync: '4.1/payload-up-to-limit-accepted',
} as const;
const EMPTY_INPUT = idsFor('2.1/input-empty-accepted-*', SUBMISSIONS);
const INPUT = idsFor('2.1/input-object-accepted-*', SUBMISSIONS);
const POLICY = idsFor('2.1/policy-accepted-*', SUBMISSIONS);
const S3_CONFIG = idsFor('2.1/s3config-accepted-*', SUBMISSIONS);
const WEBHOOK = idsFor('2.1/webhook-accepted-*', SUBMISSIONS);

/** If all its other features are accepted elsewhere, the value itself was refused. */
const OF_VALUE: ReadonlySet<RequirementId> = new Set<RequirementId>([
  ...[AT_LIMIT, WEBHOOK, POLICY].flatMap((ids) => Object.values(ids)),
  '2.3/any-provider-accepted',
  '2.1/input-content-not-validated',
]);
/** Features of the input, independent of the other fields. */
const OF_INPUT: ReadonlySet<RequirementId> = new Set<RequirementId>([
  ...[AT_LIMIT, EMPTY_INPUT].flatMap((ids) => Object.values(ids)),
  '2.1/input-content-not-validated',
]);

const NONE: JsonObject = {};

/** The features of a valid submission, as requirements satisfied by accepting it; most specific first. */
function featuresOf(call: CallEvent, submission: JsonObject): readonly RequirementId[] {
  const op = call.op as (typeof SUBMISSIONS)[number];
  const { body, query } = call.request;
  const { input, webhook, s3Config } = submission;
  const policy = isObject(submission['policy']) ? submission['policy'] : null;
  const { ttl, executionTimeout, lowPriority } = policy ?? NONE;
  const fields = Object.keys(policy ?? NONE);
  const only = fields.length === 1 ? fields[0] : undefined;
  const wait = op === 'runsync' ? Number(query['wait'] ?? 0) : null;
  const { decimalBytes } = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  const isEmpty = isObject(input) && Object.keys(input).length === 0;
  const features: RequirementId[] = [];
  const add = (isSo: boolean, id: RequirementId): void => {
    if (isSo) features.push(id);
  };
  add(body.as !== 'none' && body.bytes >= 0.99 * decimalBytes, AT_LIMIT[op]);
  add(isEmpty, EMPTY_INPUT[op]);
  add(wait === 0, '4.1/wait-optional');
  add(wait === WAIT_MIN_MS, '4.1/wait-min-accepted');
  add(wait === WAIT_MAX_MS, '4.1/wait-max-accepted');
  add(ttl === TTL_MIN_MS, '2.2/ttl-min-accepted');
  add(ttl === TTL_MAX_MS, '2.2/ttl-max-accepted');
  add(executionTimeout === EXECUTION_TIMEOUT_MIN_MS, '2.2/execution-timeout-min-accepted');
  add(executionTimeout === EXECUTION_TIMEOUT_MAX_MS, '2.2/execution-timeout-max-accepted');
  add(lowPriority === true, '2.2/low-priority-accepted-true');
  add(lowPriority === false, '2.2/low-priority-accepted-false');
  add(only === 'ttl', '2.2/ttl-accepted');
  add(only === 'executionTimeout', '2.2/execution-timeout-accepted');
  add(isObject(s3Config), S3_CONFIG[op]);
  add(isObject(s3Config), '2.3/any-provider-accepted');
  add(webhook !== undefined, WEBHOOK[op]);
  add(true, policy === null ? '2.1/policy-optional' : POLICY[op]);
  // `{}` has no content that could be rejected.
  add(!isEmpty, INPUT[op]);
  add(!isEmpty, '2.1/input-content-not-validated');
  add(true, OPERATION[op]);
  add(webhook === undefined, '2.1/webhook-optional');
  add(s3Config === undefined, '2.1/s3config-optional');
  return features;
}

export function attributeRefusals(ledger: Ledger, run: RunEvent): void {
  const refused = new Map<RequirementId, number>();
  const due = dueRefusals(ledger, run);
  for (const { features, times } of due)
    for (const id of features) refused.set(id, (refused.get(id) ?? 0) + times);
  const accepted = (id: RequirementId): number => ledger.entries.get(id)?.decided ?? 0;
  const attributed = due.map((refusal) => {
    const shares = refusal.features.map((id) => {
      const no = refused.get(id) ?? 0;
      return { id, no, share: no / (no + accepted(id)) };
    });
    const most = Math.max(...shares.map(({ share }) => share));
    const likely = shares.filter(({ share }) => share === most);
    // Of the features refused every time, the one that explains most refusals: a whole operation before
    // features of some of its calls, and before it a feature of the input that all its calls share.
    const operation = likely.find(
      ({ id, share }) => share === 1 && (id === OPERATION.run || id === OPERATION.runsync),
    );
    const inAll = likely.find(({ id, no }) => OF_INPUT.has(id) && no === operation?.no);
    const widest = likely.reduce((one, other) => (other.no > one.no ? other : one));
    // One feature explains these refusals and those of another operation.
    const isOne =
      widest.no > (operation?.no ?? 0) && likely.every((one) => one === widest || one.no < widest.no);
    const value = most > 0.5 ? undefined : refusal.features.find((id) => OF_VALUE.has(id));
    return { refusal, id: value ?? (inAll ?? (isOne ? widest : (operation ?? widest))).id };
  });
  for (const { refusal, id } of attributed) ledger.failTimes(id, refusal);
}
