import { setMaxListeners } from 'node:events';
import type { HistorySink, RunOptions, RunSummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import { STUCK } from '../../history/events.js';
import { WakeSignal } from './clock/wake-signal.js';
import { ControlError } from './control.js';
import { awaitSubmissionReplies } from './ending.js';
import { allocateEndpoints, removeEndpoints, runContextOf } from './target-context.js';
import { ProgressCounter } from '../progress-counter.js';
import type { TargetContext } from './target-context.js';
import { EventLoopLagMonitor } from '../session/event-loop-lag.js';
import type { SchedulingConstraints, RealTimeDriver } from './real-time-driver.js';
import { dryRun } from '../simulator/dry-run.js';
import { ScriptSession } from '../session/script-session.js';
import type { RunContext } from '../session/script-session.js';
import { cancelJobs, stillAlive, type JobOnEndpoint } from './cleanup.js';
import { OwnCalls } from './probes/own-calls.js';
import { scheduledScript, Scheduler } from '../../schedule/scheduler.js';
import { WorkerSlots } from '../../schedule/worker-slots.js';

/** How many scripts are under way at once; they mostly sleep. */
const CONCURRENCY = 64;
/** How often to look whether time alone has made room for a script. */
const ASK_EVERY_MS = 250;

/** More calls than planned are made before polling slows down: some jobs take a little longer. */
const callsAllowed = (planned: number): number => Math.ceil(1.25 * planned) + 10;

interface Numbered {
  readonly script: Script;
  readonly number: number;
}

/** Runs scripts in real time, all waits side by side: the longest begin first. */
export async function runInRealTime(
  context: TargetContext,
  driver: RealTimeDriver,
  scripts: readonly Script[],
  sink: HistorySink,
  options: RunOptions,
): Promise<RunSummary> {
  // Every script under way listens to it.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  return new RealTimeRun(context, driver, sink, options, scripts.length).run(scripts);
}

class RealTimeRun {
  readonly #context: TargetContext;
  readonly #driver: RealTimeDriver;
  readonly #options: RunOptions;
  readonly #runContext: RunContext;
  readonly #progress: ProgressCounter;
  readonly #concurrency: number;
  readonly #lag: EventLoopLagMonitor;
  readonly #sessions: ScriptSession[] = [];
  readonly #sink: HistorySink;
  /** Null where others use the endpoint, or every script has one of its own. */
  readonly #ownCalls: OwnCalls | null;
  /** A job that no worker took: it is left in the queue until all others have ended. */
  #waiting: { readonly session: ScriptSession; readonly id: string } | null = null;
  readonly #left: JobOnEndpoint[] = [];
  /** Why scripts that need a worker were not run; null where they were. */
  #stuckBecause: string | null = null;
  /** The lowest pace of the run, where refusals made calls fewer. */
  #slowest = Infinity;

  constructor(
    context: TargetContext,
    driver: RealTimeDriver,
    sink: HistorySink,
    options: RunOptions,
    total: number,
  ) {
    this.#context = context;
    this.#driver = driver;
    this.#options = options;
    this.#sink = sink;
    const { endpoint, dedicated, ownEndpoints } = context;
    this.#ownCalls =
      dedicated && endpoint !== null && !ownEndpoints
        ? new OwnCalls({ context, endpoint, sink, clock: driver, signal: options.signal })
        : null;
    this.#lag = new EventLoopLagMonitor(driver.nowMs, context.speed);
    this.#runContext = runContextOf(context, sink, options.createRunner, this.#lag, (script) =>
      callsAllowed(dryRun(script, context.latency).calls),
    );
    this.#progress = new ProgressCounter(options, total, () => context.client.calls);
    this.#concurrency = Math.max(1, options.concurrency ?? CONCURRENCY);
  }

  async run(scripts: readonly Script[]): Promise<RunSummary> {
    const first = this.#options.firstScript ?? 0;
    const numbered = scripts.map((script, index) => ({ script, number: first + index }));
    const startMs = this.#driver.nowMs;
    await this.#ownCalls?.countBefore();
    await (this.#context.ownEndpoints ? this.#runApart(numbered) : this.#runOnSharedEndpoint(numbered));
    if (!this.#context.ownEndpoints) await this.#endLateJobs();
    const isLost = await this.#endWaiting();
    if (this.#stuckBecause !== null && !isLost && !this.#options.signal?.aborted) await this.#submitOneMore();
    if (!this.#options.signal?.aborted) await this.#ownCalls?.countAfter();
    await this.#readOnceMore();
    return {
      ...this.#progress.summary(this.#driver.nowMs - startMs),
      harnessLagMs: this.#lag.stop(),
      ...(this.#slowest < Infinity ? { slowestCallsPerSecond: this.#slowest } : {}),
    };
  }

  /** Each on an endpoint of its own, where none can disturb another. */
  async #runApart(numbered: readonly Numbered[]): Promise<void> {
    // Not `expectedMs`, which takes every wait for a state to last as long as it may.
    const lastsMs = ({ script }: Numbered): number => dryRun(script, this.#context.latency).lastsMs;
    const queue = [...numbered].sort((a, b) => lastsMs(b) - lastsMs(a));
    const runOneAfterAnother = async (): Promise<void> => {
      for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
        if (this.#options.signal?.aborted) return;
        await this.#runScript(entry, { lease: null, saturated: [] });
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#concurrency, queue.length) }, runOneAfterAnother));
  }

  async #runOnSharedEndpoint(numbered: readonly Numbered[]): Promise<void> {
    const { signal } = this.#options;
    const { rateLimiter, workers, latency } = this.#context;
    const wakeUp = new WakeSignal();
    const slots = new WorkerSlots(workers ?? 1, wakeUp.notify);
    const entries = numbered.map(({ script, number }) =>
      scheduledScript(script, number, dryRun(script, latency), latency),
    );
    const scheduler = new Scheduler(entries, { slots, rateLimiter, nowMs: () => this.#driver.nowMs });
    const running = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | null = null;
    signal?.addEventListener('abort', wakeUp.notify);
    while (!scheduler.isEmpty && !signal?.aborted && failure === null) {
      const next = scheduler.running < this.#concurrency && !this.#mayComeBack() ? scheduler.next() : null;
      if (next === null) {
        if (scheduler.running === 0 && scheduler.waitingInVain.length > 0) break;
        await wakeUp.wait(ASK_EVERY_MS);
        continue;
      }
      const { entry, lease, end } = next;
      const run: Promise<void> = this.#runScript(entry, {
        lease,
        saturated: entry.saturated,
        onSlower: this.#tellPace,
      })
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          lease.release();
          end();
          running.delete(run);
          wakeUp.notify();
        });
      running.add(run);
    }
    await Promise.all(running);
    const why = slots.stuckBecause;
    this.#stuckBecause = why;
    if (why !== null && !signal?.aborted)
      for (const { script, number } of scheduler.waitingInVain)
        this.#progress.ended(number, script, STUCK + why);
    signal?.removeEventListener('abort', wakeUp.notify);
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
  }

  readonly #tellPace = (): void => {
    const callsPerSecond = this.#context.rateLimiter?.reducedTo ?? Infinity;
    if (callsPerSecond >= this.#slowest) return;
    this.#slowest = callsPerSecond;
    this.#options.onSlower?.(callsPerSecond);
  };

  /** Nothing listens there now: scripts that begin before it is back, or is given up, would be lost. */
  #mayComeBack(): boolean {
    const { client } = this.#context;
    return client.isRefused && !client.isUnreachable(this.#driver.nowMs);
  }

  async #runScript({ script, number }: Numbered, constraints: SchedulingConstraints): Promise<void> {
    if (this.#options.signal?.aborted) return;
    this.#progress.started(number, script);
    let session: ScriptSession | null = null;
    let reason: string | null;
    let failure: { readonly error: unknown } | null = null;
    try {
      const allocation = await allocateEndpoints(this.#context, script, number);
      session = new ScriptSession(this.#runContext, script, number, allocation, this.#driver.nowMs);
      reason = await this.#driver.run(session, constraints, this.#options.signal);
    } catch (error) {
      // Also after an error of our own no job of the script is left alive.
      if (!(error instanceof ControlError)) failure = { error };
      reason = error instanceof Error ? error.message : String(error);
    }
    if (reason !== null && session !== null && !this.#context.ownEndpoints) {
      await awaitSubmissionReplies(
        session.inFlight,
        this.#driver.nowMs,
        this.#context.speed,
        this.#options.signal,
      );
    }
    await session?.end(() => this.#driver.byNowMs, reason);
    if (session !== null) await this.#leave(session);
    this.#progress.ended(number, script, reason);
    if (failure !== null) throw failure.error;
  }

  async #leave(session: ScriptSession): Promise<void> {
    if (this.#context.ownEndpoints) {
      await removeEndpoints(this.#context, session.allocation).catch(() => undefined);
      return;
    }
    this.#sessions.push(session);
    const jobs = session.jobsToEnd();
    const { waiting: id } = session.stuckJobs;
    if (id !== null && jobs.includes(id) && this.#ownCalls !== null) this.#waiting ??= { session, id };
    await this.#cleanUp(session, jobs);
  }

  /** Whether workers are idle beside it shows only while nothing else is there. Resolves with whether it waited on. */
  async #endWaiting(): Promise<boolean> {
    const kept = this.#waiting;
    if (kept === null) return false;
    this.#waiting = null;
    const isLost = !this.#options.signal?.aborted && (await this.#ownCalls!.watchWaiting(kept.id));
    const { endpoint } = kept.session.allocation;
    const left = await this.#cleanUp(kept.session, [kept.id]);
    if (left.length === 0) this.#context.createdJobs?.ended(endpoint, kept.id);
    return isLost;
  }

  async #submitOneMore(): Promise<void> {
    const left = (await this.#ownCalls?.seeWhetherAWorkerTakesAJob()) ?? [];
    this.#left.push(...left.map((job) => ({ endpoint: this.#context.endpoint!, job })));
  }

  /** Of the jobs that could not be ended. */
  async #readOnceMore(): Promise<void> {
    const { cleanup, createdJobs } = this.#context;
    const left = await stillAlive(cleanup, this.#left, this.#options.signal);
    this.#progress.leftBehind.push(...left.map(({ endpoint, job }) => `${endpoint}/${job}`));
    for (const one of this.#left) if (!left.includes(one)) createdJobs?.ended(one.endpoint, one.job);
  }

  /** Of calls that were given up, the answers of most have come meanwhile. */
  async #endLateJobs(): Promise<void> {
    for (const session of this.#sessions) {
      const late = session.lateJobs();
      if (late.length > 0) await this.#cleanUp(session, late);
    }
  }

  /** Resolves with the jobs that could not be ended. */
  async #cleanUp(session: ScriptSession, jobs: readonly string[]): Promise<readonly string[]> {
    const { endpoint } = session.allocation;
    const jobIds = jobs.filter((id) => id !== this.#waiting?.id);
    const fromMs = this.#driver.nowMs;
    const { left, ...calls } = await cancelJobs(
      this.#context.cleanup,
      endpoint,
      jobIds,
      this.#options.signal,
    );
    this.#tellPace();
    session.closeLedger(jobs.filter((id) => left.includes(id) || !jobIds.includes(id)));
    const ended = jobIds.filter((id) => !left.includes(id));
    if (calls.cancels > 0) {
      const { number: script } = session;
      const atMs = this.#driver.byNowMs;
      this.#sink.append({ kind: 'cleanup', script, endpoint, atMs, ended, fromMs, ...calls });
    }
    this.#left.push(...left.map((job) => ({ endpoint, job })));
    return left;
  }
}
