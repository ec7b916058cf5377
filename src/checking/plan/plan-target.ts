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
  | 'network'
  | 'notes'
>;

/** Any target. One over HTTP also says how many workers it has, and how quickly it replies. @public */
export type PlannedTarget = Target & Partial<Pick<PlanTarget, 'workers' | 'latency' | 'network' | 'notes'>>;

export function planTargetOf(target: PlannedTarget): PlanTarget {
  const { kind, name, clock, capabilities, limits, earlyMs, executionTimeoutDefaultMs = null } = target;
  const { workers = null, latency = NO_LATENCY, network = null, notes = [] } = target;
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
    network,
    notes,
  };
}
