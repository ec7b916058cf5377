/**
 * One faulty endpoint, checked with the whole suite as its owner would check it, and what the verdict named. The answer
 * holds what failed and what passed, not whether that is right: the lists of `breaks/` may be corrected after the run.
 */
import { TargetError } from '../../src/target/http/index.js';
import { whySilent } from '../breaks/index.js';
import { verdictOn, type FaultVerdict } from '../trials/fault-verdict.js';
import { playFaulty, type FaultToPlay } from '../trials/fault-run.js';
import type { FaultyServer } from '../trials/faulty-server.js';
import { keepRun, keptRun, type PlayedRun } from '../history-files.js';

export interface PrecisionTask extends FaultToPlay {
  readonly kind: 'precision';
  readonly selection: Selection;
  /** What is run instead where that says nothing of a fault of which something has to be said. */
  readonly widened?: Selection;
  /** Only run and keep the history: judging would delay other endpoints of this process that must answer in time. */
  readonly playOnly: boolean;
}

export interface Selection {
  /** Scenarios to run; null: all. */
  readonly scenarios: readonly string[] | null;
  /** Where the history is kept. One that is there is judged instead of being played again. Null: nowhere. */
  readonly history: string | null;
}

export interface PrecisionRun extends FaultVerdict {
  readonly server: FaultyServer;
  readonly fault: string | null;
  readonly seed: number;
  /** Why there is nothing to judge: the endpoint could not be checked at all. */
  readonly problem: string | null;
  readonly wallMs: number;
  /** More scenarios were run than those that exercise what the fault breaks. */
  readonly isWidened?: true;
}

export async function tryPrecision({ selection, widened, ...task }: PrecisionTask): Promise<PrecisionRun> {
  const run = await tryOnce(task, selection);
  if (widened === undefined || !wantsMore(run)) return run;
  return { ...(await tryOnce(task, widened)), isWidened: true };
}

/** A must is broken, and nothing was said. */
function wantsMore({ fault, problem, failed, leftOpen }: PrecisionRun): boolean {
  if (fault === null || problem !== null || leftOpen === null || leftOpen.length > 0) return false;
  return whySilent(fault)?.isListed !== false && !failed.some(({ level }) => level === 'must');
}

async function tryOnce(
  task: Omit<PrecisionTask, 'selection' | 'widened'>,
  selection: Selection,
): Promise<PrecisionRun> {
  const { server, fault, seed } = task;
  const startMs = performance.now();
  const none = {
    server,
    fault,
    seed,
    problem: null,
    scripts: 0,
    failed: [],
    passed: [],
    leftOpen: null,
    alone: [],
  };
  const wallMs = (): number => Math.round(performance.now() - startMs);
  try {
    const run = await runFor(task, selection);
    if (task.playOnly) return { ...none, wallMs: wallMs() };
    return { ...none, ...verdictOn(run, task.mode), wallMs: wallMs() };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return { ...none, problem: error.message, wallMs: wallMs() };
  }
}

/** The name of a faulty endpoint, as of its history. */
export function nameOf({ server, fault }: Pick<PrecisionTask, 'server' | 'fault'>): string {
  return `${server}-${fault ?? 'none'}`;
}

async function runFor(task: FaultToPlay, { scenarios, history }: Selection): Promise<PlayedRun> {
  const kept = history === null ? null : keptRun(history);
  if (kept !== null) return kept;
  const run = await playFaulty(task, scenarios);
  if (history !== null) keepRun(history, run);
  return run;
}
