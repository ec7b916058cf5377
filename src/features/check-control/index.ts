/** `check-control`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { grouped, text } from '../../cli/options/option.js';
import {
  API_KEY,
  AUTH,
  CONFIG,
  GENERAL_OPTIONS,
  json,
  NETWORK_OPTIONS,
  TARGET,
  URL_ARGUMENT,
} from '../../cli/options/option-table.js';

const CHECK_CONTROL_OPTIONS = {
  base: text('{base_url} of the job API', { defaultDescription: 'the origin of the control address' }),
  ...json('Print the results as JSON'),
  ...grouped(TARGET, { ...API_KEY, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

const CONTROL_ARGUMENT = {
  control: text('Address of test control; default: the address in the configuration'),
};

const CONFIGURED = {
  ...CONTROL_ARGUMENT,
  ...API_KEY,
  ...AUTH,
  ...NETWORK_OPTIONS,
  ...GENERAL_OPTIONS,
  ...URL_ARGUMENT,
};

export type CheckControlSettings = CommandSettings<
  typeof CHECK_CONTROL_OPTIONS,
  typeof CONTROL_ARGUMENT,
  typeof CONFIGURED
>;

export const checkControl = command({
  usage: 'check-control [control]',
  describe:
    'Check, rule by rule, your implementation of test control, the interface that lets tests create endpoints and move the clock (docs/contracts/test-control.md)',
  options: CHECK_CONTROL_OPTIONS,
  arguments: CONTROL_ARGUMENT,
  examples: [
    [
      'runproof check-control http://127.0.0.1:8080/_control',
      'test your interface while you implement it; afterwards, use check --control',
    ],
  ],
  exits: [
    [0, 'every rule of test control holds'],
    [1, 'a rule of test control fails'],
    USAGE,
    [3, 'nothing answers at the address, or the key is rejected'],
    INTERNAL,
  ],
  run: async (settings, io) => (await import('./check-control-command.js')).checkControlCommand(settings, io),
  configured: CONFIGURED,
});
