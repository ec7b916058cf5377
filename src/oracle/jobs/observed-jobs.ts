/** The jobs of a session, and what was observed of each. */
import type { CallEvent, Json, WebhookEvent } from '../../history/events.js';
import type { ObservedJob } from '../model/observed-job.js';
import { ANY_TIME } from '../model/job-model.js';
import { effectivePolicies, keptForAnyTime } from '../model/effective-policy.js';
import {
  predictionsFor,
  NO_INCREMENTAL_RESULTS,
  UNPREDICTABLE,
  WORKER_FAILED,
  type Prediction,
} from '../observed/worker-prediction.js';
import {
  policyFieldOf,
  recordOf,
  statusIn,
  submissionOf,
  type JsonObject,
} from '../observed/recorded-call.js';
import type { Session } from '../observed/session.js';
import { UnseenIn } from '../observed/unseen-calls.js';
import { misdirectedIn, reportsAnotherJob, type Misdirected } from './misdirected.js';
import { rewrittenIn, type Rewritten } from './rewritten.js';
import { operationsOn, type OnAllJobs } from './operations-on.js';
import { getOrMake } from '../../util/maps.js';
import { isRenaming, CallIndex, type IdLookup } from './call-index.js';
import { readsIn, type StatusObservation } from './status-observations.js';

export interface Job extends ObservedJob {
  /** Its position among the jobs of its endpoint. */
  readonly index: number;
  readonly script: number;
  readonly submission: JsonObject;
  readonly sync: boolean;
  readonly webhookUrl: string | null;
  /** Calls that named its id while the id was its own, in order of their ends; without the submission. */
  readonly calls: readonly CallEvent[];
  /** `/retry` was called on it, with whatever result. */
  readonly retried: boolean;
  /** `/stream` was called on it. */
  readonly streamed: boolean;
  /** Another submission got the same id, so nothing reported under this id is known to concern this job. */
  readonly isGivenTwice: boolean;
  /** Why the requirements that need its whole history are not judged; null if they are judged. */
  readonly notJudged: string | null;
  /** What its own `/runsync` call and the calls on it reported of its state, in order. */
  readonly reads: readonly StatusObservation[];
  /** Empty if other jobs share its address, since it is open which job a call there concerns (section 6). */
  readonly webhooks: readonly WebhookEvent[];
  /** What the worker does in the run that follows `runs` earlier ones, if its plan reaches it unchanged. */
  planned(runs: number): Prediction;
  /** The same; nothing if it is uncertain which plan reached it. */
  predicted(runs: number): Prediction;
}

export interface ObservedJobs {
  readonly jobs: readonly Job[];
  readonly callIndex: CallIndex;
  /** The webhook calls; of those at a rewritten address, each that may be only one has the address as given. */
  readonly webhooks: readonly WebhookEvent[];
  readonly rewritten: readonly Rewritten[];
  /** Webhook calls at the addresses of these jobs that report other jobs. */
  readonly misdirected: readonly Misdirected[];
}

/** The job with this id, if any. */
export function jobBy({ callIndex }: Pick<ObservedJobs, 'callIndex'>, id: string | null): Job | undefined {
  return id === null ? undefined : (callIndex.byId.get(id)?.job ?? undefined);
}

export function observeJobs(session: Session): ObservedJobs {
  const callIndex = new CallIndex(session);
  // Counts are judged only on such endpoints (`judgeCounts`); elsewhere the state of each job during a count
  // is not needed.
  const isCounted = session.exists && session.fresh && session.run.capabilities.includes('dedicated');
  const counts = isCounted ? callIndex.of('health') : [];
  const webhooks = new Map<string, WebhookEvent[]>();
  const rewritten = rewrittenIn(callIndex, session.webhooks);
  const givenFor = new Map(rewritten.map(({ webhook, given }) => [webhook, given]));
  const allWebhooks = session.webhooks.map((webhook) => {
    const given = givenFor.get(webhook);
    return given?.length === 1 ? { ...webhook, url: given[0]! } : webhook;
  });
  const misdirected = misdirectedIn(callIndex, allWebhooks);
  for (const webhook of allWebhooks)
    if (!isShared(callIndex, webhook.url) && !misdirected.some((one) => one.webhook === webhook))
      getOrMake(webhooks, webhook.url, () => []).push(webhook);
  const onAll: OnAllJobs = { purges: callIndex.performedPurges, counts };
  const jobs = callIndex.submissions.map(
    (lookup, index) => (lookup.job = jobOf(session, callIndex, onAll, webhooks, index, lookup)),
  );
  return { jobs, callIndex, webhooks: allWebhooks, rewritten, misdirected };
}

/** With more jobs than this on one endpoint, a job is not checked again after a violation. */
const JOBS_CHECKED_AGAIN_MAX = 1_000;

export function isLarge({ submissions: submitted }: CallIndex): boolean {
  return submitted.length > JOBS_CHECKED_AGAIN_MAX;
}

/** Several submissions name this webhook address, and which of them a call there concerns is open. */
export const isShared = ({ callsByWebhook, areWebhooksOfScripts }: CallIndex, url: string): boolean =>
  !areWebhooksOfScripts && (callsByWebhook.get(url)?.length ?? 0) > 1;

function jobOf(
  session: Session,
  callIndex: CallIndex,
  onAll: OnAllJobs,
  webhooks: ReadonlyMap<string, readonly WebhookEvent[]>,
  index: number,
  { id, submitted: first, calls: all, isGivenTwice }: IdLookup,
): Job {
  const submitted = first!;
  const evidence = beforeCleanup(session, submitted.script, id, all);
  const renamed = evidence.some(isRetry) ? evidence.findIndex((call) => isRenaming(call, id)) : -1;
  const calls = isGivenTwice ? [] : renamed < 0 ? evidence : evidence.slice(0, renamed);
  const submission = submissionOf(submitted) ?? {};
  const sync = submitted.op === 'runsync';
  const { webhookUrl, called } = calledAt(submission['webhook'], submitted.script, callIndex, webhooks);
  const reporting = called.filter((webhook) => !reportsAnotherJob(callIndex, webhook));
  // Which of two members with the same name counts is open, and so is what the worker receives.
  const isAny = (test: (call: CallEvent) => boolean): boolean => test(submitted) || calls.some(test);
  const reported = submitted.request.illegal !== 'duplicate-keys' && !isAny(isFailedByWorker);
  const planned = predictionsFor(session, submission);
  const predicted = reported ? planned : () => UNPREDICTABLE;
  const waitGiven = submitted.request.query['wait'] !== undefined;
  const shown = statusIn(submitted);
  const outlivedWait = sync && (shown === null || shown === 'IN_QUEUE' || shown === 'IN_PROGRESS');
  const { edition, executionTimeoutDefaultMs = null } = session.run;
  const how = { sync, waitGiven, outlivedWait };
  const policies = effectivePolicies(submission, how, edition, executionTimeoutDefaultMs);
  const unseenIn = new UnseenIn(session.run, session.scripts);
  const others = isAny((call) => unseenIn.has(call));
  return {
    id,
    index,
    script: submitted.script,
    submitted,
    submittedFromMs: submitted.sentMs,
    submittedByMs: submitted.arrivedByMs ?? submitted.receivedMs ?? submitted.sentMs,
    submission,
    sync,
    webhookUrl,
    calls,
    retried: calls.some(isRetry),
    streamed: calls.some(isStream),
    isGivenTwice,
    notJudged: whyNotJudged(isGivenTwice, renamed >= 0, calls),
    reads: readsIn(id, sync ? [submitted, ...calls] : calls),
    webhooks: called,
    planned,
    predicted,
    policies: others ? policies.map(keptForAnyTime) : policies,
    model: {
      predicted,
      sync,
      ttlGiven: policyFieldOf(submission, 'ttl') !== undefined,
      executionGiven: policyFieldOf(submission, 'executionTimeout') !== undefined,
      requestedMs: requestedIn(submission),
      waitGiven,
      startWindow: ANY_TIME,
      lowPriority: policyFieldOf(submission, 'lowPriority') === true,
      others,
      mayCrash: session.run.capture !== undefined && session.run.capture.crashes !== false,
    },
    operations: operationsOn(submitted, calls, reporting, onAll),
  };
}

/** The webhook calls at the job's address, which may be the address of others, too. */
function calledAt(
  url: Json | undefined,
  script: number,
  { areWebhooksOfScripts }: CallIndex,
  webhooks: ReadonlyMap<string, readonly WebhookEvent[]>,
): Pick<Job, 'webhookUrl'> & { readonly called: readonly WebhookEvent[] } {
  if (typeof url !== 'string') return { webhookUrl: null, called: [] };
  const atAddress = webhooks.get(url) ?? [];
  return {
    webhookUrl: url,
    called: areWebhooksOfScripts ? atAddress.filter((webhook) => webhook.script === script) : atAddress,
  };
}

function whyNotJudged(isGivenTwice: boolean, isRenamed: boolean, calls: readonly CallEvent[]): string | null {
  if (isGivenTwice) return 'another job was given the same id';
  if (isRenamed) return 'a /retry was answered with another id: what happens to the old id is open';
  return calls.some(isOfOtherMethod)
    ? 'a call with another method reached it: what that does is not specified'
    : null;
}

function requestedIn(submission: JsonObject): Job['model']['requestedMs'] {
  const numberAt = (field: 'ttl' | 'executionTimeout'): number => {
    const value = policyFieldOf(submission, field);
    return typeof value === 'number' ? value : NaN;
  };
  return { ttl: numberAt('ttl'), executionTimeout: numberAt('executionTimeout') };
}

/**
 * Without what other scripts saw of a job whose script is over: the harness has cancelled it since, by calls that no
 * history has. They meet it by chance alone, such as by an id of no job made from that of another.
 */
function beforeCleanup(
  { ends }: Session,
  script: number,
  id: string,
  calls: readonly CallEvent[],
): readonly CallEvent[] {
  const end = ends.get(script);
  if (end?.leaves?.includes(id) !== true) return calls;
  return calls.filter(
    (call) => call.script === script || (call.receivedMs !== null && call.receivedMs < end.atMs),
  );
}

const isRetry = ({ op }: CallEvent): boolean => op === 'retry';
const isStream = ({ op }: CallEvent): boolean => op === 'stream';
const isOfOtherMethod = ({ op }: CallEvent): boolean => op === null;

/** The worker, or its host, failed the job whatever its plan says (`worker/handler.py`). */
function isFailedByWorker(call: CallEvent): boolean {
  if (statusIn(call) !== 'FAILED') return false;
  const said = JSON.stringify(recordOf(call));
  return said.includes(NO_INCREMENTAL_RESULTS) || said.includes(WORKER_FAILED);
}
