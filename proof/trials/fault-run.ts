/** Plays a faulty endpoint: the scripts of the scenarios that are wanted, as its owner would run them. It judges nothing. */
import { named } from '../../scenarios/index.js';
import { PROFILE_WAIT_MS } from '../../src/judging/profiles.js';
import { packageVersion } from '../../src/package-files.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../src/spec/limits.js';
import type { HttpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { ENDPOINT, rulesOf, scalingOf, startFaulty, type Faulty } from './faulty-server.js';
import { planOf, type PlayedRun } from '../history-files.js';
import { drawnFor, GRACE_MS, lookAt, scriptsFor } from './side-by-side.js';

export interface FaultToPlay extends Faulty {
  /** In real time: how long a single wait may last. */
  readonly profile: 'quick' | 'standard';
  readonly seed: number;
}

/** In real time a run is broken off after so long, beside the profile's longest wait. */
const REAL_MS_MAX = 300_000;
/** Under test control a call that a fault leaves unanswered is given up after so long. */
const TIMEOUT_MS = 10_000;

/** @param wanted names of scenarios; null: all */
export async function playFaulty(task: FaultToPlay, wanted: readonly string[] | null): Promise<PlayedRun> {
  const scenarios = wanted === null ? named : named.filter(({ name }) => wanted.includes(name));
  if (task.mode === 'simulator') {
    const { seed, fault } = task;
    const scaling = scalingOf(fault);
    const rules = rulesOf(fault);
    const target = simulatorTarget({ seed, rules, graceMs: GRACE_MS, ...(scaling && { scaling }) });
    const scripts = drawnFor(target, scenarios, task.seed);
    const { events } = await runScripts(target, scripts, runOf(task));
    return { events, plan: planOf(scripts, target) };
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
  task: FaultToPlay,
): Promise<PlayedRun> {
  const scripts = await scriptsFor(target, scenarios, task.seed);
  if (task.mode === 'control') {
    const { events } = await runScripts(target, scripts, runOf(task));
    return { events, plan: planOf(scripts, target) };
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

function runOf({ seed }: FaultToPlay): { seed: number; edition: 'document'; runproof: string } {
  return { seed, edition: 'document', runproof: packageVersion() };
}
