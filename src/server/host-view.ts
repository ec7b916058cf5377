import type { Service } from '../core/api.js';
import type { WorkStep } from './handlers/handler-runner.js';

/** The present state of a host, to look at. */
export interface HostView {
  readonly nowMs: number;
  readonly service: Pick<Service, 'snapshot' | 'job' | 'webhook' | 'upcoming'>;
  /** What workers do next, in order, at most `max`. */
  steps(max: number): readonly { readonly atMs: number; readonly step: WorkStep }[];
}
