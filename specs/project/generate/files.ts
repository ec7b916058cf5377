/** The files that `npm run generate` writes, each checked in and held by a spec. */
import { scenarioIndex, scenarioNames } from './scenario-index.js';

export interface GeneratedFile {
  /** Below the root of the repository. */
  readonly path: string;
  readonly text: () => Promise<string> | string;
}

export const GENERATED: readonly GeneratedFile[] = [
  { path: 'scenarios/index.ts', text: () => scenarioIndex(scenarioNames()) },
];
