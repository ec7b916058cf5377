import type { Step } from '../../scenario/script.js';

/** The changed parts of a simpler script. */
export interface Candidate {
  readonly steps: readonly Step[];
  /** Where it differs from the script's. */
  readonly workers?: number;
}
