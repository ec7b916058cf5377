import type { Script } from '../scenario/script.js';
import { RATES } from '../spec/rates.js';
import type { Operation } from '../spec/types.js';
import { purgesTheQueue } from '../scenario/step-effects.js';
import { SHORT_MS, type DryRun } from './dry-run.js';
import { hasNoWorkers, NO_LATENCY, type Latency } from './latency.js';
import { saturatedOperations, type ClientRateLimiter } from './rate-limiter.js';
import type { WorkerLease, WorkerSlots } from './worker-slots.js';

/** A script with what the scheduler needs to know of it. */
export interface ScheduledScript {
  readonly script: Script;
  readonly number: number;
  readonly dryRun: DryRun;
  /** Operations whose rate limits it exhausts on purpose. */
  readonly saturated: readonly Operation[];
  readonly purges: boolean;
  /** How many free workers it needs to start; 0 where its jobs, if any, may stay queued. */
  readonly workers: number;
  /** It needs no worker and ends soon: scripts about keys, refused submissions, unknown ids. */
  readonly isBasic: boolean;
}

interface RunningScript {
  readonly entry: ScheduledScript;
  readonly startedMs: number;
}

/** A rate limit counts as unused when at most this share of it has been used. */
const UNUSED_SHARE = 0.05;
/** How far a script may lag behind its dry run. */
const SLACK_MS = 2_000;
/** How far its calls usually lag behind. */
const USUAL_LAG_MS = 500;

/** @param latency how quickly the target responds, as the dry run assumed */
export function scheduledScript(
  script: Script,
  number: number,
  dryRun: DryRun,
  latency: Latency = NO_LATENCY,
): ScheduledScript {
  const saturated = saturatedOperations(script);
  const { needsNoWorker, lastsMs, firstMs } = dryRun;
  const scarce = [...firstMs.keys()].some(isScarce);
  return {
    script,
    number,
    dryRun,
    saturated,
    purges: script.steps.some(purgesTheQueue),
    // A script that waits for a worker where there are none must not hold up the others.
    workers: needsNoWorker || hasNoWorkers(latency) ? 0 : script.workers,
    isBasic: needsNoWorker && lastsMs <= SHORT_MS && saturated.length === 0 && !scarce,
  };
}

/** Operations with so few calls per window that scripts have to take turns. */
const SCARCE_REQUESTS_MAX = 10;

/** A script that lasts at least this share of the longest one has to start early, or it prolongs the run. */
const LONG_SHARE = 0.8;
/** A script shorter than this may wait for a rate window without prolonging the run. */
const LONG_MIN_MS = 20_000;

/** Basic scripts at one time: their jobs are queued like all others, and must not fill the queue. */
const BASICS_AT_ONCE = 4;

/** Scripts with at least this many workers run last: other workers stand idle until enough are free at once. */
const MANY_WORKERS = 3;

const BASIC_RANK = -2;
/** Between the basic scripts and all others. */
const FIRST_LOOK_RANK = -1;

/** What lasts longer than this is no first look. */
const FIRST_LOOK_MS = 15_000;

/**
 * A few short scripts that reach every basic situation that short scripts reach: first those that reach the most new ones
 * for their time. What is broken altogether shows in them, however little time or few workers there are for the rest.
 */
function firstLook(entries: readonly ScheduledScript[]): ReadonlySet<ScheduledScript> {
  const reached = new Set(entries.flatMap(({ isBasic, dryRun }) => (isBasic ? dryRun.reaches : [])));
  const chosen = new Set<ScheduledScript>();
  let open = entries.filter(
    ({ dryRun, saturated, script, isBasic }) =>
      !isBasic && dryRun.lastsMs <= FIRST_LOOK_MS && saturated.length === 0 && script.workers < MANY_WORKERS,
  );
  for (;;) {
    const worths = open.map(
      ({ dryRun }) => dryRun.reaches.filter((one) => !reached.has(one)).length / (dryRun.lastsMs + SLACK_MS),
    );
    const most = Math.max(0, ...worths);
    const best = open[worths.indexOf(most)];
    if (most === 0 || best === undefined) return chosen;
    chosen.add(best);
    for (const one of best.dryRun.reaches) reached.add(one);
    open = open.filter((entry) => entry !== best);
  }
}

/**
 * The order in which scripts start: basic ones; those of the first look; the longest, during whose waits the others run;
 * those that exhaust a rate limit, because the limit has to be unused; those that call scarce operations; the rest,
 * longest first.
 */
export function inOrder(entries: readonly ScheduledScript[]): ScheduledScript[] {
  const longestMs = Math.max(0, ...entries.map(({ dryRun }) => dryRun.lastsMs));
  const rank = (entry: ScheduledScript): number =>
    rankOf(entry, Math.max(LONG_MIN_MS, LONG_SHARE * longestMs));
  // Where all are short, none has to wait for long.
  const first = longestMs > FIRST_LOOK_MS ? [...firstLook(entries)] : [];
  const placeOf = (entry: ScheduledScript): number => {
    const place = first.indexOf(entry);
    return place === -1 ? rank(entry) : FIRST_LOOK_RANK + place / first.length;
  };
  return [...entries].sort(
    (left, right) => placeOf(left) - placeOf(right) || right.dryRun.lastsMs - left.dryRun.lastsMs,
  );
}

/** Until when jobs of the script may be queued. Jobs without a reserved worker may be queued all the time. */
function queuesUntilMsOf({ workers, dryRun }: ScheduledScript): number | null {
  return workers === 0 && dryRun.hasJobs ? dryRun.lastsMs : dryRun.queuesUntilMs;
}

const SUBMITTING = ['run', 'runsync', 'openai', 'retry'] as const;

/**
 * The script purges while a job that the other one, `aheadMs` further, has just submitted may still be queued: a free
 * worker takes it, but not at once, and not where another script has it against the plan.
 */
function purgesNewJobs(
  { purges, dryRun }: ScheduledScript,
  { dryRun: other }: ScheduledScript,
  aheadMs: number,
): boolean {
  if (!purges) return false;
  const purgedMs = (dryRun.timesByOperation.get('purge-queue') ?? []).map((atMs) => atMs + aheadMs);
  const submittedMs = SUBMITTING.flatMap((op) => other.timesByOperation.get(op) ?? []);
  return purgedMs.some((atMs) =>
    submittedMs.some((sentMs) => atMs >= sentMs - USUAL_LAG_MS && atMs <= sentMs + SLACK_MS),
  );
}

function isScarce(op: Operation): boolean {
  return (RATES[op]?.requests ?? Infinity) <= SCARCE_REQUESTS_MAX;
}

function rankOf({ saturated, dryRun, script, isBasic }: ScheduledScript, longMs: number): number {
  if (isBasic) return BASIC_RANK;
  if (script.workers >= MANY_WORKERS) return 4;
  if (saturated.length > 0) return 1;
  if (dryRun.lastsMs >= longMs) return 0;
  return [...dryRun.firstMs.keys()].some(isScarce) ? 2 : 3;
}

/**
 * Decides which script may start now on an endpoint that all scripts share. A script needs exclusive use only of the
 * rate limits that it exhausts, and of the queue where it purges. Others wait while it would disturb them, and run
 * concurrently otherwise.
 */
export class Scheduler {
  readonly #slots: WorkerSlots;
  readonly #rateLimiter: ClientRateLimiter | null;
  readonly #nowMs: () => number;
  readonly #waiting: ScheduledScript[];
  readonly #running = new Set<RunningScript>();

  constructor(
    entries: readonly ScheduledScript[],
    shared: { slots: WorkerSlots; rateLimiter: ClientRateLimiter | null; nowMs: () => number },
  ) {
    this.#waiting = inOrder(entries);
    this.#slots = shared.slots;
    this.#rateLimiter = shared.rateLimiter;
    this.#nowMs = shared.nowMs;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Scripts that need a worker, which are not started while workers are stuck. */
  get waitingInVain(): readonly ScheduledScript[] {
    return this.#slots.stuckBecause === null
      ? []
      : this.#waiting.filter(({ dryRun }) => !dryRun.needsNoWorker);
  }

  /** Takes the next script that may start, with its workers; null when none may start now. */
  next(): {
    readonly entry: ScheduledScript;
    readonly lease: WorkerLease;
    readonly end: () => void;
  } | null {
    let workersAwaited = false;
    const reserved = new Set<Operation>();
    let queueReserved = false;
    const basics = [...this.#running].filter(({ entry }) => entry.isBasic).length;
    const inVain = new Set(this.waitingInVain);
    for (const [index, entry] of this.#waiting.entries()) {
      if (inVain.has(entry) || (entry.isBasic && basics >= BASICS_AT_ONCE)) continue;
      // Workers are granted in order; otherwise scripts that need many would wait forever.
      if (entry.workers > 0 && workersAwaited) {
        for (const op of entry.saturated.filter(isScarce)) reserved.add(op);
        continue;
      }
      // The same holds for a limit that has to be unused, where a few calls make a difference.
      if ([...entry.dryRun.firstMs.keys()].some((op) => reserved.has(op))) continue;
      if (queueReserved && entry.dryRun.hasJobs) continue;
      const obstacle = this.#obstacleOf(entry);
      if (obstacle !== null) {
        for (const op of entry.saturated) if (obstacle === 'calls' || isScarce(op)) reserved.add(op);
        if (obstacle === 'queue' && entry.purges) queueReserved = true;
        continue;
      }
      const lease = this.#slots.tryAdmit(entry.workers);
      if (lease === null) {
        workersAwaited = true;
        continue;
      }
      this.#waiting.splice(index, 1);
      const running = { entry, startedMs: this.#nowMs() };
      this.#running.add(running);
      return { entry, lease, end: () => void this.#running.delete(running) };
    }
    return null;
  }

  /** Why it may not start now: a rate limit, later calls of others that it would delay, or queued jobs; else null. */
  #obstacleOf(entry: ScheduledScript): 'limit' | 'calls' | 'queue' | null {
    if (!this.#limitsAreUnused(entry.saturated)) return 'limit';
    const others = [...this.#running];
    if (others.some((other) => other.entry.saturated.some((op) => entry.saturated.includes(op))))
      return 'limit';
    const usable = [...entry.dryRun.firstMs].every(
      ([op, firstMs]) => entry.saturated.includes(op) || this.#usableInMs(op) <= firstMs,
    );
    if (!usable) return 'limit';
    if (others.some((other) => this.#delays(entry, other))) return 'calls';
    return others.some((other) => this.#disturbsQueue(entry, other)) ? 'queue' : null;
  }

  /** A call made while the limit is used up has to wait, which would prolong a script that is already long. */
  #delays({ saturated, dryRun }: ScheduledScript, { entry: other, startedMs }: RunningScript): boolean {
    const sinceMs = this.#nowMs() - startedMs;
    return saturated.some((op) => {
      const usedUpMs = dryRun.usedUpUntilMs.get(op) ?? 0;
      const times = other.dryRun.timesByOperation.get(op) ?? [];
      return times.some((atMs) => atMs > sinceMs - USUAL_LAG_MS && atMs < sinceMs + usedUpMs);
    });
  }

  /** A purge removes every queued job, whichever script submitted it. */
  #disturbsQueue(entry: ScheduledScript, { entry: other, startedMs }: RunningScript): boolean {
    const sinceMs = this.#nowMs() - startedMs;
    const { purgesUntilMs } = other.dryRun;
    const queuesUntilMs = queuesUntilMsOf(other);
    if (entry.purges && queuesUntilMs !== null && sinceMs <= queuesUntilMs + SLACK_MS) return true;
    const purges = other.purges && purgesUntilMs !== null && sinceMs <= purgesUntilMs + SLACK_MS;
    if (purges && queuesUntilMsOf(entry) !== null) return true;
    return purgesNewJobs(entry, other, sinceMs) || purgesNewJobs(other, entry, -sinceMs);
  }

  #limitsAreUnused(saturated: readonly Operation[]): boolean {
    return saturated.every((op) => (this.#rateLimiter?.usedShare(op) ?? 0) <= UNUSED_SHARE);
  }

  /** In how many ms an operation can be called again, as far as can be predicted. */
  #usableInMs(op: Operation): number {
    const nowMs = this.#nowMs();
    let inMs = this.#rateLimiter?.waitMs(op) ?? 0;
    for (const { entry, startedMs } of this.#running) {
      const untilMs = entry.saturated.includes(op) ? entry.dryRun.usedUpUntilMs.get(op) : undefined;
      if (untilMs !== undefined) inMs = Math.max(inMs, startedMs + untilMs - nowMs);
    }
    return inMs;
  }
}
