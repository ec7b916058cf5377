/**
 * `explore/` promises scripts of random calls, valid and invalid, weighted by the probable states of the
 * jobs, and the smallest script for each violation found. It never judges and knows no endpoint.
 */
export { batchTask, runBatch } from './batch.js';
export { batchesFor, batchOf, firstRunOf, RUNS_PER_BATCH } from './batch-sizes.js';
export type { BatchResult, BatchTask, Violation, FoundViolation, Judged, TestBed } from './batch.js';
export { concurrencyBurstScript } from './concurrency-burst.js';
export { batchesInRound, Exploration } from './exploration.js';
export { EMPTY_TALLY, mergedSummary, mergedTally, summaryOf, tallyOf, withoutScripts } from './tally.js';
export type { ExplorationSummary, SummaryOf, TallyOf, ViolationRef } from './tally.js';
export { exploredScripts } from './explored-scripts.js';
export { EXPLORED, EXPLORED_NEED } from './explored.js';
export { scriptArbitrary, type ScriptArbitraryOptions } from './script-arbitrary.js';
export { shrinkViolation, titleOf, type ShrunkViolation } from './shrink-violation.js';
export { shrinking, shrinkScript } from './shrink/shrink-script.js';
export { simplerScripts } from './shrink/index.js';
export { plainEnvironment, type Environment } from './environment.js';
