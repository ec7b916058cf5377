/** `replay`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { grouped, required, text } from '../../cli/options/option.js';
import {
  CONFIG,
  DIAGRAM,
  FORMAT,
  out,
  OUTPUT,
  REACH,
  TARGET,
  TARGET_OPTIONS,
  URL_ARGUMENT,
} from '../../cli/options/option-table.js';
import { mutants } from '../../cli/options/option-values.js';

const REPLAY_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    dialect: text(
      'Without a URL: file from --save-dialect; the emulator follows it where the document is silent',
    ),
    mutant: text('Without a URL: bug to plant in the emulator, or none; default: as recorded', {
      values: mutants,
    }),
    ...CONFIG,
  }),
  ...grouped(OUTPUT, { ...out('no report is written'), ...FORMAT, ...DIAGRAM }),
};

const REPLAY_ARGUMENTS = {
  file: required(text('Failure (a file in failures/ of a report), script, or token (rp1-…)')),
  url: text(
    `${URL_ARGUMENT.url.describe}; for failures that explore found, the simulator (the emulator in memory)`,
  ),
};

export type ReplaySettings = CommandSettings<typeof REPLAY_OPTIONS, typeof REPLAY_ARGUMENTS>;

export const replay = command({
  usage: 'replay <file> [url]',
  describe:
    'Repeat saved calls, from a failure or from serve --record, and report FIXED, PASSED, FAILED or ERROR',
  options: REPLAY_OPTIONS,
  arguments: REPLAY_ARGUMENTS,
  examples: [
    [
      'runproof replay reports/local/failures/x.json http://localhost:8080/v2/test',
      'see whether a failure is fixed',
    ],
    ['runproof replay rp1-q1ZK… http://localhost:8080/v2/test', 'do the same with a token from a log'],
  ],
  exits: [
    [0, 'FIXED: the failure is gone; PASSED: nothing failed this time'],
    [1, 'FAILED: a required rule fails'],
    USAGE,
    [3, 'ERROR: target unreachable or lost, key rejected, or endpoint unknown'],
    INTERNAL,
    [6, 'ERROR: this run did not decide the rule'],
    [7, 'ERROR: the budget ended before the replay did'],
    [130, 'interrupted'],
  ],
  run: async (settings, io, given) => (await import('./replay-command.js')).replaySaved(settings, io, given),
  configured: REACH,
});
