import { NO_LATENCY, type HttpTarget } from '../../target/http/index.js';
import type { Target } from '../../target/port.js';

/** What a plan depends on. @internal */
export type PlanTarget = Pick<
  HttpTarget,
  | 'kind'
  | 'name'
  | 'clock'
  | 'capabilities'
  | 'limits'
  | 'earlyMs'
  | 'executionTimeoutDefaultMs'
  | 'workers'
  | 'latency'
  | 'notes'
>;

/** Any target. One over HTTP also says how many workers it has, and how quickly it replies. @public */
export type PlannedTarget = Target & Partial<Pick<PlanTarget, 'workers' | 'latency' | 'notes'>>;

export function planTargetOf(target: PlannedTarget): PlanTarget {
  const { kind, name, clock, capabilities, limits, earlyMs, executionTimeoutDefaultMs = null } = target;
  const { workers = null, latency = NO_LATENCY, notes = [] } = target;
  return {
    kind,
    name,
    clock,
    capabilities,
    limits,
    earlyMs,
    executionTimeoutDefaultMs,
    workers,
    latency,
    notes,
  };
}
