/** How long a run will probably take, and whether more workers would shorten it. */
import type { Plan } from '../../schedule/draw-plan.js';
import { estimateDuration, overNetworkMs, type DurationEstimate } from '../../target/http/index.js';
import type { PlanTarget } from './plan-target.js';

/** Usual numbers of workers. */
const WORKERS = [2, 3, 4, 6, 8, 12, 16];
/** A run that takes this much longer than its longest script is waiting for workers. */
const ABOVE_LONGEST = 1.15;
const ABOVE_LONGEST_MS = 3_000;

/** @internal */
export interface Advice {
  readonly has: number;
  readonly wants: number;
  readonly wallMs: number;
}

/** With how many workers the run would take no longer than its longest script; null if there are enough. */
export function workersAdvice(
  { scripts }: Plan,
  target: PlanTarget,
  { wallMs, longestScriptMs }: DurationEstimate,
): Advice | null {
  const enoughMs = ABOVE_LONGEST * longestScriptMs + ABOVE_LONGEST_MS;
  const has = target.workers ?? 1;
  if (target.clock !== 'real' || target.capabilities.includes('worker-count-known') || wallMs <= enoughMs)
    return null;
  for (const wants of WORKERS.filter((workers) => workers > has)) {
    const then = estimateDuration(scripts, wants, target.latency);
    if (then.wallMs <= enoughMs) return { has, wants, wallMs: then.wallMs };
  }
  return null;
}

/** @internal */
export interface OverNetwork {
  readonly replyMs: number;
  /** Real time for all scripts together, in ms. */
  readonly wallMs: number;
  /** The same if endpoints had clocks of their own; null where they have. */
  readonly atOnceMs: number | null;
  /** When each script ends, in this order, if they run at once. */
  readonly endsMs: readonly number[];
}

/** Null unless the clock is moved over a network. Simulates every script. */
export function overNetwork({ scripts }: Plan, { network }: PlanTarget): OverNetwork | null {
  if (network === null) return null;
  const { replyMs, hasEndpointClocks } = network;
  const { oneByOneMs, atOnceMs, endsMs } = overNetworkMs(scripts, replyMs);
  return hasEndpointClocks
    ? { replyMs, wallMs: atOnceMs, atOnceMs: null, endsMs }
    : { replyMs, wallMs: oneByOneMs, atOnceMs, endsMs };
}

/** The probable calls and duration of a run. Simulates every script. */
export function estimateOf(plan: Plan, target: PlanTarget): DurationEstimate {
  const apart = target.capabilities.includes('worker-count-known');
  return estimateDuration(plan.scripts, apart ? null : (target.workers ?? 1), target.latency);
}
