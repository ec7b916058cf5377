/**
 * The life-cycle of a job as a table: sections 1, 2.2, 3, 4.1 and 4.2 of the document. What calls do to a job stands in
 * `lifecycle-calls.ts`.
 *
 * A job is in one state at a time, and timers move it on. A timer runs while the job is in certain states, counts from one
 * instant of the job's life, and has two bounds, each of which belongs to a requirement:
 *
 * - `tooLate`: the job does not stay in these states for longer than `mostMs`, lateness allowed. A job that is seen there later
 *   breaks it, and so does one that moves on later, wherever it goes.
 * - `tooEarly`: the timer does not move the job before `leastMs`.
 *
 * `moves.ts` reads all bounds from here, to rule out what they forbid and to name what was broken. Of the requirements of a
 * bound the first that applies to the job is meant.
 */
import type { RequirementId } from '../../spec/index.js';
import type { Hypothesis, Place } from './hypothesis.js';
import { CRASH_NOTICED_MS, startsByMs, UNSUCCESSFUL_KEPT_MS, type Life } from './life.js';
import { ENDED, LIFE, STARTED, ZERO, type Instant, type Zone } from './zone.js';

/** A requirement, and the jobs that it is about. */
export interface Variant {
  readonly id: RequirementId;
  /** The states that the job stays in; default: all in which the timer runs. */
  readonly in?: readonly Place[];
  readonly if?: (life: Life, at: Hypothesis) => boolean;
}

export interface Timer {
  readonly name: string;
  readonly section: string;
  readonly runsIn: readonly Place[];
  readonly leadsTo: readonly Place[];
  /** It counts from here; `ZERO`: its bounds are instants. */
  readonly since: Instant;
  /** It does not strike before, ms; null: nothing is certain. */
  leastMs(at: Hypothesis, life: Life): number | null;
  /** It has struck by then, lateness aside, ms; null: nothing is certain. `seenMs`: of a job that was seen then; null: of one that moved. */
  mostMs(at: Hypothesis, life: Life, zone: Zone, seenMs: number | null): number | null;
  /** How many sleeps of the worker may each be late besides. */
  sleeps?(at: Hypothesis, life: Life): number;
  readonly tooLate: readonly Variant[];
  readonly tooEarly: readonly Variant[];
  readonly words: Words;
}

/**
 * How a proof tells of a bound: `started not after 3.000 s, executionTimeout 5.000 s → not running after 8.000 s`. Of a bound
 * that is an instant only `since` is told, and the instant.
 */
export interface Words {
  readonly since: string;
  readonly length: string;
  readonly over: string;
  readonly still: string;
}

const EVERYWHERE: readonly Place[] = [
  'queue',
  'progress',
  'completed',
  'failed',
  'timed-out',
  'cancelled',
  'purged',
];

const isRetried = (_: Life, { retries }: Hypothesis): boolean => retries > 0;
const isSync = ({ sync }: Life): boolean => sync;
const hasNoTtl = ({ ttlGiven }: Life): boolean => !ttlGiven;
const hasNoTimeout = ({ executionGiven }: Life): boolean => !executionGiven;
const outcomeOf = (life: Life, { runs }: Hypothesis): string => life.foreseen(runs).outcome;
const isCrashed = (life: Life, at: Hypothesis): boolean => outcomeOf(life, at) === 'crash' || at.runs > 0;
const endsInError = (life: Life, at: Hypothesis): boolean =>
  outcomeOf(life, at) === 'error' || outcomeOf(life, at) === 'crash';

/** The whole life of a job, from its submission to the deletion of its record. */
export const TTL: Timer = {
  name: 'ttl',
  section: '2.2',
  runsIn: EVERYWHERE,
  leadsTo: ['gone'],
  since: LIFE,
  leastMs: ({ terms }) => terms.ttlMs,
  mostMs: ({ terms }) => terms.ttlMs,
  tooLate: [
    { id: '2.2/ttl-default-removes', if: hasNoTtl },
    { id: '2.2/ttl-removes-queued', in: ['queue'] },
    { id: '2.2/ttl-removes-running', in: ['progress'] },
    { id: '2.2/ttl-removes-completed', in: ['completed'] },
    { id: '2.2/ttl-removes-failed', in: ['failed'] },
    { id: '2.2/ttl-removes-timed-out', in: ['timed-out'] },
    { id: '2.2/ttl-removes-cancelled', in: ['cancelled', 'purged'] },
  ],
  tooEarly: [
    { id: '2.2/ttl-default-not-early', in: ['queue', 'progress'], if: hasNoTtl },
    { id: '2.2/ttl-not-early-queued', in: ['queue'] },
    { id: '2.2/ttl-not-early-running', in: ['progress'] },
    { id: '2.2/ttl-not-early-completed' },
  ],
  words: { since: 'submitted', length: 'ttl', over: 'gone by', still: 'it was still there' },
};

/** How long a run may last; its end is told as TIMED_OUT, FAILED or CANCELLED: which of them is open. */
export const EXECUTION_TIMEOUT: Timer = {
  name: 'executionTimeout',
  section: '2.2',
  runsIn: ['progress'],
  leadsTo: ['timed-out'],
  since: STARTED,
  // Whether runs before a retry count is open.
  leastMs: ({ terms, spentMs }) => Math.max(0, terms.executionLeastMs - spentMs),
  mostMs: ({ terms }) => terms.executionMs,
  tooLate: [
    { id: '2.2/execution-timeout-default-enforced', if: hasNoTimeout },
    { id: '4.6/keeps-policy', if: isRetried },
    { id: '2.2/execution-timeout-stops-runsync', if: isSync },
    { id: '2.2/execution-timeout-stops-run' },
  ],
  tooEarly: [
    { id: '2.2/execution-timeout-default-not-early', if: hasNoTimeout },
    { id: '2.2/execution-timeout-not-early' },
  ],
  words: {
    since: 'started',
    length: 'executionTimeout',
    over: 'not running after',
    still: 'it was IN_PROGRESS',
  },
};

/** However often it is given to another worker: a job whose workers all die fails in the end, their work aside. */
const DYING_MAX_MS = 3_600_000;

/** A job that each worker that took it has died of. */
const CRASH: Timer = {
  name: 'crash',
  section: '3',
  runsIn: ['queue', 'progress'],
  leadsTo: ['failed'],
  since: ZERO,
  leastMs: () => null,
  mostMs(at, life, _, seenMs) {
    const isDying =
      at.place === 'queue' ? at.runs > at.retries : outcomeOf(life, at) === 'crash' && at.runs > 0;
    if (!isDying || seenMs === null) return null;
    // Seen running or not: where a worker was certainly free, one took it.
    const first = at.evidence.firstStarted?.receivedMs ?? (at.retries === 0 ? life.startWindow.byMs : null);
    // Without a worker it waits for one, however long.
    const waits = at.place === 'queue' && life.startWindow.startsBy(seenMs - DYING_MAX_MS) > seenMs;
    if (first === null || waits) return null;
    return first + (at.runs + 1) * (life.foreseen(0).lastsMs ?? 0) + DYING_MAX_MS;
  },
  tooLate: [{ id: '3/worker-crash-fails' }],
  tooEarly: [],
  words: {
    since: 'each worker that took it died, so that it had to end by',
    length: '',
    over: '',
    still: 'it had not ended',
  },
};

/** The work itself, as far as the worker's plan is known. An output that is too large for a service is a success of the handler all the same. */
export const HANDLER: Timer = {
  name: 'handler',
  section: '3',
  runsIn: ['progress'],
  leadsTo: ['completed', 'failed'],
  since: STARTED,
  leastMs: (at, life) => finite(life.foreseen(at.runs).lastsMs),
  mostMs(at, life) {
    const { lastsMs, outcome } = life.foreseen(at.runs);
    const endsMs = finite(lastsMs);
    return endsMs === null ? null : endsMs + (outcome === 'crash' ? CRASH_NOTICED_MS : 0);
  },
  sleeps: (at, life) => life.foreseen(at.runs).sleeps,
  tooLate: [
    { id: '4.6/retried-job-runs', if: isRetried },
    { id: '3/worker-crash-fails', if: isCrashed },
    { id: '3/handler-error-fails-runsync', if: (life, at) => endsInError(life, at) && life.sync },
    { id: '3/handler-error-fails-run', if: endsInError },
    { id: '3/success-completes-runsync', if: isSync },
    { id: '3/success-completes-run' },
  ],
  tooEarly: [{ id: '4.6/retried-job-runs', if: isRetried }, { id: '3/not-completed-before-handler-ends' }],
  words: {
    since: 'started',
    length: 'the worker needs',
    over: 'not running after',
    still: 'it was IN_PROGRESS',
  },
};

const finite = (ms: number | null): number | null => (ms === Infinity ? null : ms);

/** A worker that is free takes the job; where all are busy it waits. */
export const WORKER: Timer = {
  name: 'worker',
  section: '1',
  runsIn: ['queue'],
  leadsTo: ['progress'],
  since: ZERO,
  leastMs: ({ runs }, { startWindow }) => (runs > 0 ? null : startWindow.notBeforeMs),
  mostMs: (at, life, zone) => startsByMs(life, at, zone),
  tooLate: [
    { id: '2.2/low-priority-job-runs', if: ({ lowPriority }) => lowPriority },
    { id: '1/free-worker-takes-job', if: ({ startWindow }) => startWindow.atOnce },
    { id: '1/freed-worker-takes-waiting-job' },
  ],
  tooEarly: [{ id: '1/waits-when-no-worker-free' }],
  words: {
    since: 'a worker was certainly free, so that it had to start by',
    length: '',
    over: '',
    still: 'it was IN_QUEUE',
  },
};

/** How long the record of a completed job can be read. */
export const RETENTION: Timer = {
  name: 'retention',
  section: '4.1, 4.2',
  runsIn: ['completed'],
  leadsTo: ['gone'],
  since: ENDED,
  leastMs: ({ terms }) => terms.keptAtLeastMs,
  mostMs: ({ terms }) => terms.keptAtMostMs,
  tooLate: [
    { id: '4.2/retention-gone', if: ({ sync }) => !sync },
    { id: '4.1/retention-with-wait-gone', if: ({ waitGiven }) => waitGiven },
    { id: '4.1/retention-gone' },
  ],
  tooEarly: [{ id: '4.1/retention-kept', if: isSync }, { id: '4.2/retention-kept' }],
  words: { since: 'ended', length: 'kept for', over: 'gone by', still: 'its result was still readable' },
};

/** How long any other record can be read is open; a `/retry` that follows at once finds the job. */
const UNSUCCESSFUL_RETENTION: Timer = {
  name: 'retention of an unsuccessful job',
  section: '3',
  runsIn: ['failed', 'timed-out'],
  leadsTo: ['gone'],
  since: ENDED,
  leastMs: () => UNSUCCESSFUL_KEPT_MS,
  mostMs: () => null,
  tooLate: [],
  tooEarly: [
    { id: '3/failed-stays', in: ['failed'] },
    { id: '3/timed-out-stays', in: ['timed-out'] },
  ],
  words: RETENTION.words,
};

/** What is cancelled or purged may be deleted at any time. */
const NO_RETENTION: Timer = {
  ...UNSUCCESSFUL_RETENTION,
  name: 'retention of a cancelled job',
  runsIn: ['cancelled', 'purged'],
  leastMs: () => null,
  tooEarly: [],
};

/** In the order in which they are looked at. */
export const TIMERS: readonly Timer[] = [
  TTL,
  EXECUTION_TIMEOUT,
  CRASH,
  HANDLER,
  WORKER,
  RETENTION,
  UNSUCCESSFUL_RETENTION,
  NO_RETENTION,
];

/** By state. */
export const RUNNING: { readonly [P in Exclude<Place, 'gone'>]: readonly Timer[] } = {
  queue: runningIn('queue'),
  progress: runningIn('progress'),
  completed: runningIn('completed'),
  failed: runningIn('failed'),
  'timed-out': runningIn('timed-out'),
  cancelled: runningIn('cancelled'),
  purged: runningIn('purged'),
};

function runningIn(place: Place): readonly Timer[] {
  return TIMERS.filter(({ runsIn }) => runsIn.includes(place));
}

/** The requirement of a bound for this job, where it is `in` that state. */
export function requirementOf(
  bound: readonly Variant[],
  life: Life,
  at: Hypothesis,
  place = at.place,
): RequirementId {
  const found = bound.find((one) => (one.in?.includes(place) ?? true) && (one.if?.(life, at) ?? true));
  if (found === undefined) throw new Error(`no requirement of this bound is about a job that is ${place}`);
  return found.id;
}
