/** What a client takes for success. */
import { isObject } from '../../util/json.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, Session } from '../session.js';
import { replyIn } from '../../history/exchange.js';
import { chunkText } from '../weather/weather.js';
import { isOf, isRead, isSubmission, isSuccess, jobOf, operationCalls, succeeded } from './calls.js';
import { kept, violated } from './occasions.js';
import { isFinal, tellingsOf, type Telling } from './told.js';

export const SUCCESS_RULES: readonly ClientRule[] = [
  {
    id: 'client/success-is-completed',
    level: 'should',
    traffic: 'nothing',
    whyOpen: END_UNKNOWN,
    harm: 'wrong result',
    text: 'The client ends with success only if the service has reported COMPLETED.',
    source: {
      kind: 'consequence',
      section: '3',
      why: 'Only the state COMPLETED says that the handler succeeded.',
    },
    decidedBy: 'how the client ended, and the states of its jobs that the service reported',
    weather: ['job-fails', 'job-times-out', 'cancelled-while-running', 'runsync-unfinished', 'no-worker'],
    occasions: successOf,
  },
  {
    id: 'client/reads-all-chunks',
    level: 'should',
    traffic: 'nothing',
    whyOpen: END_UNKNOWN,
    harm: 'wrong result',
    text: 'A client that streams a job until it succeeds reads all of its chunks, and prints all if it prints any.',
    source: {
      kind: 'consequence',
      section: '4.4',
      why: '`/stream` delivers the results one by one; a client that stops early misses some of them.',
    },
    decidedBy:
      'how many chunks `/stream` has delivered of a completed job, and which of them the client wrote to its output, where it ended with success',
    weather: ['chunks-in-parts'],
    occasions: (session) => [...chunksOf(session), ...printedOf(session)],
  },
];

function successOf(session: Session): readonly Occasion[] {
  if (!succeeded(session)) return [];
  const calls = operationCalls(session);
  const submissions = calls.filter(isSubmission);
  const tellings = tellingsOf(session);
  const completed = tellings.filter(({ status }) => status === 'COMPLETED');
  if (completed.some(({ sure }) => sure)) {
    const left = leftUnfinished(session, calls, tellings);
    return left ?? [kept(completed.flatMap(({ call }) => call ?? []))];
  }
  // What it may know, and what it may have wanted, cannot be told.
  if (completed.length > 0 || calls.some(endsJobs)) return [];
  if (submissions.length > 0 && !submissions.some(isSuccess) && tellings.length === 0) {
    return submissions.some(isUndecided)
      ? []
      : [violated(submissions, 'it ended with success although none of its submissions was accepted')];
  }
  const told = tellings.filter(({ sure, call }) => sure && (call === null || !isOf(call, 'run')));
  const final = told.findLast(({ status }) => isFinal(status));
  if (final !== undefined) {
    const said = `it ended with success although it was told ${final.status}`;
    return [violated(final.call === null ? [] : [final.call], said)];
  }
  return unfinished(session, calls, told.at(-1)?.status);
}

/** It followed several jobs, and one of them still ran when it ended with success. Null: none. */
function leftUnfinished(
  { jobs }: Session,
  calls: readonly ClientCall[],
  tellings: readonly Telling[],
): readonly Occasion[] | null {
  if (calls.some(endsJobs)) return null;
  for (const { id, state, webhook } of jobs) {
    const reads = calls.filter((call) => isRead(call) && jobOf(call) === id);
    const last = tellings.findLast(({ job }) => job === id);
    const isLive = state === 'IN_QUEUE' || state === 'IN_PROGRESS';
    if (!isLive || webhook !== null || reads.length === 0 || last === undefined || isFinal(last.status))
      continue;
    const said = `it ended with success, but job ${id}, which it read, is still ${state}`;
    return [violated(reads.slice(-1), said)];
  }
  return null;
}

/** It has never been told a final state, and ended with success. */
function unfinished(
  session: Session,
  calls: readonly ClientCall[],
  last: string | undefined,
): readonly Occasion[] {
  const asked = calls.filter((call) => isRead(call) || isOf(call, 'runsync'));
  if (asked.length === 0) return [];
  const streams = asked.filter(isBareStream);
  if (streams.length > 0) return streamedOnly(session, streams);
  const end = asked.at(-1)!;
  const isPage = isSuccess(end) && replyIn(end) === undefined;
  if (last === undefined && session.weather.leads === 'either' && !isPage) return [];
  const told =
    last === undefined ? 'it was told no state of its job' : `the last that it was told is ${last}`;
  const said = isPage ? 'the last reply that it read was not JSON' : told;
  return [violated(asked.slice(-1), `it ended with success although ${said}, never COMPLETED`)];
}

/** A bare array of chunks does not say how the job is, so its reader had to guess: wrongly if the job has not ended. */
function streamedOnly({ jobs }: Session, streams: readonly ClientCall[]): readonly Occasion[] {
  const live = jobs.find(
    ({ id, state }) =>
      (state === 'IN_QUEUE' || state === 'IN_PROGRESS') && streams.some((stream) => jobOf(stream) === id),
  );
  if (live === undefined) return [];
  const said = `it ended with success although job ${live.id}, which it streamed, is still ${live.state}`;
  return [violated(streams.slice(-1), said)];
}

const isUndecided = ({ outcome }: ClientCall): boolean =>
  outcome.kind === 'open' || outcome.kind === 'abandoned';

const endsJobs = (call: ClientCall): boolean => isOf(call, 'cancel', 'purge-queue');

const isBareStream = (call: ClientCall): boolean =>
  isOf(call, 'stream') && isSuccess(call) && Array.isArray(replyIn(call));

function chunksOf(session: Session): readonly Occasion[] {
  if (!succeeded(session) || session.weather.id === 'stream-reply-lost') return [];
  return session.jobs.flatMap(({ id, state, chunks, chunksRead }) => {
    const streams = session.calls.filter(
      (call) => isOf(call, 'stream') && jobOf(call) === id && isSuccess(call),
    );
    if (state !== 'COMPLETED' || chunks === 0 || streams.length === 0) return [];
    if (chunksRead >= chunks) return [kept(streams)];
    if (session.calls.some((call) => holdsAll(call, id, chunks))) return [];
    return [violated(streams.slice(-1), `it read ${chunksRead} of the ${chunks} chunks of job ${id}`)];
  });
}

/** Chunks say which part of how many they are. What a client prints in another form says nothing. */
function printedOf(session: Session): readonly Occasion[] {
  const { printed, jobs, weather } = session;
  const { chunks = 0 } = weather.id === 'stream-reply-lost' ? {} : (weather.job ?? {});
  const streamed = jobs.some(({ chunksRead, state }) => chunksRead > 0 && state === 'COMPLETED');
  if (!succeeded(session) || printed === null || chunks === 0 || !streamed || jobs.length > 1) return [];
  const parts = Array.from({ length: chunks }, (_, at) => chunkText(at + 1, chunks));
  const missing = parts.filter((part) => !printed.includes(part));
  if (missing.length === 0) return [kept([])];
  if (missing.length === chunks) return [];
  const said = `it ended with success and printed ${chunks - missing.length} of ${chunks} chunks, without “${missing[0]}”`;
  return [violated([], said)];
}

/** Whether a record gave the client all outputs at once, so that it needs no more of the stream. */
function holdsAll(call: ClientCall, job: string, chunks: number): boolean {
  const body = replyIn(call);
  if (!isSuccess(call) || !isObject(body)) return false;
  const { id, output } = body;
  return (jobOf(call) ?? id) === job && Array.isArray(output) && output.length >= chunks;
}
