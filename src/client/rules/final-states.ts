/** Once a job has ended, nothing more is to be learnt of it. */
import type { JobStatus } from '../../spec/index.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, SeenSession, Session } from '../session.js';
import {
  codeOf,
  isEmptyStream,
  isLoop,
  isOf,
  isSuccess,
  jobOf,
  largest,
  operationCalls,
  readsByJob,
} from './calls.js';
import { kept, LOOP, mayGoOn, violated } from './occasions.js';
import { byJob, isFinal, tellingsOf, toldByCalls } from './told.js';
import { exactDuration } from '../../util/duration.js';

/** So often a client may look again, to fetch the output or to be sure. */
const FURTHER_READS = 2;
/** How long a client may take to end. */
const ENDS_WITHIN_MS = 5_000;
/** A client that retries failed jobs may wait before it does. */
const ENDS_AFTER_FAILURE_WITHIN_MS = 10_000;

export const FINAL_STATE_RULES: readonly ClientRule[] = [
  stopsAt('client/stops-at-completed', 'COMPLETED', ['clear', 'chunks-in-parts', 'output-null']),
  stopsAt('client/stops-at-failed', 'FAILED', ['job-fails', 'worker-crashes', 'fails-after-chunks']),
  stopsAt('client/stops-at-cancelled', 'CANCELLED', ['cancelled-while-waiting', 'cancelled-while-running']),
  stopsAt('client/stops-at-timed-out', 'TIMED_OUT', ['job-times-out']),
  {
    id: 'client/ends-after-final',
    level: 'should',
    traffic: 'nothing',
    whyOpen: END_UNKNOWN,
    harm: 'endless',
    text: 'The client ends once the service has reported that all of its jobs have ended.',
    source: {
      kind: 'consequence',
      section: '3',
      why: 'An ended job does not change by itself, so there is nothing to wait for.',
    },
    decidedBy: 'whether the client still ran seconds after its last call or the last answer',
    weather: ['clear', 'job-fails', 'job-times-out', 'cancelled-while-running'],
    occasions: endsAfterFinal,
  },
];

function stopsAt(id: string, status: JobStatus, weather: readonly string[]): ClientRule {
  return {
    id,
    level: 'should',
    traffic: 'one process',
    harm: 'endless',
    text: `The client stops reading a job once the service has reported it ${status}.`,
    source: {
      kind: 'consequence',
      section: '3',
      why: `No transition leads from ${status} to another state, except by a retry.`,
    },
    decidedBy: `reads of a job after an answer with ${status}; two more are allowed, and a retry starts the count again`,
    weather,
    occasions: (session) =>
      windowsOf(session, status).flatMap(({ told, reads }) => {
        const states = reads.filter((read) => isOf(read, 'status'));
        const streams = [told, ...reads].filter(isEmptyStream);
        const further = [
          ...(states.length > FURTHER_READS ? states : []),
          // The first empty read says that there are no more chunks.
          ...(streams.length - 1 > FURTHER_READS ? streams.slice(1) : []),
        ];
        if (further.length > 0) {
          const said = `it was told ${status} and read the job ${further.length} more times`;
          return [{ ...violated([told, ...further], said), ...(isLoop(further) && LOOP) }];
        }
        return mayGoOn(session, told.byMs) ? [] : [kept([told])];
      }),
  };
}

/** A time in which the client knew that a job was in this final state. */
interface Window {
  /** The first answer that said so. */
  readonly told: ClientCall;
  /** Reads of the job that began after it and were answered. */
  readonly reads: readonly ClientCall[];
}

function windowsOf(session: SeenSession, status: JobStatus): readonly Window[] {
  const retried = operationCalls(session).filter((call) => isOf(call, 'retry'));
  const readsOf = readsByJob(session);
  const windows: Window[] = [];
  for (const [job, ofJob] of byJob(toldByCalls(session))) {
    if (!ofJob.some((telling) => telling.status === status)) continue;
    const retries = retried.filter((call) => jobOf(call) === job);
    let untilMs = 0;
    for (const [at, { call, atMs, startedMs }] of ofJob.entries()) {
      if (ofJob[at]!.status !== status || atMs < untilMs) continue;
      const other = ofJob.slice(at).find((later) => later.status !== status);
      const retry = retries.find(({ byMs }) => byMs > startedMs);
      untilMs = Math.min(other?.atMs ?? Infinity, retry?.fromMs ?? Infinity);
      const reads = (readsOf.get(job) ?? []).filter(({ fromMs }) => fromMs >= atMs && fromMs < untilMs);
      windows.push({ told: call, reads: reads.filter((read) => isSuccess(read) || codeOf(read) === 404) });
    }
  }
  return windows;
}

function endsAfterFinal(session: Session): readonly Occasion[] {
  const { end, jobs, calls, webhooks } = session;
  const tellings = tellingsOf(session).filter(({ sure }) => sure);
  const last = jobs.map(({ id }) => tellings.findLast(({ job }) => job === id));
  if (jobs.length === 0 || !last.every((telling) => telling !== undefined && isFinal(telling.status)))
    return [];
  const shown = last.flatMap((telling) => telling?.call ?? []);
  if (end.kind === 'ended') return [kept(shown)];
  if (end.kind !== 'stopped') return [];
  const idleMs =
    end.atMs -
    largest([
      ...last.map((telling) => telling?.atMs ?? 0),
      ...calls.map(({ byMs }) => byMs),
      ...webhooks.map(({ startedMs, endedMs }) => endedMs ?? startedMs),
    ]);
  const mayRetry = last.some((telling) => telling?.status === 'FAILED' || telling?.status === 'TIMED_OUT');
  if (idleMs < (mayRetry ? ENDS_AFTER_FAILURE_WITHIN_MS : ENDS_WITHIN_MS)) return [];
  return [
    violated(
      shown,
      `it was told that all of its jobs have ended, and still ran ${exactDuration(idleMs)} later, when it was stopped`,
    ),
  ];
}
