/** What the exit codes of each command mean, as its help says. */
import type { ExitCode } from '../report/conclusion.js';

export type ExitCodes = readonly (readonly [code: ExitCode, meaning: string])[];

const USAGE = [2, 'wrong usage or configuration'] as const;
const INTERNAL = [4, 'internal error of Runproof'] as const;
const UNREACHABLE = [3, 'target unreachable, key rejected, or endpoint unknown'] as const;

/** Of a run, and of what a report of it says. */
export const CHECK_CODES: ExitCodes = [
  [0, 'no must failed, and enough was decided; it conforms only if the verdict says so'],
  [1, 'a must failed, selected or not, or the target differs from --dialect'],
  USAGE,
  [3, 'target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [5, 'the baseline has stale or expired entries'],
  [6, 'too little was decided (--min-decided, --require-conforms), or a must was left open'],
  [7, 'the budget or the time limit ended first'],
  [130, 'interrupted; a partial report is written'],
];

export const PROXY_CODES: ExitCodes = [
  [0, 'ended by Ctrl-C: no must failed, and enough was decided'],
  [1, 'a must failed, or the service differs from --dialect'],
  USAGE,
  [3, 'calls passed, and none of them could be judged'],
  INTERNAL,
  [6, 'too little was decided (--min-decided, --require-conforms)'],
];

export const CLIENT_CODES: ExitCodes = [
  [0, 'survived: no rule violated, and it ended as each weather leads to'],
  [1, 'a rule is violated, or the client ended otherwise'],
  [2, 'wrong usage, the command cannot be started, or it makes no call'],
  [4, 'internal error of Runproof, or its own half of a weather was wrong'],
  [6, 'nothing was decided'],
  [130, 'interrupted; what was judged so far is printed'],
];

export const DEMO_CODES: ExitCodes = [
  [0, 'it showed what it was to show'],
  [1, 'it found something else: please report it'],
  USAGE,
  INTERNAL,
  [130, 'interrupted'],
];

export const EXPLORE_CODES: ExitCodes = [
  [0, 'no must was violated'],
  [1, 'a must was violated'],
  USAGE,
  INTERNAL,
  [6, 'nothing was tried'],
  [7, '--time ended before all --runs'],
  [130, 'interrupted; what was found is written'],
];

export const CAMPAIGN_CODES: ExitCodes = [
  [0, 'done; report: no must was violated'],
  [1, 'report: a must was violated'],
  USAGE,
  INTERNAL,
  [6, 'report: a fault was not looked for, or too little was decided'],
  [7, 'report: the campaign has not ended'],
  [130, 'work, watch: interrupted'],
];

export const REPLAY_CODES: ExitCodes = [
  [0, 'FIXED: nothing of it fails any more; PASSED: nothing failed'],
  [1, 'FAILED: a must fails'],
  USAGE,
  [3, 'ERROR: target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [6, 'ERROR: this run did not decide it'],
  [7, 'ERROR: the budget ended first'],
  [130, 'interrupted'],
];

export const SHRINK_CODES: ExitCodes = [
  [0, 'FIXED or PASSED: neither it nor another must fails here; nothing is written'],
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
  [0, 'done; diff: no must newly fails; merge: as check'],
  [1, 'diff: a must newly fails; merge: a must failed'],
  USAGE,
  INTERNAL,
];

export const CHECK_CONTROL_CODES: ExitCodes = [
  [0, 'test control is kept'],
  [1, 'a sentence of the contract fails'],
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
