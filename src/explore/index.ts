/**
 * `explore/` promises scripts of random calls, valid and invalid, weighted by the probable states of the
 * jobs, and the smallest script for each violation found. It never judges and knows no endpoint.
 */
export { runBatch } from './batch.js';
export { batchesFor, batchOf, firstRunOf } from './batch-sizes.js';
export type { BatchTask, Violation, FoundViolation, TestBed } from './batch.js';
export { Exploration } from './exploration.js';
export { EMPTY_TALLY, mergedTally } from './tally.js';
export type { ExplorationSummary, TallyOf, ViolationRef } from './tally.js';
export { shrinkViolation, titleOf, type ShrunkViolation } from './shrink-violation.js';
export { shrinking } from './shrink/shrink-script.js';
export { plainEnvironment, type Environment } from './environment.js';
