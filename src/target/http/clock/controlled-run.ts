import { CONTROL_FAILED } from '../../../history/events.js';
import type { HistorySink, RunOptions, RunSummary } from '../../port.js';
import type { Script } from '../../../scenario/script.js';
import { RATE_WINDOW_MS } from '../../../spec/rates.js';
import { ControlError } from '../control.js';
import type { TestControlDriver } from './test-control-driver.js';
import { allocateEndpoints, removeEndpoints, runContextOf } from '../target-context.js';
import { ProgressCounter } from '../../progress-counter.js';
import type { TargetContext } from '../target-context.js';
import { ScriptSession } from '../../session/script-session.js';
import type { EndpointAllocation, RunContext } from '../../session/script-session.js';
import { cancelJobs } from '../cleanup.js';
import { whyAborted } from '../../session/why-aborted.js';

/** Scripts in a row that test control fails in, after which the others are not tried any more. */
export const FAILURES_MAX = 5;

/** Runs scripts one after the other under a controlled clock. */
export async function runControlled(
  context: TargetContext,
  driver: TestControlDriver,
  scripts: readonly Script[],
  sink: HistorySink,
  options: RunOptions,
): Promise<RunSummary> {
  const runContext = runContextOf(context, sink, options.createRunner);
  const progress = new ProgressCounter(options, scripts.length, () => context.client.calls);
  const startMs = driver.nowMs;
  let failures = 0;
  for (const [index, script] of scripts.entries()) {
    if (options.signal?.aborted) break;
    const number = (options.firstScript ?? 0) + index;
    progress.started(number, script);
    if (failures >= FAILURES_MAX) {
      progress.ended(number, script, CONTROL_FAILED);
      continue;
    }
    const end = await runScript(context, driver, runContext, script, number, options.signal);
    failures = end.controlFailed ? failures + 1 : 0;
    progress.leftBehind.push(...end.leftBehind);
    progress.ended(number, script, end.reason);
  }
  return progress.summary(driver.nowMs - startMs);
}

export interface ScriptEnd {
  readonly reason: string | null;
  readonly controlFailed: boolean;
  readonly leftBehind: readonly string[];
}

/**
 * Runs one script and leaves nothing of it behind.
 *
 * @param begin called when its endpoints are there; the script begins when it resolves
 */
export async function runScript(
  context: TargetContext,
  driver: TestControlDriver,
  runContext: RunContext,
  script: Script,
  number: number,
  signal: AbortSignal | undefined,
  begin: () => Promise<void> = async () => undefined,
): Promise<ScriptEnd> {
  let session: ScriptSession | null = null;
  let reason: string | null;
  let controlFailed = false;
  let failure: { readonly error: unknown } | null = null;
  let allocation: EndpointAllocation | null = null;
  try {
    allocation = await allocateEndpoints(context, script, number);
    await begin();
    session = new ScriptSession(runContext, script, number, allocation, driver.nowMs);
    reason = await driver.run(session, signal);
  } catch (error) {
    // Also after an error of our own no job of the script is left alive.
    if (!(error instanceof ControlError)) failure = { error };
    reason = error instanceof Error ? error.message : String(error);
    controlFailed = true;
  }
  await session?.end(() => driver.nowMs, reason);
  if (reason !== null && signal?.aborted) [reason, controlFailed] = [whyAborted(signal), false];
  const leftBehind = await leave(context, driver, session, allocation, signal);
  if (failure !== null) throw failure.error;
  return { reason, controlFailed, leftBehind };
}

/** Ends what the script left alive; where the endpoint is shared, also its claim on rate limits. */
async function leave(
  context: TargetContext,
  driver: TestControlDriver,
  session: ScriptSession | null,
  allocation: EndpointAllocation | null,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (allocation === null) return [];
  if (context.ownEndpoints) await removeEndpoints(context, allocation).catch(ignoreControlErrors);
  if (context.ownEndpoints || session === null) return [];
  const { endpoint } = allocation;
  const { left } = await cancelJobs(context.cleanup, endpoint, session.jobsToEnd(), signal);
  session.closeLedger(left);
  await driver.pause(RATE_WINDOW_MS + 1).catch(ignoreControlErrors);
  return left.map((id) => `${endpoint}/${id}`);
}

function ignoreControlErrors(error: unknown): void {
  if (!(error instanceof ControlError)) throw error;
}
