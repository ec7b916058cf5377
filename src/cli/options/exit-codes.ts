/** What exit codes mean, as the help says. Those of one command stand in its feature. */
import type { ExitCode } from '../../report/conclusion.js';

export type ExitCodes = readonly (readonly [code: ExitCode, meaning: string])[];

export const USAGE = [2, 'wrong usage or configuration'] as const;
export const INTERNAL = [4, 'internal error of Runproof'] as const;
export const UNREACHABLE = [3, 'target unreachable, key rejected, or endpoint unknown'] as const;

/** Of a run, and of what a report of it says. */
export const CHECK_CODES: ExitCodes = [
  [0, 'no required rule failed, and enough were decided; the target conforms only if the verdict says so'],
  [1, 'a required rule failed (perhaps one outside --only), or the target differs from --dialect'],
  USAGE,
  [3, 'target unreachable or lost, key rejected, or endpoint unknown'],
  INTERNAL,
  [5, 'an entry of the baseline has expired, or its failure no longer occurs'],
  [
    6,
    'too few rules were decided (--min-decided, --require-conforms); or, under test control, the tests of a required rule ran but did not decide it, although they do so on a correct server (except tests that need a quick machine, such as those with hundreds of calls at once)',
  ],
  [7, 'the budget ended before enough rules were decided, or the run reached its time limit'],
  [130, 'interrupted; a partial report is written'],
];

/** Of commands that only print or write. */
export const DONE_CODES: ExitCodes = [[0, 'done'], USAGE, INTERNAL];

/** Lines for the help. */
export const exitCodeLines = (codes: ExitCodes): string =>
  ['Exit codes:', ...codes.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`)].join('\n');
