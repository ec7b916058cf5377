/** How a client asks again and again. */
import { RATES } from '../../spec/index.js';
import { isWaitingStatus } from '../../spec/operation-of.js';
import { exactDuration } from '../../util/duration.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, SeenSession, Session } from '../session.js';
import {
  acceptedId,
  codeOf,
  follows,
  isEmptyStream,
  isLoop,
  isOf,
  isRead,
  isSubmission,
  isSuccess,
  mostOpen,
  operationCalls,
  pauseMs,
  readsByJob,
} from './calls.js';
import { kept, LOOP, mayGoOn, violated } from './occasions.js';
import { seriesOf } from './series.js';
import { isFinal, tellingsOf } from './told.js';

/** Shorter pauses between reads are none: a call on this machine takes as long. */
const PAUSE_MIN_MS = 20;
const READS_OF_A_LOOP = 20;
const READS_OF_A_TORN_LOOP = 30;
const LONG_POLL_MS = 500;
/** A pace is what a client keeps for so long, and for so many reads of a job. */
const PACE_MS = 3_000;
const READS_OF_A_PACE = 20;
/** It is too quick if every third read of a job follows the one before within this. A sane one is 250 ms or more. */
const PERIOD_MIN_MS = 90;
/** The same where the client reads so many jobs that together they use up a quarter of what section 8 allows. */
const PERIOD_OF_MANY_MIN_MS = 200;
const MANY_READS_PER_MS = RATES.status.requests / RATES.status.windowMs / 4;
const GROWTH = 1.5;
/** A deadline that begins later, or is looked at between calls, ends later. */
const PATIENCE_MORE_MS = 15_000;
/** Of the time so far: what grows has grown to that, and a late machine lengthens a short pause by less. */
const GROWN_SHARE = 0.1;
const OPEN_AT_ONCE_MAX = 2;
/** Of the time that a client ran, on a busy machine. */
const LOST_SHARE = 0.25;
const READS_AFTER_GONE_MAX = 3;
/** Within `KNOWN_WITHIN_MS`. */
const READS_TO_MAKE_SURE_MAX = 10;
/** A service may know a job a little late, and so long a client may wait for it. */
const KNOWN_WITHIN_MS = 5_000;
const READS_AFTER_UNKNOWN_MAX = 5;

export const POLLING_RULES: readonly ClientRule[] = [
  {
    id: 'client/gone-is-gone',
    level: 'should',
    traffic: 'one process',
    needs: ['clock'],
    harm: 'endless',
    text: 'After a 404 for a job that existed before, the client treats the job as gone.',
    source: {
      kind: 'consequence',
      section: '7',
      why: 'A service also answers 404 for a job whose `ttl` or result has expired. Such a job does not come back.',
    },
    decidedBy:
      'reads of a job after a read of it was answered with 404: three more are allowed, or ten within five seconds; the client may wait for a job that it has not seen yet',
    weather: ['no-worker', 'ttl-over-while-running', 'queue-purged', 'result-gone'],
    occasions: (session) => [...readsByJob(session)].flatMap(([job, reads]) => goneOf(session, job, reads)),
  },
  {
    id: 'client/poll-pause',
    level: 'should',
    traffic: 'one process',
    needs: ['clock'],
    text: 'The client pauses between reads of a job, and keeps a pace that leaves room for others.',
    source: {
      kind: 'consequence',
      section: '8',
      why: 'An endpoint allows 2000 reads per 10 s for all its jobs, and a loop without pauses uses them up.',
    },
    decidedBy:
      `${READS_OF_A_LOOP} reads of a job in a row, each less than ${PAUSE_MIN_MS} ms after the reply to the one before; ` +
      `over ${PACE_MS / 1_000} s also how quickly reads follow each other: a third of them within ${PERIOD_MIN_MS} ms, ` +
      `or within ${PERIOD_OF_MANY_MIN_MS} ms where all jobs together are read ${MANY_READS_PER_MS * 1_000} times a second`,
    weather: ['clear', 'long-queue', 'cold-start', 'long-run', 'job-never-starts'],
    occasions: (session) => [...[...readsByJob(session).values()].flatMap(pausesOf), ...paceOf(session)],
  },
  {
    id: 'client/no-overlapping-polls',
    level: 'should',
    traffic: 'one process',
    needs: ['clock'],
    text: 'The client does not keep sending reads of the status of a job while earlier ones have no reply.',
    source: {
      kind: 'consequence',
      section: '8',
      why: 'The number of `/status` calls open at once is limited, and calls that wait behind a slow one report nothing new.',
    },
    decidedBy: 'how many reads of the status of one job were open at once',
    weather: ['slow-replies', 'late-replies'],
    occasions: (session) => [...readsByJob(session).values()].flatMap((reads) => overlapsOf(session, reads)),
  },
  {
    id: 'client/waits-end',
    level: 'should',
    traffic: 'nothing',
    whyOpen: END_UNKNOWN,
    harm: 'endless',
    text: 'Every wait of the client has a time limit.',
    source: {
      kind: 'consequence',
      section: '7',
      why: 'Some problems never end, so a client without a time limit hangs for ever.',
    },
    decidedBy: 'whether the client ends by itself when the problem does not end',
    weather: [
      'job-never-starts',
      'no-reply-to-read',
      'no-reply-to-submission',
      'rate-limited-for-ever',
      'reads-rate-limited-for-ever',
      'reads-fail-for-ever',
      'gateway-down',
      'webhook-never',
    ],
    occasions: waitsOf,
  },
];

function goneOf(session: SeenSession, job: string, reads: readonly ClientCall[]): readonly Occasion[] {
  if (reads.every((read) => codeOf(read) !== 404)) return [];
  const submission = session.calls.find((call) => acceptedId(call) === job);
  const occasions: Occasion[] = [];
  // The record that /runsync answers is that of a job that is there.
  let seen = submission !== undefined && isOf(submission, 'runsync');
  let gone: ClientCall[] = [];
  const conclude = (): void => {
    if (gone.length === 0) return;
    const further = gone.slice(1);
    const late =
      submission === undefined ? [] : gone.filter(({ fromMs }) => fromMs > submission.byMs + KNOWN_WITHIN_MS);
    const tooMany = seen ? isReadOn(gone) : late.length > READS_AFTER_UNKNOWN_MAX;
    if (tooMany) {
      const said = `job ${job} was answered with 404, and it was read ${further.length} more times, all answered with 404`;
      occasions.push({ ...violated(gone, said), ...(isLoop(gone) && LOOP) });
    } else if (seen && !mayGoOn(session, gone.at(-1)!.byMs)) occasions.push(kept(gone));
  };
  for (const read of reads) {
    if (isSuccess(read)) {
      conclude();
      gone = [];
      seen = true;
    } else if (codeOf(read) === 404 && (gone.length === 0 || follows(gone.at(-1)!, read))) gone.push(read);
  }
  conclude();
  return occasions;
}

/** A few reads make sure that it is gone, and so do some more within seconds. */
function isReadOn(gone: readonly ClientCall[]): boolean {
  const further = gone.slice(1);
  const lateMs = (further.at(-1)?.fromMs ?? 0) - gone[0]!.byMs;
  return (
    further.length > READS_AFTER_GONE_MAX &&
    (further.length > READS_TO_MAKE_SURE_MAX || lateMs > KNOWN_WITHIN_MS)
  );
}

function pausesOf(reads: readonly ClientCall[]): readonly Occasion[] {
  let longest = { from: 0, to: 0 };
  let from = 0;
  let atOnce = 0;
  for (const [at, read] of reads.entries()) {
    const before = reads[at - 1];
    if (before === undefined || !goesOnAtOnce(before, read)) from = at;
    else atOnce += 1;
    if (at + 1 - from > longest.to - longest.from) longest = { from, to: at + 1 };
  }
  const row = reads.slice(longest.from, longest.to);
  if (row.length > READS_OF_A_LOOP) {
    const said = `it read a job ${row.length} times in a row, each time at once after the last reply`;
    return [{ ...violated(row, said), ...LOOP }];
  }
  // A slow machine tears a row apart.
  if (atOnce >= READS_OF_A_TORN_LOOP && atOnce >= (3 / 4) * reads.length) {
    const said = `of ${reads.length} times that it read a job, ${atOnce} followed at once after the last reply`;
    return [violated(reads, said)];
  }
  return reads.length >= 3 ? [kept(reads)] : [];
}

function goesOnAtOnce(before: ClientCall, read: ClientCall): boolean {
  // Where the service holds the reply back, the client need not pause.
  const isLong = before.byMs - before.fromMs >= LONG_POLL_MS;
  return (
    !allowsNextAtOnce(before) && !isLong && follows(before, read) && pauseMs(before, read) < PAUSE_MIN_MS
  );
}

/** Of the job that is read most often: a client reads all of them in the same way. */
function paceOf(session: SeenSession): readonly Occasion[] {
  const reads = operationCalls(session).filter(isRead);
  const tooQuick = seriesOf(session)
    .filter(([first]) => isRead(first!))
    .filter((series) => isTooQuick(series, session.weather === null ? [] : reads))
    .sort((one, other) => other.length - one.length);
  const [most] = tooQuick;
  if (most === undefined) return [];
  const others = tooQuick.length > 1 ? `, and ${tooQuick.length - 1} more in the same way` : '';
  const said = `it read a job ${most.length} times within ${exactDuration(Math.round(spanMs(most)))}${others}`;
  return [violated(most, said)];
}

const spanMs = (reads: readonly ClientCall[]): number => reads.at(-1)!.fromMs - reads[0]!.fromMs;

function isTooQuick(series: readonly ClientCall[], reads: readonly ClientCall[]): boolean {
  const forMs = spanMs(series);
  if (series.length < READS_OF_A_PACE || forMs < PACE_MS) return false;
  const periods = series
    .flatMap((read, at) =>
      at === 0 || allowsNextAtOnce(series[at - 1]!) ? [] : read.fromMs - series[at - 1]!.fromMs,
    )
    .sort((one, other) => one - other);
  const quick = periods[Math.floor(periods.length / 3)] ?? Infinity;
  if (quick < PERIOD_MIN_MS) return true;
  const meanwhile = reads.filter(
    ({ fromMs }) => fromMs >= series[0]!.fromMs && fromMs <= series.at(-1)!.fromMs,
  );
  return quick < PERIOD_OF_MANY_MIN_MS && meanwhile.length >= MANY_READS_PER_MS * forMs;
}

/**
 * Whether the next read may follow at once: after chunks there is more to fetch; and `/status-sync` is held back by the
 * service as long as the client asks, on the service's clock, which runs faster here.
 */
const allowsNextAtOnce = (read: ClientCall): boolean =>
  (isOf(read, 'stream') && isSuccess(read) && !isEmptyStream(read)) ||
  read.request.target.split(/[/?]/).some(isWaitingStatus);

function overlapsOf({ weather }: SeenSession, reads: readonly ClientCall[]): readonly Occasion[] {
  // That a client has given up a call may be seen late where there is a network between.
  const all = reads.filter((read) => isOf(read, 'status'));
  const states = all.filter((read) => weather !== null || codeOf(read) !== null);
  const open = mostOpen(states);
  if (open.length <= OPEN_AT_ONCE_MAX)
    return states.length >= 2 && mostOpen(all).length <= OPEN_AT_ONCE_MAX ? [kept(states)] : [];
  return [violated(open, `${open.length} reads of the status of one job were open at once`)];
}

function waitsOf(session: Session): readonly Occasion[] {
  const { weather, end } = session;
  const calls = operationCalls(session);
  if (calls.length === 0 || end.kind === 'attached') return [];
  if (weather.id === 'clear' && end.kind === 'stopped' && !calls.some(isSubmission))
    return [
      violated(
        calls.slice(-1),
        `it had submitted no job when it was stopped after ${exactDuration(end.atMs)}`,
      ),
    ];
  if (weather.forEver !== true && !(weather.webhooks === 'never' && waitsForWebhook(session))) return [];
  // On a machine that stood still so long, its time limit may not have come.
  const lostMs = session.machineLags.reduce((sumMs, lag) => sumMs + lag.lostMs, 0);
  if (end.kind === 'stopped' && lostMs > LOST_SHARE * end.atMs) return [];
  // The ttl that the client gave its job may have ended it.
  const hasTtlEnded = weather.faults === undefined && session.jobs.some(({ state }) => state === 'GONE');
  if (end.kind === 'ended') return hasTtlEnded ? [] : [kept(calls.slice(-1))];
  // Its deadline for a job may be one for all that it does, but for a call, or for a webhook of a job that has ended.
  const { patienceMs } = session;
  const isForOne = weather.limitFactor !== undefined || weather.forEver !== true;
  if (patienceMs !== null && !isForOne && end.atMs < patienceMs + PATIENCE_MORE_MS) return [];
  // Growing pauses lead to an end as a rule: it may have been near.
  if (doPausesGrow(calls, end.atMs)) return [];
  const said =
    `it had not given up when it was stopped after ${exactDuration(end.atMs)}; ` +
    'if it gives up later on purpose, allow more with --limit';
  return [violated(calls.slice(-1), said)];
}

/** Whether the last pause, or the silence since, is longer than the one before. */
function doPausesGrow(calls: readonly ClientCall[], untilMs: number): boolean {
  const pauses = calls.slice(1).map((call, at) => pauseMs(calls[at]!, call));
  const before = pauses.at(-2);
  const last = pauses.at(-1);
  const silenceMs = untilMs - (calls.at(-1)?.byMs ?? untilMs);
  if (before === undefined || last === undefined || last <= before) return false;
  const longestMs = Math.max(last, silenceMs);
  return longestMs > GROWTH * before && longestMs > GROWN_SHARE * untilMs;
}

/** It gave a webhook, and learnt the end of the job in no other way. */
function waitsForWebhook(session: Session): boolean {
  const tellings = tellingsOf(session);
  return session.jobs.some(
    ({ id, webhook }) =>
      webhook !== null && !tellings.some(({ job, status }) => job === id && isFinal(status)),
  );
}
