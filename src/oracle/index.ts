/**
 * The judge: reads a history and decides for every requirement of the document whether it was satisfied.
 * `oracle/` never imports the core, the simulator or a target: it is an independent reading of the
 * document.
 */
export * from './ledger/findings.js';
export {
  followJobs,
  type Belief,
  type BeliefStep,
  type Unexplained,
  type FollowedJob,
  type Moment,
  type RuledOut,
} from './beliefs.js';
export { decisionsOn, type Decision } from './decisions.js';
export { judge, Judging } from './judge.js';
export { judgeParts, PartsJudge } from './judge-parts.js';
export { playsToFail } from './calls/implemented.js';
export { lostKeyIn } from './observed/lost-key.js';
export { hasStoppedAnswering } from './observed/target-life.js';
export { transitions } from './transition-list.js';
export { formatContradiction } from './proof/contradiction.js';
export { shrinkFailures, shrinkHistory } from './shrink-history.js';
