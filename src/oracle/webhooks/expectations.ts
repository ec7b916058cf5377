/** What to expect of a job's webhook, and until when a call would have been observed. */
import type { WebhookEvent } from '../../history/events.js';
import { idsFor, type RequirementId } from '../../spec/index.js';
import { SUBMISSIONS } from '../../spec/operations.js';
import { recordsIn, reportsAnotherJob } from '../jobs/misdirected.js';
import type { Contradiction } from '../proof/contradiction.js';
import { networkLatencyMs } from '../context/network-latency.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { onItsClock } from '../observed/tolerance.js';
import { WEBHOOK_AMPLE_MS, WEBHOOK_PATIENCE_MS } from '../observed/assumptions.js';

/** A call came at exactly this address. */
export const isCalled = ({ session }: JudgingContext, url: string): boolean =>
  session.webhooks.some((webhook) => webhook.url === url);

/** A call came that may be meant for this address or for another one that is written alike. */
export const mayBeCalledElsewhere = ({ observedJobs }: JudgingContext, url: string): boolean =>
  observedJobs.rewritten.some(({ given }) => given.length > 1 && given.includes(url));

/**
 * When its script ended, or the target was last known to live: that nothing came later says nothing; nor does it anywhere
 * but at an address of the run. Of recorded traffic, the end of the script says until when; -Infinity: calls may be missing.
 */
export function watchedUntilMs({ context: { session }, job }: Life): number {
  const { webhooksAt, capture } = session.run;
  if (capture !== undefined) return session.ends.get(job.script)?.webhooksUntilMs ?? -Infinity;
  if (webhooksAt !== undefined && job.webhookUrl?.startsWith(webhooksAt) === false) return -Infinity;
  return Math.min(session.ends.get(job.script)?.atMs ?? -Infinity, session.livedUntilMs);
}

/** Between the calls that the history has, no other came. */
export const areConsecutive = (life: Life): boolean =>
  life.context.session.run.capture === undefined || watchedUntilMs(life) > -Infinity;

/** Even a late call due then would have been observed. */
export const isWatched = (life: Life, dueMs: number): boolean =>
  watchedUntilMs(life) > dueMs + life.context.graceMax + networkLatencyMs(life.context);

/** There was ample time for the call that a completion by then is due, whatever else the sender had to do. */
export const isAmplyWatched = (life: Life, completedByMs: number): boolean =>
  watchedUntilMs(life) >
  dueBy(life.context, completedByMs) + onItsClock(life.context.session.run, WEBHOOK_AMPLE_MS);

/** The calls for the job, in order. */
export const attemptsFor = ({ job }: Life): readonly WebhookEvent[] =>
  job.webhooks.toSorted((left, right) => left.arrivedMs - right.arrivedMs);

/**
 * The answer left so late, or the delayed target may have read it so late, that the caller may treat the call
 * as failed whatever the answer was. A controlled clock waits for the answer.
 */
export function leftLate({ session: { run, lags } }: JudgingContext, call: WebhookEvent): boolean {
  if (run.clock !== 'real') return false;
  const sinceMs = call.sinceMs ?? call.arrivedMs;
  const patienceMs = onItsClock(run, WEBHOOK_PATIENCE_MS);
  return call.endedMs - sinceMs + lags.worstBetween(sinceMs, call.endedMs + patienceMs) >= patienceMs;
}

const ON_COMPLETION = idsFor('6/called-on-completion-*', SUBMISSIONS);

/** The requirement that a job's completion is reported. */
export const onCompletion = ({ job }: Life): RequirementId => ON_COMPLETION[job.sync ? 'runsync' : 'run'];

/**
 * Calls that may report an end: not those that name another job or say that this one still waits or runs,
 * unless all of them do. The document does not show the payload, so if all say it, it means nothing.
 */
export function reportingAnEnd(
  { callIndex }: JudgingContext,
  calls: readonly WebhookEvent[],
): readonly WebhookEvent[] {
  const reporting = calls.filter(
    (call) =>
      !recordsIn(call).some(({ status }) => UNFINISHED.includes(status)) &&
      !reportsAnotherJob(callIndex, call),
  );
  return reporting.length > 0 ? reporting : calls;
}

const UNFINISHED: readonly unknown[] = ['IN_QUEUE', 'IN_PROGRESS'];

/** Lateness allowed to a webhook call due then, including delays during the network latency. */
export function lateMs(context: JudgingContext, dueMs: number): number {
  return context.graceAt(dueMs, dueMs + context.session.run.graceMs + networkLatencyMs(context));
}

/** Fails the requirement for the job that names the webhook. */
export const failCalls = (
  life: Life,
  id: RequirementId,
  actual: string,
  contradiction: Contradiction | null = null,
): void => life.fail(id, actual, [life.job.submitted], { contradiction });

/** The latest permitted arrival of a webhook call due then. */
export function dueBy(context: JudgingContext, dueMs: number): number {
  return dueMs + lateMs(context, dueMs) + networkLatencyMs(context);
}
