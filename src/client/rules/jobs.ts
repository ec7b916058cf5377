/** What a client does with its jobs: each once, and none forgotten. */
import { replyIn } from '../../history/exchange.js';
import { LIVE_STATUSES } from '../../spec/index.js';
import { isObject } from '../../util/json.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, ClientJob, SeenSession, Session } from '../session.js';
import {
  acceptedId,
  codeOf,
  follows,
  gaveUp,
  isOf,
  isRead,
  isSubmission,
  isSuccess,
  jobOf,
  NOTED_LATE_MS,
  operationCalls,
} from './calls.js';
import { kept, LOOP, mayGoOn, ofCalls, violated } from './occasions.js';
import { seriesOf } from './series.js';
import { isFinal, tellingsOf, toldByCalls, type Telling } from './told.js';

const STOOD_STILL_MS = 1_000;
/** A fault that is still there after so many runs of a job does not pass. */
const RETRIES_MAX = 5;

export const JOB_RULES: readonly ClientRule[] = [
  {
    id: 'client/retry-only-ended',
    level: 'must',
    traffic: 'one process',
    text: 'The client retries only jobs that are FAILED or TIMED_OUT.',
    source: {
      kind: 'document',
      section: '4.6',
      quote: 'Only valid for jobs whose status is `FAILED` or `TIMED_OUT`.',
    },
    decidedBy: 'the state that the client was last told of a job before it called `/retry` for it',
    weather: ['job-fails', 'job-times-out', 'clear', 'cancelled-while-running'],
    occasions: retriesOf,
  },
  {
    id: 'client/cancel-only-live',
    level: 'should',
    traffic: 'one process',
    text: 'The client does not cancel a job that has ended.',
    source: {
      kind: 'consequence',
      section: '3',
      why: 'Only a job that waits or runs can be cancelled; what happens to another is not described.',
    },
    decidedBy: 'the state that the client was last told of a job before it called `/cancel` for it',
    weather: ['clear', 'job-fails'],
    occasions: (session) => {
      // A client on a machine that stood still may have given up the call that told it.
      if (session.machineLags.some(({ lostMs }) => lostMs > STOOD_STILL_MS)) return [];
      const tellings = toldByCalls(session);
      return operationCalls(session)
        .filter((call) => isOf(call, 'cancel'))
        .flatMap((call) => cancelOf(session, tellings, call));
    },
  },
  {
    id: 'client/retries-few-times',
    level: 'should',
    traffic: 'one process',
    harm: 'money',
    text: `The client retries a job at most ${RETRIES_MAX} times.`,
    source: {
      kind: 'consequence',
      section: '4.6',
      why: 'A retry runs the original input again, which costs the same and may fail in the same way.',
    },
    decidedBy: 'how many calls of `/retry` for one job were accepted',
    weather: ['job-fails', 'job-times-out'],
    occasions: retriedOf,
  },
  {
    id: 'client/looks-before-next-retry',
    level: 'should',
    traffic: 'nothing',
    whyOpen: 'what webhooks tell the client is not known',
    harm: 'money',
    text: 'After a `/retry` whose outcome it does not know, the client asks how the job is before it retries it again.',
    source: {
      kind: 'consequence',
      section: '4.6',
      why: 'A `/retry` whose reply is lost may have been accepted; a second one pays for a further run.',
    },
    decidedBy:
      'what the client was told of a job between a `/retry` whose reply was lost, or that was answered with 500, 502 or 504, ' +
      'and its next `/retry`',
    weather: ['reply-of-retry-lost'],
    occasions: blindRetriesOf,
  },
  {
    id: 'client/one-job',
    level: 'should',
    traffic: 'one process',
    needs: ['whole'],
    harm: 'money',
    text: 'The client does not repeat a submission whose outcome it does not know, or whose job has not ended.',
    source: {
      kind: 'consequence',
      section: '4.2',
      why: 'Each submission creates a job, and the API has no idempotency key by which a service could recognize a repetition.',
    },
    decidedBy:
      'submissions of the same body after one whose reply was lost, or that was answered with 500, 502 or 504; ' +
      'and more jobs than under the condition `clear`, while an earlier one runs, or is gone after it ran',
    weather: [
      'reply-of-submission-lost',
      'submission-answered-504',
      'no-reply-to-submission',
      'gateway-down',
      'reads-fail-for-ever',
      'long-queue',
      'result-gone',
    ],
    occasions: (session) => {
      const series = seriesOf(session).filter((calls) => calls.every(isSubmission));
      if (session.weather === null) return repeatsIn(session, series);
      const repeats = series.flatMap((calls) => repeatOf(session, calls));
      const isRepeated = repeats.some(({ violation }) => violation !== null);
      return isRepeated ? repeats : [...repeats, ...secondJobOf(session)];
    },
  },
  {
    id: 'client/leaves-no-job',
    level: 'should',
    traffic: 'nothing',
    whyOpen: END_UNKNOWN,
    harm: 'money',
    text: 'A client that gives up cancels its unfinished jobs.',
    source: {
      kind: 'consequence',
      section: '4.5',
      why: 'An abandoned job still costs money, and `/cancel` stops it.',
    },
    decidedBy: 'the jobs of the client that had not ended when it ended without success',
    isConsequence: true,
    weather: ['long-queue', 'long-run', 'one-job-fails', 'runsync-held', 'read-answered-500'],
    occasions: leftJobsOf,
  },
  {
    id: 'client/knows-its-ids',
    level: 'should',
    traffic: 'kept',
    whyOpen: 'it may know the id from a call that was not recorded',
    text: 'The client asks only for jobs whose ids the service has given it.',
    source: { kind: 'consequence', section: '2.4', why: 'The service assigns ids; no other id names a job.' },
    decidedBy: 'the job ids in the paths of calls, and those in answers and webhooks',
    weather: ['clear', 'webhook-before-reply'],
    occasions: idsOf,
  },
  {
    id: 'client/follows-unfinished-runsync',
    level: 'should',
    traffic: 'kept',
    whyOpen: END_UNKNOWN,
    harm: 'wrong result',
    text: 'If `/runsync` answers before its job has ended, the client follows the job or cancels it.',
    source: {
      kind: 'consequence',
      section: '4.1',
      why: 'The job runs on when `wait` is over; its result can be read by its id.',
    },
    decidedBy: 'calls for the job of a `/runsync` that was answered with IN_QUEUE or IN_PROGRESS',
    weather: ['runsync-unfinished', 'long-queue', 'long-run'],
    occasions: (session) =>
      tellingsOf(session)
        .filter(
          ({ call, status }) => call !== null && isOf(call, 'runsync') && LIVE_STATUSES.includes(status),
        )
        .flatMap((telling) => followUpOf(session, telling)),
  },
];

function retriesOf(session: SeenSession): readonly Occasion[] {
  const tellings = tellingsOf(session);
  return operationCalls(session)
    .filter((call) => isOf(call, 'retry'))
    .flatMap((call) => retryOf(session, tellings, call));
}

function retryOf(session: SeenSession, tellings: readonly Telling[], call: ClientCall): readonly Occasion[] {
  const told = tellings.filter(({ job, atMs }) => job === jobOf(call) && atMs <= call.fromMs);
  const last = told.at(-1);
  if (last === undefined) return [];
  // Of answers that were under way at the same time either may be the newer one.
  const newest = told.filter(({ sure, atMs }) => !sure || atMs >= last.startedMs);
  if (newest.some(({ status }) => status === 'FAILED' || status === 'TIMED_OUT')) return [kept([call])];
  if (newest.some(({ sure }) => !sure) || mayNotKnow(session, last, call)) return [];
  const said = `it retried job ${jobOf(call)}, of which it was last told ${last.status}`;
  return [violated([...(last.call === null ? [] : [last.call]), call], said)];
}

/** By then the client has an answer that was seen. */
const HEARD_WITHIN_MS = 1_000;

/**
 * In traffic a client may have been told more by calls and webhooks that are not seen, but nothing else of a job that is
 * COMPLETED or CANCELLED; and what was just answered may not have arrived.
 */
const mayNotKnow = ({ weather }: SeenSession, { status, atMs, call }: Telling, then: ClientCall): boolean =>
  weather === null &&
  ((status !== 'COMPLETED' && status !== 'CANCELLED') ||
    (call?.connection !== then.connection && then.fromMs < atMs + HEARD_WITHIN_MS));

function cancelOf(session: SeenSession, tellings: readonly Telling[], call: ClientCall): readonly Occasion[] {
  const begun = tellings.filter(
    (telling) => telling.job === jobOf(call) && telling.call !== call && telling.startedMs <= call.fromMs,
  );
  const told = begun.filter(({ atMs }) => atMs <= call.fromMs);
  const last = told.at(-1);
  if (last === undefined) return [];
  // An answer that was noted late may have told it of the end.
  if (!begun.some(({ status, atMs }) => isFinal(status) && atMs >= last.startedMs)) return [kept([call])];
  // Others may have retried it, too, so that its own retry was refused; and a lost one may be handled late.
  const retried = operationCalls(session).some(
    (one) =>
      isOf(one, 'retry') &&
      jobOf(one) === last.job &&
      one.id < call.id &&
      (one.fromMs >= last.startedMs || isOfUnknownOutcome(session, one)),
  );
  if (retried) return [];
  // Another answer that was under way may be the newer one, and its own cancel may have been repeated.
  if (!isFinal(last.status) || last.status === 'CANCELLED' || mayNotKnow(session, last, call)) return [];
  const said = `it cancelled job ${jobOf(call)}, of which it had been told ${last.status}`;
  return [violated([...(last.call === null ? [] : [last.call]), call], said)];
}

function retriedOf(session: SeenSession): readonly Occasion[] {
  const retries = operationCalls(session).filter((call) => isOf(call, 'retry') && isSuccess(call));
  return [...new Set(retries.map(jobOf))].map((job) => {
    const ofJob = retries.filter((call) => jobOf(call) === job);
    return ofJob.length > RETRIES_MAX
      ? violated(
          ofJob,
          `it retried job ${job} ${ofJob.length} times, and each run costs as much as the first`,
        )
      : kept(ofJob);
  });
}

function blindRetriesOf(session: Session): readonly Occasion[] {
  const retries = operationCalls(session).filter((call) => isOf(call, 'retry'));
  const tellings = tellingsOf(session);
  return retries
    .filter((call) => isOfUnknownOutcome(session, call))
    .map((lost) => {
      const next = retries.find((call) => jobOf(call) === jobOf(lost) && follows(lost, call));
      const isTold = tellings.some(
        ({ job, startedMs, atMs }) =>
          job === jobOf(lost) &&
          (startedMs >= lost.fromMs || atMs > lost.fromMs + NOTED_LATE_MS) &&
          next !== undefined &&
          startedMs < next.fromMs,
      );
      if (next === undefined || isTold) return kept([lost]);
      const why = codeOf(lost) === null ? 'whose reply was lost' : `that was answered with ${codeOf(lost)}`;
      const runs = isSuccess(next) ? 'both were accepted, and you pay for each' : 'the first may run';
      return violated(
        [lost, next],
        `it repeated a /retry ${why} without a look at job ${jobOf(lost)}: ${runs}`,
      );
    });
}

/** Codes after which a call may have been accepted all the same. */
const UNKNOWN_OUTCOME: readonly (number | null)[] = [500, 502, 504];
/** A call that ends so shortly before the client was not given up before the client was. */
const ENDS_TOGETHER_MS = 200;

function isOfUnknownOutcome({ end }: SeenSession, call: ClientCall): boolean {
  const { outcome, reached, fault, byMs } = call;
  if (outcome.kind === 'lost') return reached;
  // Where the reply is late, the client cannot tell whether its call was handled.
  if (outcome.kind === 'abandoned') return (reached || fault !== null) && byMs < end.atMs - ENDS_TOGETHER_MS;
  return UNKNOWN_OUTCOME.includes(codeOf(call));
}

/** `series`: submissions of the same body. */
function repeatOf(session: SeenSession, series: readonly ClientCall[]): readonly Occasion[] {
  const lost = series.find((call) => isOfUnknownOutcome(session, call));
  if (lost === undefined) return [];
  const later = series.filter((call) => call !== lost && follows(lost, call));
  const accepted = later.findIndex(isSuccess);
  // It wants several jobs of the same body.
  const before = series.indexOf(lost);
  const overlapping =
    series.length - before - 1 > later.length || series.slice(0, before).some((call) => !follows(call, lost));
  if (before >= 2 || overlapping || (accepted >= 0 && accepted < later.length - 1)) return [];
  if (later.length === 0) return [kept([lost])];
  const numbers = new Set([lost, ...later].map(({ id }) => id));
  const jobs = (session.jobs ?? []).filter(({ call }) => numbers.has(call)).length;
  const outcome =
    jobs > 1
      ? `it created ${jobs} jobs, and you pay for each`
      : 'if the first was accepted, you pay for a second job, too';
  const why = codeOf(lost) === null ? 'whose reply was lost' : `that was answered with ${codeOf(lost)}`;
  return [violated([lost, ...later], `it repeated a submission ${why}: ${outcome}`)];
}

/** A client that has submitted so many other bodies, each once, wants no two jobs of one body. */
const DIFFERENT_MIN = 5;

/** In traffic, where a client may want several jobs of one body: only what shows by itself that it does not. */
function repeatsIn(session: SeenSession, series: readonly (readonly ClientCall[])[]): readonly Occasion[] {
  const wantsSeveral = series.some((calls) => calls.slice(0, -1).some(isSuccess));
  const once = series.filter((calls) => calls.length === 1 && isSuccess(calls[0]!));
  if (wantsSeveral || once.length < DIFFERENT_MIN) return [];
  const submissions = operationCalls(session).filter(isSubmission);
  return series.flatMap((calls) => {
    const [lost, next] = calls;
    if (next === undefined) return mayGoOn(session, lost!.byMs) ? [] : repeatOf(session, calls);
    const isNext = submissions.find((call) => follows(lost!, call)) === next;
    return isNext ? repeatOf(session, calls).map((occasion) => ({ ...occasion, ...LOOP })) : [];
  });
}

/** A job more than it creates where nothing goes wrong: it did not know that an earlier one had failed, and paid for both. */
function secondJobOf(session: SeenSession): readonly Occasion[] {
  const { jobs, jobsWhenClear } = session;
  if (jobs === null) return [];
  const further = jobsWhenClear === null || jobsWhenClear === 0 ? undefined : jobs[jobsWhenClear];
  const calls = operationCalls(session);
  const submission = calls.find(({ id }) => id === further?.call);
  if (further === undefined || submission === undefined) return [];
  const before = submission.fromMs;
  const tellings = tellingsOf(session).filter(({ startedMs }) => startedMs < before);
  const isOver = ({ id, state, endedMs }: ClientJob): boolean => {
    const told = tellings.filter(({ job }) => job === id);
    const cancelled = calls.some(
      (call) =>
        call.fromMs < before && ((isOf(call, 'cancel') && jobOf(call) === id) || isOf(call, 'purge-queue')),
    );
    const neverRan =
      state === 'GONE' && endedMs === null && !told.some(({ status }) => status === 'IN_PROGRESS');
    return cancelled || neverRan || told.some(({ status }) => isFinal(status));
  };
  const earlier = jobs.slice(0, jobsWhenClear!);
  const numbers = new Set([...earlier, further].map(({ call }) => call));
  if (earlier.some(isOver) || calls.some((call) => call.fromMs < before && isOf(call, 'retry'))) return [];
  const said =
    `it created ${jobs.length} jobs, and you pay for each: where nothing goes wrong it creates ${jobsWhenClear}, ` +
    `and it had not been told that job ${earlier.at(-1)!.id} had ended`;
  return [
    violated(
      calls.filter(({ id }) => numbers.has(id)),
      said,
    ),
  ];
}

function leftJobsOf(session: Session): readonly Occasion[] {
  if (!gaveUp(session)) return [];
  const calls = operationCalls(session);
  const tellings = tellingsOf(session);
  return session.jobs.flatMap((job) => leftJobOf(calls, job, tellings));
}

function leftJobOf(
  calls: readonly ClientCall[],
  job: ClientJob,
  tellings: readonly Telling[],
): readonly Occasion[] {
  const submission = calls.find(({ id }) => id === job.call);
  if (submission === undefined) return [];
  const told = tellings.filter((telling) => telling.job === job.id);
  const cancelled = calls.some(
    (call) =>
      (isOf(call, 'cancel') && jobOf(call) === job.id) ||
      // What runs already is not purged.
      (isOf(call, 'purge-queue') && call.fromMs >= submission.fromMs && job.state !== 'IN_PROGRESS'),
  );
  const knowsId = acceptedId(submission) === job.id || told.length > 0;
  const live = job.state === 'IN_QUEUE' || job.state === 'IN_PROGRESS';
  if (!live || cancelled) return knowsId ? [kept([submission])] : [];
  if (!knowsId) {
    // Of a client that ends at once, it may not be seen that it has hung up.
    const { kind } = submission.outcome;
    if (!isOf(submission, 'runsync') || (kind !== 'abandoned' && kind !== 'open')) return [];
    const said =
      'it did not wait for the reply of /runsync, so that a job runs whose id it does not know; ' +
      'ask with a shorter `wait`, or use /run';
    return [violated([submission], said)];
  }
  // What it was told last was that the job has ended, or is gone: it could not know better.
  const lastRead = calls.findLast((call) => isRead(call) && jobOf(call) === job.id);
  const last = told.at(-1);
  if ((last !== undefined && isFinal(last.status)) || (lastRead && codeOf(lastRead) === 404)) return [];
  // Nothing answers it any more, so that a cancel would be lost, too.
  if (mayNotCancel(calls) || calls.slice(-3).every((call) => codeOf(call) === null)) return [];
  return [
    violated([submission], `it gave up and left job ${job.id} ${job.state}, without a call of /cancel`),
  ];
}

/** Its key was rejected last, so that `/cancel` would have been, too. */
function mayNotCancel(calls: readonly ClientCall[]): boolean {
  const code = calls.map(codeOf).findLast((each) => each !== null);
  return code === 401 || code === 403;
}

function idsOf(session: SeenSession): readonly Occasion[] {
  const known = new Set<string>([
    ...(session.jobs ?? []).map(({ id }) => id),
    ...session.webhooks.map(({ job }) => job),
  ]);
  for (const body of session.calls.map(replyIn))
    if (isObject(body) && typeof body['id'] === 'string') known.add(body['id']);
  return ofCalls(
    operationCalls(session).filter((call) => jobOf(call) !== null),
    ({ names }) =>
      known.has(names!.job!)
        ? null
        : `/${names!.operation} was called for job \`${names!.job}\`, an id that no answer had given it`,
  );
}

function followUpOf(session: SeenSession, { job, call, status }: Telling): readonly Occasion[] {
  const submission = call === null ? [] : [call];
  const followed =
    session.webhooks.some((webhook) => webhook.job === job && webhook.fate === 'delivered') ||
    session.jobs?.some(({ id, webhook }) => id === job && webhook !== null) ||
    operationCalls(session).some((other) => jobOf(other) === job);
  if (followed) return [kept(submission)];
  if (session.end.kind !== 'ended') return [];
  return [violated(submission, `/runsync was answered with ${status}, and it never asked for the job again`)];
}
