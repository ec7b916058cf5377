/** What the ledger has counted of one requirement. */
import type { Sharpness } from '../observed/tolerance.js';
import type { Later } from '../proof/contradiction.js';
import type { Failure } from './findings.js';

export interface Entry {
  decided: number;
  failed: number;
  readonly failures: Failure[];
  /** The first scenarios that decided it. */
  readonly decidedIn: string[];
  /** Of the cases that it ranges over, those decided; null: none was. */
  instances: Set<string> | null;
  /** Of its passes that tell; null: none does. */
  sharpest: Sharpness | null;
  /** Of its failures of lateness, the latest. */
  latest: Later | null;
  /** At least one violation is explained by no reading, not even one that waives the requirement. */
  isNotWaivable: boolean;
  /** Why observations that touched the requirement could not decide it, and how often. */
  readonly inconclusiveReasons: Map<string, number>;
}

export const newEntry = (): Entry => ({
  decided: 0,
  failed: 0,
  failures: [],
  decidedIn: [],
  instances: null,
  sharpest: null,
  latest: null,
  isNotWaivable: false,
  inconclusiveReasons: new Map(),
});
