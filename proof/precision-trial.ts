/**
 * One faulty endpoint, checked with the whole suite as its owner would check it, and what the verdict named. The answer
 * holds what failed and what passed, not whether that is right: the lists of `breaks/` may be corrected after the run.
 */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../src/spec/limits.js';
import { join } from 'node:path';
import { named } from '../scenarios/index.js';
import { exercisedBy } from '../src/app/conclude/played-scripts.js';
import { PROFILE_WAIT_MS } from '../src/app/profiles.js';
import type { HistoryEvent } from '../src/history/events.js';
import { judge, type Findings } from '../src/oracle/index.js';
import { packageVersion } from '../src/package-files.js';
import { drawPlan } from '../src/schedule/draw-plan.js';
import { runScripts } from '../src/target/run-scripts.js';
import type { NamedScenario } from '../src/scenario/index.js';
import { TargetError, type HttpTarget } from '../src/target/http/index.js';
import { simulatorTarget } from '../src/target/simulator/simulator-target.js';
import { whySilent } from './breaks/index.js';
import { HISTORY_ENDING, keepHistory, keptHistory, seedOf } from './history-files.js';
import { ENDPOINT, rulesOf, startFaulty, type FaultyServer, type PrecisionMode } from './faulty-server.js';
import { leftOpenIn, type PlayedPlan } from './left-open.js';
import { GRACE_MS, lookAt, scriptsFor } from './side-by-side.js';

export interface PrecisionTask {
  readonly kind: 'precision';
  readonly server: FaultyServer;
  /** Null: without a fault, where nothing may fail. */
  readonly fault: string | null;
  readonly mode: PrecisionMode;
  /** In real time: how long a single wait may last. */
  readonly profile: 'quick' | 'standard';
  readonly seed: number;
  /** Scenarios to run; null: all. */
  readonly scenarios: readonly string[] | null;
  /** What is run instead where those say nothing of a fault of which something has to be said. */
  readonly widened?: { readonly scenarios: readonly string[] | null };
  /** Where histories are kept; null: nowhere. */
  readonly folder: string | null;
  /** Judge the history that is kept there; run the scripts only if there is none for this seed. */
  readonly again: boolean;
  /** Only run and keep the history: judging would delay other endpoints of this process that must answer in time. */
  readonly playOnly: boolean;
}

export interface FailedRequirement {
  readonly id: string;
  readonly level: 'must' | 'should' | 'may';
  /** Failing decisions. */
  readonly times: number;
  /** Scenarios of those that were kept. */
  readonly scenarios: readonly string[];
  /** Of the first. */
  readonly actual: string;
}

export interface PrecisionRun {
  readonly server: FaultyServer;
  readonly fault: string | null;
  readonly seed: number;
  /** Why there is nothing to judge: the endpoint could not be checked at all. */
  readonly problem: string | null;
  readonly scripts: number;
  readonly wallMs: number;
  readonly failed: readonly FailedRequirement[];
  readonly passed: readonly string[];
  /**
   * Where no must failed: musts that stayed open though the scripts decide them on a correct target, with nothing else that
   * would explain it. Such a run does not conform. Null: not known, as of a kept history, whose scripts are gone, and in real time.
   */
  readonly leftOpen: readonly string[] | null;
  /** On a shared endpoint: what fails in scripts that are judged alone, each by its scenario. */
  readonly alone: readonly FailedAlone[];
}

export interface FailedAlone {
  readonly id: string;
  readonly scenario: string;
  /** What each of the calls that show it shows to be broken in the whole run. */
  readonly named: readonly (readonly string[])[];
  /** The whole run counts a decision of this script that it was kept, where the script alone shows it broken. */
  readonly isTakenForKept: boolean;
}

/** In real time a run is broken off after so long, beside the profile's longest wait. */
const REAL_MS_MAX = 300_000;
/** Under test control a call that a fault leaves unanswered is given up after so long. */
const TIMEOUT_MS = 10_000;

export async function tryPrecision({ widened, ...task }: PrecisionTask): Promise<PrecisionRun> {
  const run = await tryOnce(task);
  return widened !== undefined && wantsMore(run) ? tryOnce({ ...task, ...widened }) : run;
}

/** A must is broken, and nothing was said. */
function wantsMore({ fault, problem, failed, leftOpen }: PrecisionRun): boolean {
  if (fault === null || problem !== null || leftOpen === null || leftOpen.length > 0) return false;
  return whySilent(fault)?.isListed !== false && !failed.some(({ level }) => level === 'must');
}

async function tryOnce(task: PrecisionTask): Promise<PrecisionRun> {
  const { server, fault, seed } = task;
  const startMs = performance.now();
  const none = { server, fault, seed, scripts: 0, failed: [], passed: [], leftOpen: null, alone: [] };
  try {
    const { events, plan } = await historyFor(task);
    if (task.playOnly) return { ...none, problem: null, wallMs: Math.round(performance.now() - startMs) };
    return {
      ...none,
      problem: null,
      ...verdictOn(events, task.mode),
      leftOpen: plan === null ? null : leftOpenIn(events, plan),
      wallMs: Math.round(performance.now() - startMs),
    };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return { ...none, problem: error.message, wallMs: Math.round(performance.now() - startMs) };
  }
}

/** The file of a fault in the folder, without its ending. */
export function fileOf({ server, fault }: Pick<PrecisionTask, 'server' | 'fault'>): string {
  return `${server}-${fault ?? 'none'}`;
}

interface PlayedRun {
  readonly events: readonly HistoryEvent[];
  /** Null where nothing tells what was to be decided: of a kept history, and in real time. */
  readonly plan: PlayedPlan | null;
}

async function historyFor(task: PrecisionTask): Promise<PlayedRun> {
  const path = task.folder === null ? null : join(task.folder, `${fileOf(task)}${HISTORY_ENDING}`);
  const kept = path !== null && task.again ? keptHistory(path) : null;
  if (kept !== null && seedOf(kept) === task.seed) return { events: kept, plan: null };
  const run = await runScriptsOf(task);
  if (path !== null) keepHistory(path, run.events);
  return run;
}

function verdictOn(
  events: readonly HistoryEvent[],
  mode: PrecisionMode,
): Pick<PrecisionRun, 'scripts' | 'failed' | 'passed' | 'alone'> {
  const { requirements } = judge(events, ALL_FAILURES);
  const failed = requirements.flatMap(({ id, level, verdict, failed: times, failures }) => {
    if (verdict !== 'fail') return [];
    const scenarios = [...new Set(failures.map(({ scenario }) => scenario))];
    return [{ id, level, times, scenarios, actual: failures[0]?.actual ?? '' }];
  });
  const passed = requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  const scripts = scriptsOf(events);
  // Elsewhere each has an endpoint of its own: there are no others to explain anything.
  const named = namedByCall(requirements);
  const alone = (mode === 'real' ? scripts : []).flatMap(({ scenario, own }) =>
    judge([events[0]!, ...own], ALL_FAILURES)
      .requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
      .map(({ id, failures }) => {
        const shownBy = new Set(failures.map(({ calls }) => calls.at(-1)!));
        return {
          id,
          scenario,
          named: [...shownBy].map((call) => [...(named.get(call) ?? [])]),
          isTakenForKept:
            passed.includes(id) && failures.some(({ calls }) => isTakenForKept(events, own, id, calls)),
        };
      }),
  );
  return { scripts: scripts.length, failed, passed, alone };
}

const ALL_FAILURES = { failuresMax: Infinity };

/** By each call that a failure rests on: what it showed to be broken. */
function namedByCall(requirements: Findings['requirements']): Map<number, Set<string>> {
  const named = new Map<number, Set<string>>();
  for (const { id, failures } of requirements)
    for (const call of failures.flatMap(({ calls }) => calls))
      named.set(call, (named.get(call) ?? new Set()).add(id));
  return named;
}

/** How many decisions of a must said that it was kept. */
function keptBy(events: readonly HistoryEvent[], id: string): number {
  const found = judge(events, ALL_FAILURES).requirements.find((one) => one.id === id);
  return found === undefined ? 0 : found.decided - found.failed;
}

/**
 * What the whole run counts as kept shows in what it counts with the script and without: more than the script shows alone
 * rests on what breaks the must there. Calls after those that show the breach tell of something else.
 */
function isTakenForKept(
  events: readonly HistoryEvent[],
  own: readonly HistoryEvent[],
  id: string,
  shown: readonly number[],
): boolean {
  // A submission alone is named where nothing came of it: all that follows shows that.
  const lastCall = shown.length > 1 ? Math.max(...shown) : Infinity;
  const upTo = own.filter((event) => event.kind !== 'call' || event.call <= lastCall);
  const [ofScript, keptUpTo] = [new Set(own), new Set(upTo)];
  const others = events.filter((event) => !ofScript.has(event));
  const all = events.filter((event) => !ofScript.has(event) || keptUpTo.has(event));
  return keptBy(all, id) - keptBy(others, id) > keptBy([events[0]!, ...upTo], id);
}

function scriptsOf(
  events: readonly HistoryEvent[],
): readonly { readonly scenario: string; readonly own: readonly HistoryEvent[] }[] {
  const found = new Map<number, { scenario: string; own: HistoryEvent[] }>();
  const lags = events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : []));
  for (const event of events) {
    if (event.kind === 'run') continue;
    const one = found.get(event.script) ?? { scenario: '', own: [] };
    if (event.kind === 'script') one.scenario = event.scenario;
    // Delays of the harness while other scripts ran are allowed when this one is judged alone, too.
    one.own.push(event.kind === 'script-end' ? { ...event, harnessLags: lags } : event);
    found.set(event.script, one);
  }
  return [...found.values()];
}

async function runScriptsOf(task: PrecisionTask): Promise<PlayedRun> {
  const scenarios =
    task.scenarios === null ? named : named.filter(({ name }) => task.scenarios!.includes(name));
  if (task.mode === 'simulator') {
    const target = simulatorTarget({ seed: task.seed, rules: rulesOf(task.fault), graceMs: GRACE_MS });
    const { scripts } = drawPlan(scenarios, target, task.seed, 1);
    const { events } = await runScripts(target, scripts, runOf(task));
    return { events, plan: { scripts, exercisedBy: exercisedBy(scenarios, target) } };
  }
  const server = await startFaulty(task);
  try {
    const target = await lookAt({
      executionTimeoutDefaultMs: EXECUTION_TIMEOUT_DEFAULT_MS,
      url: server.url,
      apiKey: server.apiKey,
      ...(task.mode === 'control'
        ? { controlUrl: server.controlUrl!, worker: 'scripted', timeoutMs: TIMEOUT_MS }
        : { endpoint: ENDPOINT, worker: 'probe', maxWaitMs: PROFILE_WAIT_MS[task.profile] }),
    });
    try {
      return await playOn(target, scenarios, task);
    } finally {
      await target.close();
    }
  } finally {
    await server.close();
  }
}

async function playOn(
  target: HttpTarget,
  scenarios: readonly NamedScenario[],
  task: PrecisionTask,
): Promise<PlayedRun> {
  const scripts = await scriptsFor(target, scenarios, task.seed);
  if (task.mode === 'control') {
    const { events } = await runScripts(target, scripts, runOf(task));
    return { events, plan: { scripts, exercisedBy: exercisedBy(scenarios, target) } };
  }
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PROFILE_WAIT_MS[task.profile] + REAL_MS_MAX);
  try {
    const { events } = await runScripts(target, scripts, { ...runOf(task), signal: stop.signal });
    return { events, plan: null };
  } finally {
    clearTimeout(timer);
  }
}

function runOf({ seed }: PrecisionTask): { seed: number; edition: 'document'; runproof: string } {
  return { seed, edition: 'document', runproof: packageVersion() };
}
