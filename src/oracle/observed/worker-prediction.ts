/** The oracle's own reading of the scripted worker's contract: what a plan must lead to, and when. */
import type { Json } from '../../history/events.js';
import { exceedsBytes } from '../../history/json-size.js';
import { repeated } from '../../history/long-text.js';
import { isObject, type JsonObject } from './recorded-call.js';
import { isBehindNetwork, type Session } from './session.js';

export interface Prediction {
  /**
   * From pick-up to the handler's end, ms; Infinity if it never ends by itself. Null: nothing is known of
   * this worker.
   */
  readonly durationMs: number | null;
  /** How often it sleeps until then. */
  readonly sleeps: number;
  readonly outcome: 'success' | 'error' | 'crash' | 'never' | 'unknown';
  /** The job's output on success; undefined where the contract promises none. */
  readonly output: Json | undefined;
  /** What the handler returns, whether or not that is the output: a streaming handler promises none. */
  readonly returned: Json | undefined;
  /** The output if the job is COMPLETED all the same, where the outcome is unknown. */
  readonly ifCompleted?: Json | undefined;
  /** What it returns if that is so large that some services fail the job, or drop it; else undefined. */
  readonly large: Json | undefined;
  /** Incremental results in order, with the instant after pick-up. A string may arrive split. */
  readonly chunks: readonly { readonly afterMs: number; readonly output: Json }[];
  readonly streams: boolean;
}

/** Nothing is known of what the worker does. */
export const UNPREDICTABLE: Prediction = {
  durationMs: null,
  sleeps: 0,
  outcome: 'unknown',
  output: undefined,
  returned: undefined,
  large: undefined,
  chunks: [],
  streams: false,
};

/**
 * After this many runs nothing is predicted: the job was queued again, and whether it had ever run is open.
 */
export const RUN_COUNT_UNKNOWN = 1_000;

/**
 * What becomes of a larger output is not predicted: no limit is documented, and some services drop it or
 * fail the job.
 */
export const OUTPUT_BYTES_SAFE = 500_000;

/** The error of a worker whose host does not accept incremental results. */
export const NO_INCREMENTAL_RESULTS = 'no incremental results here';

/** The error of a worker that could not follow its plan, for whatever reason. */
export const WORKER_FAILED = 'the scripted worker itself failed';

/**
 * Follows `input` as a scripted worker would; `ranBefore`: a worker of the endpoint has run this job id
 * before.
 */
export function predict(input: Json, s3Config: Json, ranBefore: boolean): Prediction {
  const chunks: { afterMs: number; output: Json }[] = [];
  let clockMs = 0;
  let sleeps = 0;
  const end = (outcome: Prediction['outcome'], output?: Json): Prediction => {
    const streams = chunks.length > 0;
    const large = output !== undefined && exceedsBytes(output, OUTPUT_BYTES_SAFE);
    return {
      durationMs: outcome === 'never' ? Infinity : clockMs,
      sleeps,
      outcome: large ? 'unknown' : outcome,
      output: streams || large ? undefined : output,
      returned: large ? undefined : output,
      large: large && !streams ? output : undefined,
      chunks,
      streams,
    };
  };
  if (!isObject(input) || !Object.hasOwn(input, 'plan')) return end('success', { echo: input });
  const plan = ranBefore && Object.hasOwn(input, 'planOnRetry') ? input['planOnRetry'] : input['plan'];
  if (!Array.isArray(plan)) return end('error');
  for (const step of plan as readonly Json[]) {
    if (!isObject(step)) return end('error');
    const names = Object.keys(step);
    const name = names[0];
    if (names.length !== 1 || name === undefined) return end('error');
    const value = step[name] ?? null;
    switch (name) {
      case 'sleepMs':
        if (!isCount(value)) return end('error');
        clockMs += value;
        sleeps += 1;
        break;
      case 'stream':
        chunks.push({ afterMs: clockMs, output: value });
        break;
      case 'streamBytes':
        if (!isCount(value)) return end('error');
        chunks.push({ afterMs: clockMs, output: repeated('x', value) });
        break;
      // Version 1 of the contract does not have this step: a worker may fail the job there.
      case 'streamWithMetrics':
        return UNPREDICTABLE;
      case 'return':
        return end('success', value);
      case 'returnBytes':
        if (!isCount(value)) return end('error');
        return end('success', { data: repeated('x', value) });
      case 'echo':
        return value === true ? end('success', input) : end('error');
      case 's3Config':
        return value === true ? end('success', { s3Config }) : end('error');
      case 'fail':
        return end('error');
      case 'crash':
        return value === true ? end('crash') : end('error');
      case 'hang':
        return value === true ? end('never') : end('error');
      default:
        return end('error');
    }
  }
  return end('success', { ok: true });
}

function isCount(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** A run that follows one of two plans: it completes as the second says where the first never completes. */
const eitherOf = (first: Prediction, second: Prediction): Prediction =>
  (first.outcome === 'error' || first.outcome === 'never') && second.outcome === 'success'
    ? { ...UNPREDICTABLE, ifCompleted: second.output }
    : UNPREDICTABLE;

/**
 * Predicts each run of a job's handler from what is known in this run of the suite; the argument is the
 * number of earlier runs.
 */
export function predictionsFor(session: Session, submission: JsonObject): (runs: number) => Prediction {
  if (!session.run.capabilities.includes('scripted-worker')) return () => UNPREDICTABLE;
  const input = submission['input'];
  const s3Config = submission['s3Config'] ?? null;
  // What a service that accepts anything but an object hands on is open.
  if (!isObject(input)) return () => UNPREDICTABLE;
  const amended = session.run.edition === 'runpod';
  // The amended edition has no worker that can run an empty input.
  if (amended && Object.keys(input).length === 0) return () => UNPREDICTABLE;
  // It treats a result with a member `error` as a failure.
  const told = (plan: Prediction): Prediction =>
    amended && isObject(plan.output) && 'error' in plan.output
      ? { ...UNPREDICTABLE, durationMs: plan.durationMs }
      : plan;
  // Few jobs need the prediction of a second run.
  let first: Prediction | null = null;
  let again: Prediction | null = null;
  // Workers that do not share memory may not know that another one has run the job before.
  const alike = !Object.hasOwn(input, 'planOnRetry');
  const shared = alike || !isBehindNetwork(session);
  return (runs) => {
    if (runs >= RUN_COUNT_UNKNOWN) return UNPREDICTABLE;
    if (runs === 0 || alike) return (first ??= told(predict(input, s3Config, false)));
    if (shared) return (again ??= told(predict(input, s3Config, true)));
    return (again ??= eitherOf(predict(input, s3Config, false), told(predict(input, s3Config, true))));
  };
}
