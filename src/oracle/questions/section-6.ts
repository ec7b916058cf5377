/** How the target answers what sections 6 and 7 of the document leave open. */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import { jobBy } from '../jobs/observed-jobs.js';
import { isOnJob } from '../jobs/call-index.js';
import { ENDED } from '../model/zone.js';
import { codeIn, idInPath, isInvalidJobId, isUninformative } from '../observed/recorded-call.js';
import { networkLatencyMs } from '../context/network-latency.js';
import { attemptsFor, isWatched } from '../webhooks/expectations.js';
import { observedIn, onCall, onJob, type ObserversOf } from './observers.js';
import type { Life } from '../context/life.js';
import { failureCode } from './kept.js';

export const OBSERVED_6 = {
  ...observedIn('webhooks', '6/called-on-failed', '6/called-on-timed-out', '6/called-on-cancelled'),
  ...observedIn('webhooks', '6/success-status', '6/redirect'),
  ...observedIn('webhooks', '6/payload-shape', '6/method', '6/content-type', '6/signature'),
  '6/attempt-timeout': onJob('with webhook', (seen) =>
    unansweredOf(seen).map(({ waitedMs }) => {
      if (waitedMs <= 10_000 + ROUNDED_MS) return 'up-to-10-s';
      return waitedMs <= 30_000 + ROUNDED_MS ? 'up-to-30-s' : 'longer';
    }),
  ),
  '6/pause-origin': onJob('with webhook', (seen) =>
    unansweredOf(seen).map(({ call, waitedMs, next }) => {
      const lateMs = lateMax(seen);
      if (next === undefined || seen.context.session.run.edition === 'runpod' || waitedMs < lateMs)
        return null;
      const gapMs = next.arrivedMs - call.arrivedMs;
      if (gapMs >= WEBHOOK_RETRY_PAUSE_MS + waitedMs - ROUNDED_MS) return 'from-end';
      return gapMs <= Math.max(WEBHOOK_RETRY_PAUSE_MS, waitedMs) + lateMs ? 'from-start' : null;
    }),
  ),
  /** The job failed, was retried and completed. */
  '6/after-retry': onJob('with webhook', (seen) => {
    const attempts = attemptsOf(seen);
    if (attempts === null || seen.retries.length !== 1) return null;
    if (!seen.mustBe((at) => at.state === 'completed' && at.retries === 1)) return null;
    // An unanswered call may be repeated at any time, so it is unknown which end a later one reports.
    const ended = seen.when(ENDED);
    const before = attempts.filter(({ arrivedMs }) => arrivedMs < ended.fromMs);
    if (before.some(({ answered }) => answered !== 200)) return null;
    if (attempts.length > before.length) return 'yes';
    // Without a call for the first end, the second is not told twice: see judge-webhooks.ts.
    return before.length > 0 && isWatched(seen, ended.byMs + 10_000) ? 'no' : null;
  }),
  /** The ttl deleted the job while attempts were still due. */
  '6/job-gone-between-attempts': onJob('with webhook', (seen) => {
    const attempts = attemptsOf(seen);
    if (attempts === null || seen.retries.length > 0) return null;
    const isDeleted = seen.mustBe(
      (at) =>
        at.state === 'deleted' &&
        at.previousState === 'completed' &&
        at.deletedBy === 'ttl' &&
        at.policy.ttlMs !== null,
    );
    if (!isDeleted) return null;
    const gone = seen.ttlEnds;
    if (attempts.some(({ arrivedMs }) => arrivedMs > gone.byMs + seen.context.graceMax)) return 'go-on';
    const last = attempts.at(-1);
    if (last === undefined || attempts.length > 2 || (last.answered ?? 0) < 400) return null;
    const nextMs = last.endedMs + WEBHOOK_RETRY_PAUSE_MS;
    return nextMs > gone.fromMs && isWatched(seen, nextMs + 2_000) ? 'stop' : null;
  }),
  ...observedIn('calls', '7/error-body', '7/oversize-code', '7/unknown-job-code'),
  '7/malformed-job-id-code': onCall(({ context, call, answer }) => {
    const id = isOnJob(call.op) ? idInPath(call) : null;
    if (id === null || isUninformative(call) || answer === 'unknown') return null;
    if (!isInvalidJobId(id) || jobBy(context, id) !== undefined) return null;
    return codeIn(call, 404, 400) ?? 'other';
  }),
  '7/crash-code': onJob('of runsync', (seen) => failureCode(seen, 'crash', 'record', 500)),
} as const satisfies ObserversOf<'6' | '7'>;

/** Precision of reported durations. */
const ROUNDED_MS = 500;

const lateMax = ({ context }: Life): number => context.graceMax + networkLatencyMs(context);

/** The webhook calls for the job, in order; null if it could have none. */
const attemptsOf = (life: Life): readonly WebhookEvent[] | null =>
  life.job.webhookUrl !== null && life.context.has('webhook-reachable') ? attemptsFor(life) : null;

/** Unanswered attempts, until the service abandoned them. */
function unansweredOf(seen: Life) {
  const attempts = attemptsOf(seen) ?? [];
  // How long it waits for an answer is up to its sockets, and not to its clock.
  const { speed = 1 } = seen.context.session.run;
  if (attempts.length === 0 || seen.retries.length > 0 || speed !== 1) return [];
  return attempts.flatMap((call, at) => {
    const waitedMs = call.endedMs - call.arrivedMs;
    // If the harness closed it, the service may have waited longer.
    const isCut = call.silence === 'cut' && waitedMs <= 30_000 + ROUNDED_MS;
    const isGivenUp = call.answered === null && waitedMs >= 1_000 && !isCut;
    return isGivenUp ? [{ call, waitedMs, next: attempts[at + 1] }] : [];
  });
}
