import type { HistoryEvent } from '../../history/events.js';
import type { OutgoingCall, ScriptRunner } from '../../runner/api.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import { plannedMs } from '../../scenario/planned-work.js';
import type { Script } from '../../scenario/script.js';
import { SHORT_MS, type DryRun, type Span } from '../../schedule/dry-run.js';
import { durationOf, type DurationEstimate } from '../../schedule/duration-estimate.js';
import { hasNoWorkers, NO_LATENCY, WITHOUT_WORKERS, type Latency } from '../../schedule/latency.js';
import { clearAfterMs } from '../../schedule/rate-limiter.js';
import { scheduledScript, type ScheduledScript } from '../../schedule/scheduler.js';
import type { Operation } from '../../spec/types.js';
import type { CreateScriptRunner } from '../port.js';
import { idleWaitMs } from '../session/observed-workers.js';
import { reachedBy } from './reached.js';
import { simulatorTarget } from './simulator-target.js';

/** A dry run with what happened in it. */
export interface RecordedDryRun extends DryRun {
  readonly history: readonly HistoryEvent[];
}

/** Cached per latency: a run uses its own and `NO_LATENCY`. */
const dryRuns = new WeakMap<Script, Map<string, RecordedDryRun>>();

/**
 * Runs the script on the simulator, which takes a few ms, and remembers the result. A real target answers differently,
 * but for a plan this is close enough.
 */
export function dryRun(script: Script, latency: Latency = NO_LATENCY): RecordedDryRun {
  let byLatency = dryRuns.get(script);
  if (byLatency === undefined) dryRuns.set(script, (byLatency = new Map()));
  const key = `${latency.replyMs} ${latency.dispatchMs} ${latency.maxWaitMs} ${latency.speed}`;
  let known = byLatency.get(key);
  if (known === undefined) byLatency.set(key, (known = dryRunOnce(script, latency)));
  return known;
}

/** The scripts with their dry runs, numbered by their position. */
export function scheduledScripts(
  scripts: readonly Script[],
  latency: Latency = NO_LATENCY,
): readonly ScheduledScript[] {
  return scripts.map((script, number) => scheduledScript(script, number, dryRun(script, latency), latency));
}

/** @param workers of the endpoint that the scripts share; null where each script has an endpoint of its own */
export function estimateDuration(
  scripts: readonly Script[],
  workers: number | null,
  latency: Latency = NO_LATENCY,
): DurationEstimate {
  return durationOf(scheduledScripts(scripts, latency), workers, latency.speed, latency.callsPerSecond);
}

/** How long a script lasts, and how much worker time it may take, in ms of the target's clock. */
export function scriptCost(
  script: Script,
  latency: Latency = NO_LATENCY,
): { readonly lastsMs: number; readonly workMs: number } {
  const { lastsMs, worksMs } = dryRun(script, latency);
  return { lastsMs, workMs: worksMs * script.workers };
}

function dryRunOnce(script: Script, latency: Latency): RecordedDryRun {
  const noWorkers = hasNoWorkers(latency);
  const usage = new WorkerUsage(noWorkers ? 0 : script.workers, latency.dispatchMs);
  const events = eventsOf(script, latency, (one, context) => usage.watch(createScriptRunner(one, context)));
  const hasJobs = events.some(isAccepted);
  const begin = events.find((event) => event.kind === 'script');
  const startMs = begin?.atMs ?? 0;
  const endMs = events.find((event) => event.kind === 'script-end')?.atMs ?? startMs;
  // Calls to other endpoints do not count towards this one's limits.
  const times = timesByOperation(
    events.filter((event) => event.kind === 'call' && event.endpoint === begin?.endpoint),
    startMs,
  );
  const works = noWorkers ? [] : usage.spans;
  return {
    history: events,
    lastsMs: endMs - startMs,
    calls: events.filter((event) => event.kind === 'call').length,
    timesByOperation: times,
    worksMs: works.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    works: works.map(({ fromMs, toMs }) => ({ fromMs: fromMs - startMs, toMs: toMs - startMs })),
    queuesUntilMs: usage.queuesUntilMs === null ? null : usage.queuesUntilMs - startMs,
    reaches: reachedBy(events),
    hasJobs,
    needsNoWorker:
      latency === NO_LATENCY
        ? !hasJobs ||
          (endMs - startMs <= SHORT_MS && usage.spans.length === 0 && runsWithoutWorkers(script, events))
        : dryRun(script).needsNoWorker,
    purgesUntilMs: times.get('purge-queue')?.at(-1) ?? null,
    firstMs: new Map([...times].map(([op, list]) => [op, list[0] ?? 0])),
    usedUpUntilMs: new Map(
      [...times].flatMap(([op, list]) => {
        const untilMs = clearAfterMs(op, list);
        return untilMs === null ? [] : [[op, untilMs] as const];
      }),
    ),
  };
}

/** @throws TooManyCalls when the script makes more than `callsMax` calls */
function eventsOf(
  script: Script,
  latency: Latency,
  createRunner: CreateScriptRunner = createScriptRunner,
  callsMax = Infinity,
): readonly HistoryEvent[] {
  const events: HistoryEvent[] = [];
  let calls = 0;
  const append = (event: HistoryEvent): void => {
    if (event.kind === 'call' && (calls += 1) > callsMax) throw new TooManyCalls();
    events.push(event);
  };
  const { replyMs, dispatchMs } = latency;
  const target = simulatorTarget({
    seed: script.seed,
    latency: { requestMs: Math.ceil(replyMs / 2), replyMs: Math.floor(replyMs / 2) },
    dispatchMs,
    givesUpAfterMs: (call) => idleWaitMs(call, latency),
  });
  target.runSynchronously([script], { append }, { createRunner });
  return events;
}

class TooManyCalls extends Error {}

/** The script runs the same way where no worker ever takes a job. */
function runsWithoutWorkers(script: Script, events: readonly HistoryEvent[]): boolean {
  const calls = events.filter(({ kind }) => kind === 'call').length;
  try {
    return isSameRun(events, eventsOf(script, WITHOUT_WORKERS, createScriptRunner, calls));
  } catch (error) {
    // A script that waits for its jobs polls again and again.
    if (error instanceof TooManyCalls) return false;
    throw error;
  }
}

/** The same calls got the same replies after the same time. */
function isSameRun(left: readonly HistoryEvent[], right: readonly HistoryEvent[]): boolean {
  const summaryOf = (events: readonly HistoryEvent[]): string =>
    events
      .flatMap((event) => {
        if (event.kind !== 'call') return [];
        const { call, request, reply, sentMs, receivedMs } = event;
        return [`${call} ${request.path} ${reply?.status} ${(receivedMs ?? 0) - sentMs}`];
      })
      .sort()
      .join();
  return summaryOf(left) === summaryOf(right);
}

function isAccepted(event: HistoryEvent): boolean {
  if (event.kind !== 'call') return false;
  const code = event.reply?.status ?? 0;
  return (event.op === 'run' || event.op === 'runsync' || event.op === 'openai') && code >= 200 && code < 300;
}

/** Watches a script runner for the times in which jobs of its script are alive, as far as the runner knows. */
class WorkerUsage {
  readonly spans: Span[] = [];
  queuesUntilMs: number | null = null;
  readonly #workers: number;
  readonly #dispatchMs: number;
  readonly #submitting = new Set<number>();
  #alive = 0;
  #sinceMs = 0;
  /** Until when jobs run whose plan ends by itself; null when the plan of some job does not. */
  #plannedUntilMs: number | null = 0;

  constructor(workers: number, dispatchMs: number) {
    this.#workers = workers;
    this.#dispatchMs = dispatchMs;
  }

  watch(runner: ScriptRunner): ScriptRunner {
    return {
      due: (nowMs) => {
        this.#pass(nowMs, runner);
        const actions = runner.due(nowMs);
        for (const action of actions) if (action.kind === 'call') this.#sent(action.call, nowMs);
        return actions;
      },
      nextWakeMs: () => runner.nextWakeMs(),
      arrived: (call, byMs) => runner.arrived(call, byMs),
      replied: (call, outcome) => {
        if (outcome.receivedMs !== null) this.#pass(outcome.receivedMs, runner);
        this.#submitting.delete(call);
        runner.replied(call, outcome);
        if (outcome.receivedMs !== null) this.#pass(outcome.receivedMs, runner);
      },
      workersChanged: (lane, nowMs) => runner.workersChanged(lane, nowMs),
      get done() {
        return runner.done;
      },
      openJobs: () => runner.openJobs(),
    };
  }

  #pass(nowMs: number, runner: ScriptRunner): void {
    const untilMs = this.#plannedUntilMs === null ? nowMs : Math.min(nowMs, this.#plannedUntilMs);
    if (this.#alive > 0 && untilMs > this.#sinceMs) this.#works(this.#sinceMs, untilMs);
    if (this.#alive > this.#workers) this.queuesUntilMs = untilMs;
    this.#sinceMs = nowMs;
    // The runner does not yet know the job of a submission without a reply.
    this.#alive = untilMs < nowMs ? 0 : runner.openJobs().length + this.#submitting.size;
  }

  #works(fromMs: number, toMs: number): void {
    const before = this.spans.at(-1);
    if (before?.toMs === fromMs) this.spans.splice(-1, 1, { fromMs: before.fromMs, toMs });
    else this.spans.push({ fromMs, toMs });
  }

  #sent(call: OutgoingCall, nowMs: number): void {
    if (call.op === 'retry') this.#plannedUntilMs = null;
    if (call.op !== 'run' && call.op !== 'runsync') return;
    this.#alive += 1;
    this.#submitting.add(call.call);
    const plan = plannedMs(call.bodyText) ?? Infinity;
    this.#plannedUntilMs =
      plan === Infinity || this.#plannedUntilMs === null
        ? null
        : Math.max(this.#plannedUntilMs, nowMs + this.#dispatchMs + plan);
  }
}

function timesByOperation(
  events: readonly HistoryEvent[],
  startMs: number,
): ReadonlyMap<Operation, readonly number[]> {
  const times = new Map<Operation, number[]>();
  for (const event of events) {
    if (event.kind !== 'call' || event.op === null) continue;
    const list = times.get(event.op) ?? [];
    times.set(event.op, list);
    list.push(event.sentMs - startMs);
  }
  for (const list of times.values()) list.sort((a, b) => a - b);
  return times;
}
