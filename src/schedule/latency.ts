/** How quick a target was found to be before the run: what a plan reckons with. */
export interface Latency {
  /** From sending a call to its whole answer, as a rule, real ms. */
  readonly replyMs: number;
  /** What it takes beside its plan to end a job for which a worker is free, real ms. */
  readonly dispatchMs: number;
  /** The longest that a script of the run wants to wait; needed where there are no workers. */
  readonly maxWaitMs?: number;
}

/** Quicker than anybody would notice. */
export const NO_LATENCY: Latency = { replyMs: 0, dispatchMs: 0 };

/** No worker takes a job before all is over. */
const NEVER_MS = 1_000_000_000;

export function hasNoWorkers({ dispatchMs }: Latency): boolean {
  return dispatchMs >= NEVER_MS;
}

/** As prompt as can be, without any worker. */
export const WITHOUT_WORKERS: Latency = { ...NO_LATENCY, dispatchMs: NEVER_MS };

/** Measured times are rounded down to these steps: what differs by less is planned alike, and rehearsed once. */
const REPLY_STEP_MS = 25;
const DISPATCH_STEP_MS = 250;

/** `repliesMs`: of all calls so far; `dispatchMs`: null where no job was seen to end, Infinity where none will. */
export function latencyOf(repliesMs: readonly number[], dispatchMs: number | null): Latency {
  const sorted = [...repliesMs].sort((left, right) => left - right);
  const replyMs = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  const jobMs = Math.max(0, (dispatchMs ?? 0) - 2 * replyMs);
  return {
    replyMs: inSteps(replyMs, REPLY_STEP_MS),
    dispatchMs: Math.min(NEVER_MS, inSteps(jobMs, DISPATCH_STEP_MS)),
  };
}

const inSteps = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs;
