/** How the faults of the naive server are written down. */
import type { Hooks } from '../hooks.js';

/** The points at which the server does something wrong. */
export interface FaultCode extends Partial<Hooks> {
  /** Makes the hooks of a fault that remembers something; asked once for each server. */
  readonly with?: () => Partial<Hooks>;
}

/** By the id of the wrong, which `table.ts` describes. */
export interface Faults {
  readonly [id: string]: FaultCode;
}
