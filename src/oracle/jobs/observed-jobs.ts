/** Which jobs a session has, and what was observed of each. */
import type { CallEvent, WebhookEvent } from '../../history/events.js';
import type { ObservedJob } from '../model/observed-job.js';
import { ANY_TIME } from '../model/job-model.js';
import type { JobOperation } from '../model/operations.js';
import { effectivePolicies } from '../model/effective-policy.js';
import {
  predictionsFor,
  NO_INCREMENTAL_RESULTS,
  UNPREDICTABLE,
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
import { misdirectedIn, tellsOfAnother, type Misdirected } from './misdirected.js';
import { operationsOn, type OnAllJobs } from './operations-on.js';
import { getOrMake, isRenaming, CallIndex, type IdLookup } from './call-index.js';
import type { Sighting } from './sightings.js';

export interface Job extends ObservedJob {
  /** Its place among the jobs of its endpoint. */
  readonly index: number;
  readonly script: number;
  readonly submission: JsonObject;
  readonly sync: boolean;
  readonly webhookUrl: string | null;
  /** Calls that named its id, in order of their ends, while that was its own; the submission is not among them. */
  readonly calls: readonly CallEvent[];
  /** `/retry` was called on it, whatever came of it. */
  readonly retried: boolean;
  /** `/stream` was called on it. */
  readonly streamed: boolean;
  /** Another submission was answered with its id, too: nothing that was told by this id is known to be of this job. */
  readonly isGivenTwice: boolean;
  /** Why nothing is judged that rests on its whole life; null: it is judged. */
  readonly notJudged: string | null;
  /** What the calls on it showed of it, once that was asked (`sightingsOf`). */
  sightings: readonly Sighting[] | null;
  /** None where other jobs share its address: whom a call there concerns is not shown (section 6). */
  readonly webhooks: readonly WebhookEvent[];
  /** What the worker does in the run after `runs` earlier ones. */
  predicted(runs: number): Prediction;
}

export interface ObservedJobs {
  readonly jobs: readonly Job[];
  /** All calls of the session, sorted. */
  readonly callIndex: CallIndex;
  /** Webhook calls at the addresses of these jobs that tell of others. */
  readonly misdirected: readonly Misdirected[];
}

/** The job that has the id, if any. */
export function jobBy({ callIndex }: ObservedJobs, id: string | null): Job | undefined {
  return id === null ? undefined : (callIndex.byId.get(id)?.job ?? undefined);
}

export function observeJobs(session: Session): ObservedJobs {
  const callIndex = new CallIndex(session);
  // Elsewhere nothing that was counted is judged (`judgeCounts`), and where each job was then need not be known.
  const isCounted = session.exists && session.fresh && session.run.capabilities.includes('dedicated');
  const counts = isCounted ? callIndex.of('health') : [];
  const webhooks = new Map<string, WebhookEvent[]>();
  const misdirected = misdirectedIn(callIndex, session.webhooks);
  for (const webhook of session.webhooks)
    if (!isShared(callIndex, webhook.url) && !misdirected.some((one) => one.webhook === webhook))
      getOrMake(webhooks, webhook.url, () => []).push(webhook);
  const onAll: OnAllJobs = { purges: callIndex.purgesTaken, counts };
  const jobs = callIndex.submissions.map(
    (asked, index) => (asked.job = jobOf(session, callIndex, onAll, webhooks, index, asked)),
  );
  return { jobs, callIndex, misdirected };
}

/**
 * Of so many jobs on one endpoint that hardly anything is asked of any of them twice, what can be found out again is not
 * kept: to keep it would cost more than to find it out.
 */
const JOBS_KEPT_MAX = 1_000;

export function isLarge({ submissions: submitted }: CallIndex): boolean {
  return submitted.length > JOBS_KEPT_MAX;
}

/** Several submissions name this address for webhooks. */
export const isShared = ({ callsByWebhook: webhookAsked }: CallIndex, url: string): boolean =>
  (webhookAsked.get(url)?.length ?? 0) > 1;

function jobOf(
  session: Session,
  callIndex: CallIndex,
  onAll: OnAllJobs,
  webhooks: ReadonlyMap<string, readonly WebhookEvent[]>,
  index: number,
  { id, submitted: first, calls: asked, isGivenTwice }: IdLookup,
): Job {
  const submitted = first!;
  const renamed = asked.findIndex((call) => isRenaming(call, id));
  const calls = isGivenTwice ? [] : renamed < 0 ? asked : asked.slice(0, renamed);
  const submission = submissionOf(submitted) ?? {};
  const sync = submitted.op === 'runsync';
  const url = submission['webhook'];
  const webhookUrl = typeof url === 'string' ? url : null;
  const called = webhookUrl === null ? [] : (webhooks.get(webhookUrl) ?? []);
  const telling = called.filter((webhook) => !tellsOfAnother(callIndex, webhook));
  // Which of two members of one name holds is open, and so is what the worker is given.
  const told = submitted.request.illegal !== 'duplicate-keys' && !calls.some(saysNoIncrementalResults);
  const predicted = told ? predictionsFor(session, submission) : () => UNPREDICTABLE;
  const waitGiven = submitted.request.query['wait'] !== undefined;
  const shown = statusIn(submitted);
  const outlivedWait = sync && (shown === null || shown === 'IN_QUEUE' || shown === 'IN_PROGRESS');
  const { edition, executionTimeoutDefaultMs = null } = session.run;
  let made: readonly JobOperation[] | null = null;
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
    retried: calls.some(({ op }) => op === 'retry'),
    streamed: calls.some(({ op }) => op === 'stream'),
    isGivenTwice,
    notJudged: isGivenTwice
      ? 'its id was given to another job as well'
      : renamed >= 0
        ? 'a /retry was answered with another id: what became of the old one is open'
        : calls.some(({ op }) => op === null)
          ? 'what a call by another method has done is its own affair'
          : null,
    sightings: null,
    webhooks: called,
    predicted,
    policies: effectivePolicies(
      submission,
      { sync, waitGiven, outlivedWait },
      edition,
      executionTimeoutDefaultMs,
    ),
    model: {
      predicted,
      sync,
      ttlGiven: policyFieldOf(submission, 'ttl') !== undefined,
      executionGiven: policyFieldOf(submission, 'executionTimeout') !== undefined,
      waitGiven,
      startWindow: ANY_TIME,
      lowPriority: policyFieldOf(submission, 'lowPriority') === true,
    },
    get operations() {
      if (made !== null) return made;
      const found = operationsOn(submitted, calls, telling, onAll);
      return isLarge(callIndex) ? found : (made = found);
    },
  };
}

/** The worker's host has no place for what its handler streams, and it failed the job for that (`worker/handler.py`). */
function saysNoIncrementalResults(call: CallEvent): boolean {
  const error = recordOf(call)?.['error'];
  return error !== undefined && JSON.stringify(error).includes(NO_INCREMENTAL_RESULTS);
}
