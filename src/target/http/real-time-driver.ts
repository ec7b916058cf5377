/** Runs scripts in real time: each is a loop that sleeps until its runner has something to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { STUCK, TARGET_GONE } from '../../history/events.js';
import { canBeNamed } from '../../history/job-path.js';
import type { OutgoingCall, RunnerAction } from '../../runner/api.js';
import type { Operation } from '../../spec/types.js';
import type { RealClock } from '../../time/real-clock.js';
import type { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { WakeSignal } from './clock/wake-signal.js';
import { expectedWaitMs, type InFlightRequest } from '../session/http-client.js';
import type { Control } from './control.js';
import { heldMaxMs } from '../session/held-uploads.js';
import type { LostReason } from '../session/transport.js';
import { whyAborted } from '../session/why-aborted.js';
import type { ScriptSession } from '../session/script-session.js';
import type { ArrivalTime } from '../session/webhook-receiver.js';
import type { WorkerLease } from '../../schedule/worker-slots.js';

/** A silence is judged up to the last sign of life: at the end of a script that listens, it is at most this old, real ms. */
const LIFE_SIGN_MS = 100;

/** How often it is asked whether a target lives that nothing listens for any more. */
const ASK_AGAIN_MS = 250;

/** So many jobs of a script are looked at where no worker takes one. */
const LOOKED_AT_MAX = 5;

const SIGNS_OF_LOSS: readonly LostReason[] = ['reset', 'refused', 'timeout'];

/** How often a call asks again whether others have left it room. */
const CONCURRENCY_RETRY_MS = 20;

export interface RealTimeDriverOptions {
  readonly clock: RealClock;
  /** Null where the number of workers cannot be changed. */
  readonly control: Control | null;
  /** Null where every script has an endpoint of its own. */
  readonly rateLimiter: ClientRateLimiter | null;
  readonly timeoutMs: number;
}

/** How a script stands to the others on its endpoint. */
export interface SchedulingConstraints {
  readonly lease: WorkerLease | null;
  /** Operations whose calls are not held back, because it drives their limits to their end. */
  readonly saturated: readonly Operation[];
  /** Called where refusals make calls fewer from now on. */
  readonly onSlower?: (() => void) | undefined;
}

export class RealTimeDriver {
  readonly #options: RealTimeDriverOptions;
  /** While some script asks whether the target lives: one is enough. */
  asking: Promise<void> | null = null;

  constructor(options: RealTimeDriverOptions) {
    this.#options = options;
  }

  get nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Whatever has happened has happened by then: the clock rounds down. */
  get byNowMs(): number {
    return this.#options.clock.nowMs() + 1;
  }

  /** Runs the script to its end; resolves with the reason if it had to be given up, else null. */
  async run(
    session: ScriptSession,
    constraints: SchedulingConstraints,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    const run = new RealTimeScriptRun(this, this.#options, session, constraints, signal);
    signal?.addEventListener('abort', run.wakeUp.notify);
    try {
      return await run.toTheEnd();
    } finally {
      signal?.removeEventListener('abort', run.wakeUp.notify);
    }
  }
}

class RealTimeScriptRun {
  readonly wakeUp = new WakeSignal();
  readonly #driver: RealTimeDriver;
  readonly #options: RealTimeDriverOptions;
  readonly #session: ScriptSession;
  readonly #constraints: SchedulingConstraints;
  readonly #signal: AbortSignal | undefined;
  /** Calls and changes that are under way or held back. */
  #busy = 0;
  #submitted = false;
  #submitting = 0;
  #problem: string | null = null;
  #sawWork = false;
  #sawOverrun = false;
  #sawEnd = false;
  #looked = false;

  constructor(
    driver: RealTimeDriver,
    options: RealTimeDriverOptions,
    session: ScriptSession,
    constraints: SchedulingConstraints,
    signal: AbortSignal | undefined,
  ) {
    this.#driver = driver;
    this.#options = options;
    this.#session = session;
    this.#constraints = constraints;
    this.#signal = signal;
  }

  async toTheEnd(): Promise<string | null> {
    const { runner } = this.#session;
    for (;;) {
      if (this.#signal?.aborted) return whyAborted(this.#signal);
      if (this.#problem !== null) return this.#problem;
      if (this.#session.isUnreachable(this.#driver.nowMs)) return TARGET_GONE;
      this.#giveUp();
      const actions = runner.due(this.#driver.nowMs);
      for (const action of actions) this.#perform(action);
      if (runner.done) return this.#listenedToTheEnd();
      this.#leaveWorkersWhereIdle();
      const why = this.#constraints.lease?.stuckBecause ?? null;
      if (why !== null && this.#session.stuckJobs.any) {
        await this.#lookAtOpenJobs();
        return STUCK + why;
      }
      const wakeMs = runner.nextWakeMs();
      if (wakeMs === null && this.#busy === 0 && actions.length === 0) {
        return 'nothing is left that could move it on';
      }
      if (wakeMs === null || wakeMs > this.#driver.nowMs) {
        const { nowMs } = this.#driver;
        const instants = [
          wakeMs,
          this.#session.nextProbableEndMs(nowMs),
          this.#session.nextTooLongMs(nowMs),
        ].filter((at) => at !== null);
        await this.wakeUp.wait(
          instants.length === 0 ? null : Math.ceil(this.#options.clock.realMsUntil(Math.min(...instants))),
        );
      } else if (actions.length === 0) await sleep(1);
    }
  }

  #perform(action: RunnerAction): void {
    if (action.kind === 'expect-webhook') {
      this.#session.expectWebhook(action.token, action.answers, () => this.#arrival(), this.wakeUp.notify);
    } else if (action.kind === 'expect-storage') {
      this.#session.expectStorage(action.token, () => this.#arrival());
    } else if (action.kind === 'workers') {
      void this.#whileBusy(() => this.#changeWorkers(action.lane, action.count));
    } else {
      void this.#whileBusy(() => this.#carry(action.call));
    }
  }

  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.#busy += 1;
    try {
      await work();
    } catch (error) {
      this.#problem ??= error instanceof Error ? error.message : String(error);
    } finally {
      this.#busy -= 1;
      this.wakeUp.notify();
    }
  }

  async #carry(call: OutgoingCall): Promise<void> {
    const { timeoutMs, clock } = this.#options;
    // Limits hold for each endpoint, so what is sent to another one counts for nothing here.
    const rateLimiter =
      call.endpoint === this.#session.allocation.endpoint ? this.#options.rateLimiter : null;
    const submits = call.op === 'run' || call.op === 'runsync' || call.op === 'retry';
    if (submits) this.#submitting += 1;
    if (call.op === null || !this.#constraints.saturated.includes(call.op))
      await this.#waitForAllowance(call, rateLimiter);
    if (this.#signal?.aborted || this.#problem !== null) return;
    if (submits) this.#constraints.lease?.hold();
    const isLoad = this.#constraints.saturated.length > 0;
    rateLimiter?.begin(call.op, isLoad);
    const patienceMs =
      timeoutMs + expectedWaitMs(call) / clock.speed + (call.held ? heldMaxMs(call.held) : 0);
    const request = this.#session.send(call, this.#driver.nowMs, patienceMs, () => this.#driver.nowMs);
    // From now on it can wait for too long, and has to be looked after.
    if (call.mayWait) this.wakeUp.notify();
    await request.settled;
    rateLimiter?.end(call.op);
    if (rateLimiter !== null && !isLoad) this.#hearOf(request, rateLimiter);
    this.#session.complete(request, this.#driver.byNowMs);
    const lost = request.result?.lost;
    // A network loses single connections; a target that is gone answers no other call either.
    if (lost !== undefined && lost !== null && SIGNS_OF_LOSS.includes(lost)) void this.#ask();
    if (!submits) return;
    this.#submitting -= 1;
    this.#submitted = true;
  }

  #hearOf({ call: { op }, sentMs, result }: InFlightRequest, rateLimiter: ClientRateLimiter): void {
    const status = result?.reply?.status;
    if (status !== undefined && rateLimiter.answered({ op, sentMs, isRefused: status === 429 }))
      this.#constraints.onSlower?.();
  }

  /** Of a target that died meanwhile nothing came either. */
  async #listenedToTheEnd(): Promise<string | null> {
    await this.#driver.asking;
    const isKnownToLive =
      this.#driver.nowMs - this.#session.livedMs <= LIFE_SIGN_MS * this.#options.clock.speed;
    if (this.#session.expectsWebhooks && !isKnownToLive) await this.#ask();
    return this.#session.isUnreachable(this.#driver.nowMs) ? TARGET_GONE : null;
  }

  #ask(): Promise<void> {
    this.#driver.asking ??= this.#askWhetherAlive().finally(() => {
      this.#driver.asking = null;
      this.wakeUp.notify();
    });
    return this.#driver.asking;
  }

  async #askWhetherAlive(): Promise<void> {
    const { timeoutMs } = this.#options;
    for (;;) {
      const request = this.#session.ask(
        'health',
        null,
        this.#driver.nowMs,
        timeoutMs,
        () => this.#driver.nowMs,
      );
      await request.settled;
      this.#session.complete(request, this.#driver.byNowMs);
      const isRefused = request.result?.lost === 'refused';
      if (!isRefused || this.#session.isUnreachable(this.#driver.nowMs) || this.#signal?.aborted) return;
      await sleep(ASK_AGAIN_MS);
    }
  }

  /** The first look and the last show which of the script's own jobs keeps a worker from the others. */
  async #lookAtOpenJobs(): Promise<void> {
    this.#looked = true;
    const { timeoutMs, rateLimiter } = this.#options;
    for (const id of this.#session.jobsToEnd().filter(canBeNamed).slice(0, LOOKED_AT_MAX)) {
      if (rateLimiter !== null && rateLimiter.waitMs('status') !== 0) return;
      const request = this.#session.ask(
        'status',
        id,
        this.#driver.nowMs,
        timeoutMs,
        () => this.#driver.nowMs,
      );
      await request.settled;
      this.#session.complete(request, this.#driver.byNowMs);
      // A target that answers no such call would keep the run waiting for each of them.
      if (this.#signal?.aborted || (request.result?.reply ?? null) === null) return;
    }
  }

  async #waitForAllowance(call: OutgoingCall, rateLimiter: ClientRateLimiter | null): Promise<void> {
    for (;;) {
      const waitMs = rateLimiter === null ? 0 : rateLimiter.waitMs(call.op);
      if (waitMs === 0 || this.#signal?.aborted) return;
      await sleep(
        waitMs === null ? CONCURRENCY_RETRY_MS : Math.min(waitMs / this.#options.clock.speed, 1_000),
      );
    }
  }

  async #changeWorkers(lane: string, count: number): Promise<void> {
    const { control } = this.#options;
    if (control === null) throw new Error('the number of workers cannot be changed here');
    const sentMs = this.#driver.nowMs;
    await control.setWorkers(this.#session.allocation.endpoint, count);
    this.#session.workersChanged(lane, count, sentMs, this.#driver.byNowMs);
  }

  #giveUp(): void {
    const { lease } = this.#constraints;
    const { nowMs, byNowMs } = this.#driver;
    this.#session.giveUp(nowMs, byNowMs, (sinceMs) => lease === null || !lease.workedSince(sinceMs));
  }

  #leaveWorkersWhereIdle(): void {
    const { lease } = this.#constraints;
    if (this.#session.hasJobStarted && !this.#sawWork) {
      this.#sawWork = true;
      lease?.reportWorking(this.#driver.nowMs);
    } else if (this.#session.isStarved(this.#driver.nowMs)) {
      lease?.reportStarved();
      if (!this.#looked) void this.#whileBusy(() => this.#lookAtOpenJobs());
    }
    if (this.#session.stuckJobs.anyRuns && !this.#sawOverrun) {
      this.#sawOverrun = true;
      lease?.reportOverrun();
    } else if (this.#session.hasJobEnded && !this.#sawEnd) {
      this.#sawEnd = true;
      lease?.reportEnded();
    }
    if (!this.#submitted || this.#submitting > 0) return;
    if (!this.#session.mayOccupyWorkers(this.#driver.nowMs)) lease?.release();
  }

  #arrival(): ArrivalTime {
    const nowMs = this.#driver.nowMs;
    return { earliestMs: nowMs - this.#session.lateNowMs, latestMs: nowMs };
  }
}
