import { CONTROL_FAILED } from '../../history/events.js';
import type { HistorySink, PlayOptions, PlaySummary } from '../port.js';
import type { Script } from '../../scenario/script.js';
import { RATE_WINDOW_MS } from '../../spec/rates.js';
import { ControlError } from './control.js';
import type { ControlledClockPump } from './controlled-driver.js';
import { preparePlace, removePlace, stageOf, Tally } from './target-context.js';
import type { Ground } from './target-context.js';
import { ScriptSession } from '../session/script-session.js';
import type { Stage } from '../session/script-session.js';
import { sweepJobs } from './cleanup.js';

/** Scripts in a row that test control fails in, after which the others are not tried any more. */
const FAILURES_MAX = 5;

/** Plays scripts one after the other under a controlled clock. */
export async function playControlled(
  ground: Ground,
  pump: ControlledClockPump,
  scripts: readonly Script[],
  sink: HistorySink,
  options: PlayOptions,
): Promise<PlaySummary> {
  const stage = stageOf(ground, sink, options.createPlayer);
  const tally = new Tally(options, scripts.length, () => ground.carrier.calls);
  const startMs = pump.nowMs;
  let failures = 0;
  for (const [index, script] of scripts.entries()) {
    if (options.signal?.aborted) break;
    const number = (options.firstScript ?? 0) + index;
    tally.started(number, script);
    if (failures >= FAILURES_MAX) {
      tally.ended(number, script, CONTROL_FAILED);
      continue;
    }
    const end = await playOne(ground, pump, stage, script, number, options.signal);
    failures = end.controlFailed ? failures + 1 : 0;
    tally.leftBehind.push(...end.leftBehind);
    tally.ended(number, script, end.reason);
  }
  return tally.summary(pump.nowMs - startMs);
}

interface ScriptEnd {
  readonly reason: string | null;
  readonly controlFailed: boolean;
  readonly leftBehind: readonly string[];
}

async function playOne(
  ground: Ground,
  pump: ControlledClockPump,
  stage: Stage,
  script: Script,
  number: number,
  signal: AbortSignal | undefined,
): Promise<ScriptEnd> {
  let session: ScriptSession | null = null;
  let reason: string | null;
  let controlFailed = false;
  let failure: { readonly error: unknown } | null = null;
  try {
    const place = await preparePlace(ground, script, number);
    session = new ScriptSession(stage, script, number, place, pump.nowMs);
    reason = await pump.play(session, signal);
  } catch (error) {
    // Also after an error of our own no job of the script is left alive.
    if (!(error instanceof ControlError)) failure = { error };
    reason = error instanceof Error ? error.message : String(error);
    controlFailed = true;
  }
  await session?.end(() => pump.nowMs, reason);
  if (reason !== null && signal?.aborted) [reason, controlFailed] = ['interrupted', false];
  const leftBehind = session === null ? [] : await leave(ground, pump, session, signal);
  if (failure !== null) throw failure.error;
  return { reason, controlFailed, leftBehind };
}

/** Ends what the script left alive; where the endpoint is shared, also its claim on rate limits. */
async function leave(
  ground: Ground,
  pump: ControlledClockPump,
  session: ScriptSession,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { endpoint } = session.place;
  if (ground.ownEndpoints) {
    await removePlace(ground, session.place).catch(ignoreControlErrors);
    return [];
  }
  const left = await sweepJobs(ground.sweep, endpoint, session.jobsToEnd(), signal);
  session.closeLedger(left);
  await pump.pause(RATE_WINDOW_MS + 1).catch(ignoreControlErrors);
  return left.map((id) => `${endpoint}/${id}`);
}

function ignoreControlErrors(error: unknown): void {
  if (!(error instanceof ControlError)) throw error;
}
