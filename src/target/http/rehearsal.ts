import type { HistoryEvent } from '../../history/events.js';
import type { OutgoingCall, ScriptRunner } from '../../runner/api.js';
import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import type { CreateScriptRunner } from '../port.js';
import { simulatorTarget } from '../simulator/simulator-target.js';
import { clearAfterMs } from '../../schedule/rate-limiter.js';
import { hasNoWorkers, NO_LATENCY, WITHOUT_WORKERS, type Latency } from '../../schedule/latency.js';
import { plannedMs } from '../../scenario/planned-work.js';
import { idleWaitMs } from '../session/observed-workers.js';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a script will probably do, as the simulator answers it. All times are from its beginning, in ms. */
export interface DryRun {
  readonly lastsMs: number;
  readonly calls: number;
  readonly timesByOperation: ReadonlyMap<Operation, readonly number[]>;
  /** How long jobs of it are alive, and may keep workers busy. */
  readonly worksMs: number;
  /** When that is. */
  readonly works: readonly Span[];
  /** Until when more of its jobs are alive than it wants workers, so that some wait in the queue; null for never. */
  readonly queuesUntilMs: number | null;
  /** Submissions of it are accepted, so that it has jobs. */
  readonly hasJobs: boolean;
  /** It goes the same way where no worker ever takes a job. */
  readonly needsNoWorker: boolean;
  /** When it purges the queue for the last time; null for never. */
  readonly purgesUntilMs: number | null;
  /** When each operation is called first. */
  readonly firstMs: ReadonlyMap<Operation, number>;
  readonly history: readonly HistoryEvent[];
  /** How long each operation's rate is used up by it; nothing for those that it hardly uses. */
  readonly usedUpUntilMs: ReadonlyMap<Operation, number>;
}

/** A run has one pace; beside it only a prompt target is asked for. */
const rehearsals = new WeakMap<Script, Map<string, DryRun>>();

/** Plays the script in virtual time, which takes a few ms, once. A real target answers otherwise; for a plan it will do. */
export function dryRun(script: Script, createPlayer: CreateScriptRunner, pace: Latency = NO_LATENCY): DryRun {
  let byPace = rehearsals.get(script);
  if (byPace === undefined) rehearsals.set(script, (byPace = new Map()));
  const key = `${pace.replyMs} ${pace.dispatchMs} ${pace.maxWaitMs}`;
  let rehearsal = byPace.get(key);
  if (rehearsal === undefined) byPace.set(key, (rehearsal = dryRunOnce(script, createPlayer, pace)));
  return rehearsal;
}

/** What needs no worker and is over so soon costs others nothing. */
export const SHORT_MS = 5_000;

function dryRunOnce(script: Script, createPlayer: CreateScriptRunner, pace: Latency): DryRun {
  const noWorkers = hasNoWorkers(pace);
  const work = new WorkerUsage(noWorkers ? 0 : script.workers, pace.dispatchMs);
  const watching: CreateScriptRunner = (one, context) => work.watch(createPlayer(one, context));
  const events = eventsOf(script, watching, pace);
  const hasJobs = events.some(isAccepted);
  const allocation = events.find((event) => event.kind === 'script');
  const startMs = allocation?.atMs ?? 0;
  const endMs = events.find((event) => event.kind === 'script-end')?.atMs ?? startMs;
  // What is sent to other endpoints is no matter of this one's limits.
  const times = timesByOperation(
    events.filter((event) => event.kind === 'call' && event.endpoint === allocation?.endpoint),
    startMs,
  );
  const works = noWorkers ? [] : work.spans;
  return {
    history: events,
    lastsMs: endMs - startMs,
    calls: events.filter((event) => event.kind === 'call').length,
    timesByOperation: times,
    worksMs: works.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    works: works.map(({ fromMs, toMs }) => ({ fromMs: fromMs - startMs, toMs: toMs - startMs })),
    queuesUntilMs: work.queuesUntilMs === null ? null : work.queuesUntilMs - startMs,
    hasJobs,
    needsNoWorker:
      pace === NO_LATENCY
        ? !hasJobs ||
          (endMs - startMs <= SHORT_MS &&
            work.spans.length === 0 &&
            goesOnAlone(script, createPlayer, events))
        : dryRun(script, createPlayer).needsNoWorker,
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

/** @throws TooManyCalls where more are made than so many */
function eventsOf(
  script: Script,
  createPlayer: CreateScriptRunner,
  pace: Latency,
  callsMax = Infinity,
): readonly HistoryEvent[] {
  const events: HistoryEvent[] = [];
  let calls = 0;
  const append = (event: HistoryEvent): void => {
    if (event.kind === 'call' && (calls += 1) > callsMax) throw new TooManyCalls();
    events.push(event);
  };
  const sink = { append };
  const { replyMs, dispatchMs } = pace;
  const latency = { requestMs: Math.ceil(replyMs / 2), replyMs: Math.floor(replyMs / 2) };
  const givesUpAfterMs = (call: OutgoingCall): number | null => idleWaitMs(call, pace);
  simulatorTarget({ seed: script.seed, latency, dispatchMs, givesUpAfterMs }).runSynchronously(
    [script],
    sink,
    {
      createRunner: createPlayer,
    },
  );
  return events;
}

class TooManyCalls extends Error {}

/** It goes the same way where no worker ever takes a job. */
function goesOnAlone(
  script: Script,
  createPlayer: CreateScriptRunner,
  events: readonly HistoryEvent[],
): boolean {
  const calls = events.filter(({ kind }) => kind === 'call').length;
  try {
    return sameWay(events, eventsOf(script, createPlayer, WITHOUT_WORKERS, calls));
  } catch (error) {
    // What waits for its jobs asks again and again.
    if (error instanceof TooManyCalls) return false;
    throw error;
  }
}

/** The same calls were answered in the same way, and after the same time. */
function sameWay(left: readonly HistoryEvent[], right: readonly HistoryEvent[]): boolean {
  const way = (events: readonly HistoryEvent[]): string =>
    events
      .flatMap((event) => {
        if (event.kind !== 'call') return [];
        const { call, request, reply, sentMs, receivedMs } = event;
        return [`${call} ${request.path} ${reply?.status} ${(receivedMs ?? 0) - sentMs}`];
      })
      .sort()
      .join();
  return way(left) === way(right);
}

function isAccepted(event: HistoryEvent): boolean {
  if (event.kind !== 'call') return false;
  const code = event.reply?.status ?? 0;
  return (event.op === 'run' || event.op === 'runsync' || event.op === 'openai') && code >= 200 && code < 300;
}

/** Sees from a runner for how long jobs of its script are alive, as far as it knows. */
class WorkerUsage {
  readonly spans: Span[] = [];
  queuesUntilMs: number | null = null;
  readonly #workers: number;
  readonly #dispatchMs: number;
  readonly #submitting = new Set<number>();
  #alive = 0;
  #sinceMs = 0;
  /** Until when jobs may run whose plan ends by itself; null when some job's plan does not. */
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
    // Of a submission that is not answered yet the runner knows no job.
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
