/** How the target answers what sections 4.5 to 5 of the document leave open. */
import type { CallEvent } from '../../history/events.js';
import { defectsOf } from '../calls/defects.js';
import { jobBy } from '../jobs/observed-jobs.js';
import { isOnJob } from '../jobs/call-index.js';
import { hasEnded, precedes, type ObservedState } from '../jobs/status-observations.js';
import {
  answerOf,
  codeIn,
  idInPath,
  isObject,
  jsonOf,
  recordOf,
  isUninformative,
  statusIn,
} from '../observed/recorded-call.js';
import { observedIn, onCall, onJob, onSession, type ObserversOf } from './observers.js';
import type { Life } from '../context/life.js';
import { asRunsyncOrRun, atOnceMs, SOON_MS } from './kept.js';
import { requeuedOrder } from './start-order.js';

export const OBSERVED_4_5 = {
  '4.5/cancel-ended-answer': onCancel((call, before, seen) => {
    if (!hasEnded(before) || seen.job.retried) return null;
    if (answerOf(call) !== 'ok') return refusal(call);
    return statusIn(call) === 'CANCELLED' ? 'status-cancelled' : 'status-as-it-is';
  }),
  '4.5/cancel-ended-effect': onCancel((call, before, seen) => {
    const after = seen.readAfter(call);
    if (!hasEnded(before) || seen.job.retried || after === undefined) return null;
    if (after.observed === before) return 'none';
    if (after.observed === 'CANCELLED') return 'cancelled';
    const isSoon = after.call.sentMs < call.receivedMs! + SOON_MS;
    if (after.observed !== 'GONE' || !isSoon || answerOf(call) !== 'ok') return null;
    return seen.wasKept(after.call) ? 'removed' : null;
  }),
  '4.5/cancel-twice': onCancel((call, before, seen) => {
    const first = seen.done('cancel');
    if (first === undefined || !seen.isStopped || !precedes(first, call) || hasEnded(before)) return null;
    return answerOf(call) === 'ok' ? 'status-cancelled' : refusal(call);
  }),
  '4.5/worker-after-cancel': onSession((context) => {
    const { session, lives, callIndex } = context;
    const [one, other] = lives;
    if (session.workersAtFirst !== 1 || session.workers.length > 0 || callIndex.pendingSubmissions.length > 0)
      return null;
    if (one === undefined || other === undefined || lives.length > 2) return null;
    return [afterCancel(one, other), afterCancel(other, one)];
  }),
  ...observedIn('effects', '4.6/wrong-state-answer-in-queue', '4.6/wrong-state-answer-in-progress'),
  ...observedIn('effects', '4.6/wrong-state-answer-completed', '4.6/wrong-state-answer-cancelled'),
  '4.6/queue-position': onSession(requeuedOrder),
  '4.6/retention-after-retry': onJob('retried', (seen) =>
    seen.retries.length > 0 ? asRunsyncOrRun(seen) : null,
  ),
  '4.6/output-after-retry': onJob('retried', (seen) => {
    const retry = seen.done('retry');
    const read = seen.calls('status').find((call) => retry !== undefined && precedes(retry, call));
    const status = read === undefined ? null : statusIn(read);
    if (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS') return null;
    // A retry without effect removed nothing.
    if (seen.mayBe(({ retries }) => retries === 0)) return null;
    const { output, delayTime } = recordOf(read!) ?? {};
    // The record of a waiting job may be cut to its id and status.
    if (status === 'IN_QUEUE' && output === undefined && delayTime === undefined) return null;
    return output === undefined ? 'absent' : output === null ? 'null' : null;
  }),
  '4.7/purged-job-status': onJob('any', (seen) => {
    const purge = seen.common((at) => (at.state === 'purged' ? at.purgedBy : null)) ?? null;
    if (purge === null) return null;
    const lastStatus = seen
      .calls('status')
      .findLast((call) => call.request.illegal === null && call.reply !== null && !isUninformative(call));
    const isRefused =
      lastStatus !== undefined && precedes(purge, lastStatus) && answerOf(lastStatus) === 'refused';
    if (isRefused && lastStatus.reply!.status !== 404) return 'other';
    const last = seen.reads.at(-1);
    if (last?.call.op !== 'status') return null;
    if (last.observed === 'GONE') return seen.wasKept(last.call) ? 'not-found' : null;
    return last.observed === 'CANCELLED' || last.observed === 'FAILED' ? last.observed : null;
  }),
  '4.9/openai-answer': onCall(({ call, answer }) => {
    if (call.op !== 'openai' || isUninformative(call)) return null;
    return answer === 'ok' ? 'worker-decides' : 'not-offered';
  }),
  '4.9/requests-answer': onCall(({ call, answer }) => {
    if (call.op !== 'requests' || isUninformative(call)) return null;
    const body = jsonOf(call.reply!.body);
    const isList = Array.isArray(body) || (isObject(body) && Array.isArray(body['requests']));
    return answer !== 'ok' ? 'not-offered' : isList ? 'list-of-jobs' : 'other';
  }),
  /** Only if a script has tried both. */
  '5/key-forms': onSession(({ callIndex }) => {
    const { bare, bearer } = callIndex.keyAccepted;
    if (bare === null || bearer === null || (!bare && !bearer)) return null;
    return bare && bearer ? 'both' : bare ? 'bare-only' : 'bearer-only';
  }),
  /** The spelling of the prefix matters only if the prefix is accepted at all. */
  '5/bearer-case': onCall(({ context, call, code }) => {
    if (call.request.auth !== 'lower-bearer' || code === 429) return null;
    if (code !== 401) return 'accepted';
    return context.callIndex.keyAccepted.bearer === true ? 'refused' : null;
  }),
  '5/unauthorized-before-malformed': onCall(({ call }) => {
    const isDefective =
      (call.op === 'run' || call.op === 'runsync') && isKeyless(call) && defectsOf(call).length > 0;
    return isDefective ? codeIn(call, 401, 400) : null;
  }),
  '5/unauthorized-before-unknown-job': onCall(({ context, call }) => {
    const isUnknown = isOnJob(call.op) && isKeyless(call) && jobBy(context, idInPath(call)) === undefined;
    return isUnknown ? codeIn(call, 401, 404) : null;
  }),
  ...observedIn('calls', '5/unauthorized-before-unknown-endpoint', '5/unknown-endpoint-before-malformed'),
  ...observedIn('calls', '5/challenge-header'),
} as const satisfies ObserversOf<'4.5' | '4.6' | '4.7' | '4.9' | '5'>;

/** Examines each cancel of an existing job, with its state at the last preceding status observation. */
function onCancel<T extends string>(
  observe: (call: CallEvent, before: ObservedState | undefined, life: Life) => T | null,
) {
  return onJob('cancelled', (life) =>
    life.calls('cancel').map((call) => {
      if (call.reply === null || isUninformative(call)) return null;
      if (call.reply.status === 404 && !life.wasKept(call)) return null;
      return observe(call, life.readBefore(call)?.observed, life);
    }),
  );
}

function refusal(call: CallEvent) {
  const code = codeIn(call, 400, 404, 409);
  return code === null ? 'other-error' : (`refused-${code}` as const);
}

/** The only worker had its job cancelled while another job waited. Restarting it takes longer. */
function afterCancel(stopped: Life, waiting: Life): 'at-once' | 'later' | null {
  const cancel = stopped.done('cancel');
  const wasRunning = stopped.mustBe((at) => at.state === 'cancelled' && at.previousState === 'running');
  if (cancel === undefined || !wasRunning || !waiting.sawBefore(cancel, 'IN_QUEUE')) return null;
  const taken = waiting.first('IN_PROGRESS', 'COMPLETED');
  if (waiting.last('IN_QUEUE')!.sentMs > cancel.receivedMs! + atOnceMs(stopped)) return 'later';
  return taken !== undefined && taken.receivedMs! <= cancel.sentMs + atOnceMs(stopped) ? 'at-once' : null;
}

function isKeyless({ request: { auth } }: CallEvent): boolean {
  return auth === 'missing' || auth === 'wrong' || auth === 'wrong-bearer';
}
