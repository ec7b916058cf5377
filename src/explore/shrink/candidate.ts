import type { Step } from '../../scenario/script.js';

/** What a simpler script is made of; the rest stays as it was. */
export interface Candidate {
  readonly steps: readonly Step[];
  /** Where it is not the script's own. */
  readonly workers?: number;
}
