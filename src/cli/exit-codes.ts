/** What the exit codes of each command mean, as its help says. */
import type { ExitCode } from '../report/conclusion.js';

export type ExitCodes = readonly (readonly [code: ExitCode, meaning: string])[];

const USAGE = [2, 'wrong usage or configuration'] as const;
const INTERNAL = [4, 'internal error of Runproof'] as const;
const UNREACHABLE = [3, 'target unreachable, key rejected, or endpoint unknown'] as const;

/** Of a run, and of what a report of it says. */
export const CHECK_CODES: ExitCodes = [
  [0, 'no required rule failed, and enough was decided; it conforms only if the verdict says so'],
  [1, 'a required rule failed, selected or not, or the target differs from --dialect'],
  USAGE,
  [3, 'target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [5, 'the baseline has stale or expired entries'],
  [6, 'too little was decided (--min-decided, --require-conforms), or a required rule stayed undecided'],
  [7, 'the budget or the time limit ended first'],
  [130, 'interrupted; a partial report is written'],
];

export const PROXY_CODES: ExitCodes = [
  [0, 'ended by Ctrl-C: no required rule failed, and enough was decided'],
  [1, 'a required rule failed, or the service differs from --dialect'],
  USAGE,
  [3, 'calls passed, but none could be judged'],
  INTERNAL,
  [6, 'too little was decided (--min-decided, --require-conforms)'],
];

export const CLIENT_CODES: ExitCodes = [
  [0, 'survived: no rule broken, and it exited as expected'],
  [1, 'a rule is broken, or the client did not exit as expected'],
  [2, 'wrong usage, the command cannot be started, or it makes no call'],
  [4, 'internal error of Runproof, or its own emulator was wrong'],
  [6, 'nothing was decided'],
  [130, 'interrupted; what was judged so far is printed'],
];

export const DEMO_CODES: ExitCodes = [
  [0, 'it found the planted bug, or with --fixed none'],
  [1, 'it found something else: please report it'],
  USAGE,
  INTERNAL,
  [130, 'interrupted'],
];

export const EXPLORE_CODES: ExitCodes = [
  [0, 'no required rule was broken'],
  [1, 'a required rule was broken'],
  USAGE,
  INTERNAL,
  [6, 'nothing ran'],
  [7, '--time ended before all --runs'],
  [130, 'interrupted; what was found is written'],
];

export const CAMPAIGN_CODES: ExitCodes = [
  [0, 'done; report: no required rule was broken'],
  [1, 'report: a required rule was broken'],
  USAGE,
  INTERNAL,
  [6, 'report: a planted bug was not searched for, or too little was decided'],
  [7, 'report: the campaign has not ended'],
  [130, 'work, watch: interrupted'],
];

export const REPLAY_CODES: ExitCodes = [
  [0, 'FIXED: it no longer fails; PASSED: nothing failed'],
  [1, 'FAILED: a required rule fails'],
  USAGE,
  [3, 'ERROR: target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [6, 'ERROR: this run did not decide it'],
  [7, 'ERROR: the budget ended first'],
  [130, 'interrupted'],
];

export const SHRINK_CODES: ExitCodes = [
  [0, 'FIXED or PASSED: no required rule fails here; nothing is written'],
  [1, 'it fails; the smaller script is written'],
  USAGE,
  UNREACHABLE,
  INTERNAL,
  [6, 'ERROR: this run did not decide it'],
  [130, 'interrupted before anything was found'],
];

export const JUDGE_CODES: ExitCodes = CHECK_CODES.map(([code, meaning]) => [
  code,
  code === 3 ? 'the target was lost during the recorded run' : meaning,
]);

export const PLAN_CODES: ExitCodes = [[0, 'planned'], USAGE, UNREACHABLE, INTERNAL, [130, 'interrupted']];

export const REPORT_CODES: ExitCodes = [
  [0, 'done; diff: no required rule newly fails; merge: as check'],
  [1, 'diff: a required rule newly fails; merge: a required rule failed'],
  USAGE,
  INTERNAL,
];

export const CHECK_CONTROL_CODES: ExitCodes = [
  [0, 'every rule of test control holds'],
  [1, 'a rule of test control fails'],
  USAGE,
  [3, 'nothing answers there, or the key is rejected'],
  INTERNAL,
];

export const CLEAN_CODES: ExitCodes = [
  [0, 'every job has ended'],
  USAGE,
  [3, 'some jobs could not be ended'],
  INTERNAL,
];

/** Lines for the help. */
export const exitCodeLines = (codes: ExitCodes): string =>
  ['Exit codes:', ...codes.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`)].join('\n');
