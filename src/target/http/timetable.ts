import type { Script } from '../../scenario/script.js';
import { RATES } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import type { CreateScriptRunner } from '../port.js';
import { saturatedOperations } from '../../schedule/rate-limiter.js';
import type { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { NO_LATENCY, hasNoWorkers, type Latency } from '../../schedule/latency.js';
import { purgesTheQueue } from './purges.js';
import { dryRun, SHORT_MS } from './rehearsal.js';
import type { DryRun } from './rehearsal.js';
import type { WorkerLease, WorkerSlots } from '../../schedule/worker-slots.js';

/** What a script does to the endpoint that it shares with others. */
export interface ScheduledScript {
  readonly script: Script;
  readonly number: number;
  readonly dryRun: DryRun;
  /** Operations whose limits it drives to their end. */
  readonly saturated: readonly Operation[];
  readonly purges: boolean;
  /** How many workers it waits for; 0 where its jobs, if it has any, may as well wait. */
  readonly workers: number;
  /** It needs no worker and is over soon: keys, refused submissions, unknown ids. */
  readonly isBasic: boolean;
}

interface RunningScript {
  readonly entry: ScheduledScript;
  readonly fromMs: number;
}

/** A limit counts as whole when at most this share of it has been used. */
const WHOLE_SHARE = 0.05;
/** How far a script may lag behind its rehearsal. */
const SLACK_MS = 2_000;
/** And how far its calls do as a rule. */
const LAG_MS = 500;

export function scheduledScript(
  script: Script,
  number: number,
  createPlayer: CreateScriptRunner,
  pace: Latency = NO_LATENCY,
): ScheduledScript {
  const rehearsal = dryRun(script, createPlayer, pace);
  const driven = saturatedOperations(script);
  const { needsNoWorker, lastsMs, firstMs } = rehearsal;
  const scarce = [...firstMs.keys()].some(isScarce);
  return {
    script,
    number,
    dryRun: rehearsal,
    saturated: driven,
    purges: script.steps.some(purgesTheQueue),
    // Who waits for a worker where there are none holds nobody back.
    workers: needsNoWorker || hasNoWorkers(pace) ? 0 : script.workers,
    isBasic: needsNoWorker && lastsMs <= SHORT_MS && driven.length === 0 && !scarce,
  };
}

/** Operations with so few calls in a window that scripts have to queue for them. */
const SCARCE_REQUESTS_MAX = 10;

/** What lasts at least this share of the longest script may not begin late, or the run lasts longer for it. */
const LONG_SHARE = 0.8;
/** Nothing is lost where less than this begins after a limit is whole again. */
const LONG_MIN_MS = 20_000;

/** The jobs of basics wait for workers like all others: so many scripts at once do not crowd the queue. */
const BASICS_AT_ONCE = 4;

/** Until so many workers are free at once the others stand idle: last, when nobody else wants them. */
const MANY_WORKERS = 3;

/**
 * First the basics, which want no worker: keys, refused submissions, unknown ids. Then the longest, whose waits cover the rest; then drivers of limits, since only an unused limit can be tried;
 * then those that call what few may call at a time; then the others by their length.
 */
export function inOrder(entries: readonly ScheduledScript[]): ScheduledScript[] {
  const longestMs = Math.max(0, ...entries.map(({ dryRun: rehearsal }) => rehearsal.lastsMs));
  const rank = (entry: ScheduledScript): number =>
    rankOf(entry, Math.max(LONG_MIN_MS, LONG_SHARE * longestMs));
  return [...entries].sort(
    (left, right) => rank(left) - rank(right) || right.dryRun.lastsMs - left.dryRun.lastsMs,
  );
}

/** Jobs that no worker is kept for may wait in the queue all the time. */
function queuesUntilMsOf({ workers, dryRun: rehearsal }: ScheduledScript): number | null {
  return workers === 0 && rehearsal.hasJobs ? rehearsal.lastsMs : rehearsal.queuesUntilMs;
}

function isScarce(op: Operation): boolean {
  return (RATES[op]?.requests ?? Infinity) <= SCARCE_REQUESTS_MAX;
}

function rankOf(
  { saturated: driven, dryRun: rehearsal, script, isBasic }: ScheduledScript,
  longMs: number,
): number {
  if (isBasic) return -1;
  if (script.workers >= MANY_WORKERS) return 4;
  if (driven.length > 0) return 1;
  if (rehearsal.lastsMs >= longMs) return 0;
  return [...rehearsal.firstMs.keys()].some(isScarce) ? 2 : 3;
}

/**
 * Says which script may begin now on an endpoint that all of them share. What a script wants for itself is only
 * the rate of the operations whose limits it drives to their end, and the queue where it purges: the others are
 * held off as long as these would spoil them, and run beside it otherwise.
 */
export class Scheduler {
  readonly #slots: WorkerSlots;
  readonly #rateLimiter: ClientRateLimiter | null;
  readonly #nowMs: () => number;
  readonly #waiting: ScheduledScript[];
  readonly #underWay = new Set<RunningScript>();

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

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Takes the next script that may begin, with its workers; null when none may at this moment. */
  next(): {
    readonly entry: ScheduledScript;
    readonly workerLease: WorkerLease;
    readonly end: () => void;
  } | null {
    let workersWanted = false;
    const reserved = new Set<Operation>();
    let queueReserved = false;
    const basics = [...this.#underWay].filter(({ entry }) => entry.isBasic).length;
    for (const [index, entry] of this.#waiting.entries()) {
      if (entry.isBasic && basics >= BASICS_AT_ONCE) continue;
      // Who asks for workers first gets them first, or scripts that want many would wait for ever.
      if (entry.workers > 0 && workersWanted) {
        for (const op of entry.saturated.filter(isScarce)) reserved.add(op);
        continue;
      }
      // The same goes for a limit that has to be whole, where few calls make a difference.
      if ([...entry.dryRun.firstMs.keys()].some((op) => reserved.has(op))) continue;
      if (queueReserved && queuesUntilMsOf(entry) !== null) continue;
      const hindrance = this.#obstacleOf(entry);
      if (hindrance !== null) {
        for (const op of entry.saturated) if (hindrance === 'calls' || isScarce(op)) reserved.add(op);
        if (hindrance === 'queue' && entry.purges) queueReserved = true;
        continue;
      }
      const workerLease = this.#slots.tryAdmit(entry.workers);
      if (workerLease === null) {
        workersWanted = true;
        continue;
      }
      this.#waiting.splice(index, 1);
      const underWay = { entry, fromMs: this.#nowMs() };
      this.#underWay.add(underWay);
      return { entry, workerLease, end: () => void this.#underWay.delete(underWay) };
    }
    return null;
  }

  /** Why it may not begin now: a limit, calls to come of others that it would hold up, or jobs in the queue. */
  #obstacleOf(entry: ScheduledScript): 'limit' | 'calls' | 'queue' | null {
    if (!this.#limitsAreWhole(entry.saturated)) return 'limit';
    const others = [...this.#underWay];
    if (others.some((other) => other.entry.saturated.some((op) => entry.saturated.includes(op))))
      return 'limit';
    const usable = [...entry.dryRun.firstMs].every(
      ([op, firstMs]) => entry.saturated.includes(op) || this.#usableInMs(op) <= firstMs,
    );
    if (!usable) return 'limit';
    if (others.some((other) => this.#holdsUp(entry, other))) return 'calls';
    return others.some((other) => this.#spoilsTheQueue(entry, other)) ? 'queue' : null;
  }

  /** Whose call comes while a limit is used up has to wait: the long waits of a run would be longer still. */
  #holdsUp(
    { saturated: driven, dryRun: rehearsal }: ScheduledScript,
    { entry: other, fromMs }: RunningScript,
  ): boolean {
    const sinceMs = this.#nowMs() - fromMs;
    return driven.some((op) => {
      const usedUpMs = rehearsal.usedUpUntilMs.get(op) ?? 0;
      const times = other.dryRun.timesByOperation.get(op) ?? [];
      return times.some((atMs) => atMs > sinceMs - LAG_MS && atMs < sinceMs + usedUpMs);
    });
  }

  /** A purge takes away whatever waits in the queue, whoever submitted it. */
  #spoilsTheQueue(entry: ScheduledScript, { entry: other, fromMs }: RunningScript): boolean {
    const sinceMs = this.#nowMs() - fromMs;
    const { purgesUntilMs } = other.dryRun;
    const queuesUntilMs = queuesUntilMsOf(other);
    if (entry.purges && queuesUntilMs !== null && sinceMs <= queuesUntilMs + SLACK_MS) return true;
    const purges = other.purges && purgesUntilMs !== null && sinceMs <= purgesUntilMs + SLACK_MS;
    return purges && queuesUntilMsOf(entry) !== null;
  }

  #limitsAreWhole(driven: readonly Operation[]): boolean {
    return driven.every((op) => (this.#rateLimiter?.usedShare(op) ?? 0) <= WHOLE_SHARE);
  }

  /** When an operation can be called again, as far as is foreseen. */
  #usableInMs(op: Operation): number {
    const nowMs = this.#nowMs();
    let inMs = this.#rateLimiter?.waitMs(op) ?? 0;
    for (const { entry, fromMs } of this.#underWay) {
      const untilMs = entry.saturated.includes(op) ? entry.dryRun.usedUpUntilMs.get(op) : undefined;
      if (untilMs !== undefined) inMs = Math.max(inMs, fromMs + untilMs - nowMs);
    }
    return inMs;
  }
}
