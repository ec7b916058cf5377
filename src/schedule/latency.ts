/** How quickly a target responded before the run: what a plan assumes. @internal */
export interface Latency {
  /** From sending a call to its complete reply, median, ms of the target's clock. */
  readonly replyMs: number;
  /** What a job takes beside its plan when a worker is free, ms of the target's clock. */
  readonly dispatchMs: number;
  /** The longest wait of any script of the run, ms; needed where there are no workers. */
  readonly maxWaitMs?: number;
  /** How long the jobs of the probe waited in vain for a worker, real ms; only where there are no workers. */
  readonly queuedMs?: number;
  /** How many times as fast as real time that clock runs. Default 1. */
  readonly speed?: number;
  /** All calls together, at most so many in a second of real time; absent: any number. */
  readonly callsPerSecond?: number;
}

/** What takes so long on a real machine, in ms of the target's clock: at least as long where that is slow. */
export const onItsClock = ({ speed = 1 }: Latency, realMs: number): number => realMs * Math.max(1, speed);

/** Replies and jobs take no time beside their plans. */
export const NO_LATENCY: Latency = { replyMs: 0, dispatchMs: 0 };

/** No worker takes a job before the run ends. */
const NEVER_MS = 1_000_000_000;

export function hasNoWorkers({ dispatchMs }: Latency): boolean {
  return dispatchMs >= NEVER_MS;
}

/** A run waits for a worker for two fifths of its budget: so this many times as long waits for twice as long. */
const BUDGET_FACTOR = 5;
const BUDGET_MIN = 5;

/** What is told where no worker took a job of the probe, without the full stop. */
export function noWorkerTook(queuedMs: number): string {
  const seconds = `${Math.max(1, Math.round(queuedMs / 1_000))} s`;
  const budget = `--budget ${Math.max(BUDGET_MIN, Math.round((BUDGET_FACTOR * queuedMs) / 60_000))}m`;
  return (
    `/health shows no workers, and none took a job of the probe within ${seconds}, so the run assumes that there are none. ` +
    `Start a worker, and check again. One may be starting: ${budget} waits for it for longer`
  );
}

/** Replies take no time, and no worker takes a job. */
export const WITHOUT_WORKERS: Latency = { ...NO_LATENCY, dispatchMs: NEVER_MS };

/** Measured times are rounded down to these steps, so that similar targets share their dry runs. */
const REPLY_STEP_MS = 25;
const DISPATCH_STEP_MS = 250;

/**
 * @param repliesMs how long each reply has taken, real ms
 * @param dispatchMs how long a job without work has taken, real ms; null where none ended, Infinity where none will
 */
export function latencyOf(repliesMs: readonly number[], dispatchMs: number | null, speed = 1): Latency {
  const sorted = [...repliesMs].sort((left, right) => left - right);
  const replyMs = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  const jobMs = Math.max(0, (dispatchMs ?? 0) - 2 * replyMs);
  return {
    replyMs: Math.round(inSteps(replyMs, REPLY_STEP_MS) * speed),
    dispatchMs: Math.min(NEVER_MS, Math.round(inSteps(jobMs, DISPATCH_STEP_MS) * speed)),
    ...(speed === 1 ? {} : { speed }),
  };
}

const inSteps = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs;
