/** `shrink`: what it is. */
import { TRIALS_SIMULATOR, TRIALS_TARGET } from '../../checking/trials.js';
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, UNREACHABLE, USAGE } from '../../cli/options/exit-codes.js';
import { grouped, integer, required, text } from '../../cli/options/option.js';
import { CONFIG, out, REACH, TARGET, TARGET_OPTIONS } from '../../cli/options/option-table.js';
import { mutants, requirements } from '../../cli/options/option-values.js';

const SHRINK_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    mutant: text('Without a URL: bug to plant in the simulator; default: as recorded', { values: mutants }),
    ...CONFIG,
  }),
  requirement: text('Rule that the smaller script must still break; default: the first in the file', {
    values: requirements,
  }),
  trials: integer(1, 1_000_000, 'Maximum number of scripts to try', {
    defaultDescription: `${TRIALS_SIMULATOR} on the simulator, ${TRIALS_TARGET} on a target`,
  }),
  ...out('FILE.small.json', 'File for the smaller script'),
};

const SHRINK_ARGUMENTS = {
  file: required(text('Failure (a file in failures/ of a report), or script')),
  url: text('Address of the server: {base_url} or {base_url}/v2/<endpoint_id>; default: the simulator'),
};

export type ShrinkSettings = CommandSettings<typeof SHRINK_OPTIONS, typeof SHRINK_ARGUMENTS>;

export const shrink = command({
  usage: 'shrink <file> [url]',
  describe: 'Find fewer calls that show the same failure, on the simulator or on a server',
  options: SHRINK_OPTIONS,
  arguments: SHRINK_ARGUMENTS,
  examples: [['runproof shrink reports/explore-7/failures/x.json', 'write x.small.json to the same folder']],
  exits: [
    [0, 'FIXED or PASSED: no required rule fails here; nothing is written'],
    [1, 'a required rule fails; the smaller script is written'],
    USAGE,
    UNREACHABLE,
    INTERNAL,
    [6, 'ERROR: this run did not decide the rule'],
    [130, 'interrupted before anything was found'],
  ],
  run: async (settings, io, given) => (await import('./shrink-command.js')).shrink(settings, io, given),
  configured: REACH,
});
