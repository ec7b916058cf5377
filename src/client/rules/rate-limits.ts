/** What a client does when it is told to wait. */
import { exactDuration } from '../../util/duration.js';
import { RATED_OPERATIONS, RATES, type RatedOperation } from '../../spec/index.js';
import { END_UNKNOWN, type ClientRule, type Occasion } from '../rule.js';
import type { ClientCall, SeenSession } from '../session.js';
import {
  codeOf,
  follows,
  gaveUp,
  isOf,
  isSequential,
  isSubmission,
  jobOf,
  largest,
  leastPauseMs,
  mostOpen,
  operationCalls,
  pauseMs,
  readsByJob,
  retryAfterMs,
} from './calls.js';
import { kept, violated } from './occasions.js';
import { limitedRuns, seriesOf, type LimitedRun } from './series.js';

/** How much earlier than told a call may come: clocks and timers are not exact. */
const EARLY_MS = 100;
/** The same where the end of the answer may have been seen late. */
const EARLY_SEEN_MS = 750;
/** Pauses that are alike within this factor do not grow. */
const ALIKE = 1.3;
/** Constant pauses from here on are long enough to do no harm, and may be the cap of a growth that was not seen. */
const LONG_MS = 5_000;

/** So many pauses whose middle one is shorter than this are those of a loop that starts a program for each call. */
const MANY = 30;
const HARDLY_MS = 100;
/** A cap from here on does little harm, however soon it is reached. */
const CAP_MIN_MS = 1_500;
const SHOWN_PAUSES_MIN = 8;
/** Less than this is one growth. */
const GROWN = 3;
/** So many pauses at the cap. */
const STAYS_AT_CAP = 5;

export const RATE_LIMIT_RULES: readonly ClientRule[] = [
  {
    id: 'client/within-limits',
    level: 'should',
    traffic: 'nothing',
    whyOpen:
      'section 8 allows more for each running worker, how many run is not known, and calls are judged some thousand at a time',
    text: 'The client stays within the rates and concurrency limits that section 8 sets for an endpoint without running workers.',
    source: {
      kind: 'document',
      section: '8',
      quote: 'Rate limits, enforced per endpoint and per operation:',
    },
    decidedBy: 'the most calls of each operation that began within ten seconds, and that were open at once',
    weather: ['clear'],
    occasions: (session) => RATED_OPERATIONS.flatMap((op) => withinLimits(op, session)),
  },
  {
    id: 'client/backs-off',
    level: 'should',
    traffic: 'one process',
    needs: ['clock', 'whole'],
    text: 'The client waits longer after each further 429.',
    source: {
      kind: 'document',
      section: '7',
      quote: 'Rate limit exceeded; clients should retry with exponential backoff.',
    },
    decidedBy:
      'the pauses between calls for the same thing that were answered with 429 without `Retry-After`, one after the other',
    weather: ['rate-limited-for-ever', 'reads-rate-limited-for-ever', 'rate-limited-for-ten-seconds'],
    occasions: (session) =>
      seriesOf(session)
        .filter(isSequential)
        .flatMap((series) => limitedRuns(session, series))
        .flatMap((limited) => backOffOf(session, limited)),
  },
  {
    id: 'client/honours-retry-after',
    level: 'should',
    traffic: 'one process',
    needs: ['clock'],
    text: 'After an answer with `Retry-After`, the client waits at least that long before it tries again.',
    source: { kind: 'http', reference: 'RFC 9110 §10.2.3' },
    decidedBy: 'the pause after each 429 or 503 with `Retry-After`, until the next call for the same thing',
    weather: ['rate-limited-once', 'read-answered-503'],
    occasions: (session) =>
      seriesOf(session)
        .filter(isSequential)
        .flatMap((series) => retryAfterOf(session, series)),
  },
  {
    id: 'client/retries-rate-limited',
    level: 'should',
    traffic: 'kept',
    whyOpen: END_UNKNOWN,
    text: 'The client does not give up at the first 429, or the first 503 with `Retry-After`.',
    source: {
      kind: 'consequence',
      section: '7',
      why: 'The document says that clients should retry, because the limit passes.',
    },
    decidedBy: 'whether the client tried again after 429, where it ended without success',
    weather: ['rate-limited-once', 'rate-limited-twice', 'cancel-rate-limited'],
    occasions: retriesOf,
  },
];

/** A pause: the least and the most that the client may have waited, ms. */
interface Pause {
  readonly leastMs: number;
  readonly mostMs: number;
}

function backOffOf(session: SeenSession, { calls, next, fresh }: LimitedRun): readonly Occasion[] {
  const all = next === null ? calls : [...calls, next];
  const pauses = all.slice(1).map((call, at): Pause => {
    const before = all[at]!;
    return { leastMs: leastPauseMs(session, before, call), mostMs: pauseMs(before, call) };
  });
  const [first, last] = [pauses[0], pauses.at(-1)];
  if (first === undefined || last === undefined || pauses.length < 2) return [];
  const seen = pauses.slice(0, 8).map(({ mostMs }) => exactDuration(mostMs));
  const said = `after 429 it waited ${seen.join(', ')}`;
  if (hasNone(pauses)) return [violated(all, `${said}: it tries again at once`)];
  // Busy machines lengthen pauses: in traffic only many show how they grow.
  const isShown = fresh && (session.weather !== null || pauses.length >= SHOWN_PAUSES_MIN);
  if (isShown && isConstant(pauses)) return [violated(all, `${said}: the pauses do not grow`)];
  if (isShown && growsOnce(pauses))
    return [violated(all, `${said}, and the same again: the pauses grow only once`)];
  if (isShrinking(pauses) && (isShown || session.weather !== null))
    return [violated(all, `${said}: the pauses shrink`)];
  return last.leastMs > ALIKE * first.mostMs && !growsOnce(pauses) ? [kept(all)] : [];
}

/**
 * Pauses of a loop that does not wait. Short ones that may grow steadily are no such loop, and jitter makes the first ones
 * short, but not the last of many.
 */
function hasNone(pauses: readonly Pause[]): boolean {
  const late = pauses.length >= 6 ? pauses.slice(-4) : pauses;
  const mayGrow = late.every(({ mostMs }, at) => at === 0 || mostMs >= 1.4 * late[at - 1]!.leastMs);
  const longest = largest(late.map(({ mostMs }) => mostMs));
  const middle = pauses.map(({ mostMs }) => mostMs).sort((a, b) => a - b)[pauses.length >> 1] ?? 0;
  if (pauses.length >= MANY && middle < HARDLY_MS) return true;
  return !mayGrow && ((late.length >= 3 && longest < 10) || (pauses.length >= 5 && longest < 50));
}

/**
 * Jitter takes pauses further apart than this, and a cap is reached by growth, which the first pauses show. Where there
 * are many, a slow machine may have lengthened a few.
 */
function isConstant(pauses: readonly Pause[]): boolean {
  const leastsMs = pauses.map(({ leastMs }) => leastMs).sort((a, b) => a - b);
  const shortest = leastsMs[Math.floor(leastsMs.length / 6)] ?? 0;
  // They have grown since.
  if (ALIKE * (pauses[0]?.mostMs ?? 0) < shortest) return false;
  const areAlike = pauses.map(({ mostMs }) => mostMs <= ALIKE * shortest);
  const alike = areAlike.filter(Boolean).length;
  const alikeLast = areAlike.slice(-3).filter(Boolean).length;
  if (shortest > LONG_MS || pauses.length < 4) return false;
  return (
    alike === pauses.length || (pauses.length >= 6 && alike >= (2 / 3) * pauses.length && alikeLast >= 2)
  );
}

/** A cap so low that it was reached by one growth, and a client that stays at it, are no exponential backoff. */
function growsOnce(pauses: readonly Pause[]): boolean {
  const [first, ...others] = pauses;
  // Where there are many, a slow machine may have shortened what is known of a few.
  const cap = others.map(({ leastMs }) => leastMs).sort((a, b) => a - b)[others.length >> 1] ?? 0;
  if (first === undefined || others.length < STAYS_AT_CAP || cap > CAP_MIN_MS) return false;
  const alike = others.filter(
    ({ leastMs, mostMs }) => mostMs <= ALIKE * cap && cap <= ALIKE * leastMs,
  ).length;
  return cap < GROWN * first.leastMs && alike >= (3 / 4) * others.length;
}

function withinLimits(op: RatedOperation, session: SeenSession): readonly Occasion[] {
  const calls = operationCalls(session).filter((call) => isOf(call, op));
  if (calls.length === 0) return [];
  const { requests, windowMs, concurrency } = RATES[op];
  const tooMany = calls.find(
    (call, at) => (calls[at + requests]?.fromMs ?? Infinity) - call.fromMs < windowMs,
  );
  if (tooMany !== undefined) {
    const within = calls
      .slice(calls.indexOf(tooMany))
      .filter((one) => one.fromMs - tooMany.fromMs < windowMs);
    return [
      violated(within, `it called /${op} ${within.length} times within ten seconds; ${requests} are allowed`),
    ];
  }
  const open = mostOpen(calls);
  return concurrency !== null && open.length > concurrency
    ? [violated(open, `${open.length} calls of /${op} were open at once; ${concurrency} are allowed`)]
    : [kept(calls)];
}

function isShrinking(pauses: readonly Pause[]): boolean {
  const [first, ...others] = pauses;
  return (
    others.length >= 4 &&
    others.at(-1)!.mostMs < first!.leastMs / 2 &&
    others.every(({ mostMs }) => mostMs <= first!.leastMs)
  );
}

const retryAfterIn = (call: ClientCall): number | null =>
  [429, 503].includes(codeOf(call) ?? 0) ? retryAfterMs(call) : null;

function retryAfterOf({ weather }: SeenSession, series: readonly ClientCall[]): readonly Occasion[] {
  return series.flatMap((call, at) => {
    const next = series[at + 1];
    const told = retryAfterIn(call);
    if (next === undefined || told === null) return [];
    const pause = pauseMs(call, next);
    if (pause >= told - EARLY_MS) return [kept([call, next])];
    if (weather === null && pause >= told - EARLY_SEEN_MS) return [];
    const said = `it was told to wait ${exactDuration(told)} and tried again after ${exactDuration(pause)}`;
    return [violated([call, next], said)];
  });
}

/** What was limited once and never asked for again. Another way to the same counts as asking again. */
function retriesOf(session: SeenSession): readonly Occasion[] {
  const calls = operationCalls(session);
  const cancels = calls.filter((call) => isOf(call, 'cancel'));
  const attempts = [
    calls.filter(isSubmission),
    ...readsByJob(session).values(),
    ...[...new Set(cancels.map(jobOf))].map((job) => cancels.filter((call) => jobOf(call) === job)),
  ];
  return attempts.flatMap((calls) => {
    const limited = calls.filter((call) => codeOf(call) === 429 || retryAfterIn(call) !== null);
    const [first] = limited;
    if (first === undefined) return [];
    if (calls.some((call) => call !== first && follows(first, call))) return [kept([first])];
    if (!gaveUp(session) || limited.length > 1) return [];
    return [
      violated(
        [first],
        `it was answered with ${codeOf(first)}, did not try again, and ended without success`,
      ),
    ];
  });
}
