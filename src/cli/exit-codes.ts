/** What the exit codes of each command mean, as its help says. */
import type { ExitCode } from '../report/conclusion.js';

export type ExitCodes = readonly (readonly [code: ExitCode, meaning: string])[];

const USAGE = [2, 'wrong usage or configuration'] as const;
const INTERNAL = [4, 'internal error of Runproof'] as const;
const UNREACHABLE = [3, 'target unreachable, key rejected, or endpoint unknown'] as const;

/** Of a run, and of what a report of it says. */
export const CHECK_CODES: ExitCodes = [
  [0, 'no required rule failed, and enough was decided; the target conforms only if the verdict says so'],
  [1, 'a required rule failed, even one outside --only, or the target differs from --dialect'],
  USAGE,
  [3, 'target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [5, 'the baseline has stale or expired entries'],
  [
    6,
    'too little was decided (--min-decided, --require-conforms); or, under test control, the tests left undecided a required rule that they decide on a correct server',
  ],
  [7, 'the budget ended before enough was decided, or the time limit of the run ended first'],
  [130, 'interrupted; a partial report is written'],
];

export const PROXY_CODES: ExitCodes = [
  [0, 'ended by Ctrl-C: no required rule failed, and enough was decided'],
  [1, 'a required rule failed, or the service differs from --dialect'],
  USAGE,
  [3, 'calls passed through, but none could be judged'],
  INTERNAL,
  [6, 'too little was decided (--min-decided, --require-conforms)'],
  [130, 'ended at once by a second Ctrl-C'],
];

export const CLIENT_CODES: ExitCodes = [
  [0, 'the client survived: it broke no rule and exited as expected'],
  [1, 'the client broke a rule, or did not exit as expected'],
  [2, 'wrong usage, or the client cannot be started or makes no call'],
  [4, 'internal error of Runproof, or its own emulator was wrong'],
  [5, 'the baseline has stale or expired entries'],
  [6, 'nothing was decided'],
  [130, 'interrupted; the results so far are printed'],
];

export const DEMO_CODES: ExitCodes = [
  [0, 'it found the planted bug, or no bug with --fixed'],
  [1, 'it found something else: please report it'],
  USAGE,
  INTERNAL,
  [130, 'interrupted'],
];

export const EXPLORE_CODES: ExitCodes = [
  [0, 'no required rule was broken; with several --mutant: every search ran to its end'],
  [1, 'a required rule was broken'],
  USAGE,
  INTERNAL,
  [6, 'nothing ran'],
  [7, '--time ended before all --runs'],
  [130, 'interrupted; the findings so far are written'],
];

export const CAMPAIGN_CODES: ExitCodes = [
  [0, 'done; report: no required rule was broken'],
  [1, 'report: a required rule was broken'],
  USAGE,
  [3, 'report: a target was lost, or rejected the key'],
  INTERNAL,
  [
    6,
    'report: too little was decided, work was set aside after three failures, or there is an ALARM, such as a missed planted bug',
  ],
  [7, 'report: the campaign has not ended'],
  [130, 'work, watch: interrupted'],
];

export const REPLAY_CODES: ExitCodes = [
  [0, 'FIXED: the failure is gone; PASSED: nothing failed'],
  [1, 'FAILED: a required rule fails'],
  USAGE,
  [3, 'ERROR: target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [6, 'ERROR: this run did not decide the rule'],
  [7, 'ERROR: the budget ended first'],
  [130, 'interrupted'],
];

export const SHRINK_CODES: ExitCodes = [
  [0, 'FIXED or PASSED: no required rule fails here; nothing is written'],
  [1, 'a required rule fails; the smaller script is written'],
  USAGE,
  UNREACHABLE,
  INTERNAL,
  [6, 'ERROR: this run did not decide the rule'],
  [130, 'interrupted before anything was found'],
];

export const JUDGE_CODES: ExitCodes = CHECK_CODES.map(([code, meaning]) => [
  code,
  code === 3 ? 'the target was lost during the recorded run' : meaning,
]);

export const PLAN_CODES: ExitCodes = [[0, 'planned'], USAGE, UNREACHABLE, INTERNAL, [130, 'interrupted']];

export const REPORT_CODES: ExitCodes = [
  [0, 'done; diff: no required rule newly fails; merge: none failed, and enough was decided'],
  [1, 'diff: a required rule newly fails; merge: a required rule failed'],
  USAGE,
  [3, 'merge: a run lost its target, or its key was rejected'],
  INTERNAL,
  [5, 'merge: the baseline has stale or expired entries'],
  [6, 'merge: too little was decided, or an exploration ran nothing'],
  [7, 'merge: the budget or the time limit of a run ended first'],
  [130, 'merge: a run was interrupted'],
];

/** Of commands that only print or write. */
export const DONE_CODES: ExitCodes = [[0, 'done'], USAGE, INTERNAL];

export const SERVE_CODES: ExitCodes = [
  [0, 'ended by Ctrl-C or SIGTERM'],
  [2, 'wrong usage, or the address or the data folder cannot be used'],
  INTERNAL,
  [130, 'ended at once by a second Ctrl-C'],
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
