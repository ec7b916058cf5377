/** `log`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, UNREACHABLE, USAGE } from '../../cli/options/exit-codes.js';
import { flag, integer } from '../../cli/options/option.js';
import { API_KEY, json, LOG_ONLY } from '../../cli/options/option-table.js';
import { EMULATOR_ARGUMENT } from '../../cli/running-emulator.js';

const LOG_OPTIONS = {
  ...LOG_ONLY,
  last: integer(0, 1_000, 'Begin with this many of the newest entries', { defaultDescription: '0' }),
  bodies: flag('Also print bodies, if the emulator listens only on this machine'),
  ...json('Print each call and each webhook as a line of JSON, as serve --log=json does'),
  ...API_KEY,
};

export type LogSettings = CommandSettings<typeof LOG_OPTIONS, typeof EMULATOR_ARGUMENT>;

export const log = command({
  usage: 'log [url]',
  describe: 'Follow the calls and webhooks of a running emulator, from another terminal',
  options: LOG_OPTIONS,
  arguments: EMULATOR_ARGUMENT,
  examples: [
    ['runproof log', 'follow the emulator that runproof serve runs'],
    [
      "runproof log --last 100 --log-only 'webhook 5xx'",
      'print webhooks answered with 5xx, including those among the last 100 entries',
    ],
  ],
  exits: [
    [0, 'ended by Ctrl-C, or because the emulator or the reader of the output ended'],
    USAGE,
    [UNREACHABLE[0], 'no Runproof emulator with a log answers at the address, or it rejects the key'],
    INTERNAL,
  ],
  run: async (settings, io) => (await import('./log-command.js')).log(settings, io),
});
