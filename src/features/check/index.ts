/**
 * `features/` promises a folder for each command. Its `index.ts` says what the command is, for the help and the shell, and
 * loads what it does when it runs. Here: `check`, and `plan`, which checks nothing.
 */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { CHECK_CODES, INTERNAL, UNREACHABLE, USAGE } from '../../cli/options/exit-codes.js';
import { URL_ARGUMENT } from '../../cli/options/option-table.js';
import { CHECK_CONFIG, CHECK_OPTIONS, PLAN_CONFIG, PLAN_OPTIONS } from './options.js';

export { CHECK_CONFIG };

export type CheckSettings = CommandSettings<typeof CHECK_OPTIONS, typeof URL_ARGUMENT>;
export type PlanSettings = CommandSettings<typeof PLAN_OPTIONS, typeof URL_ARGUMENT, typeof PLAN_CONFIG>;

export const check = command({
  usage: 'check [url]',
  describe: 'Check a server; without a URL, check the emulator itself',
  options: CHECK_OPTIONS,
  arguments: URL_ARGUMENT,
  examples: [
    ['runproof check', 'check the emulator itself'],
    [
      'runproof check https://api.example.test/v2/my-endpoint --api-key-file key.txt',
      'check a deployed endpoint in real time',
    ],
    [
      'runproof check http://localhost:8080 --control http://localhost:8080/_control',
      'check a server that offers test control',
    ],
    ["runproof check http://localhost:8080/v2/test --only 2.2 '4.6/*'", 'check some sections only'],
    ['runproof check http://localhost:8080/v2/test --ui --open', 'choose and watch tests in your browser'],
    ['runproof check --mutant ttl-spares-running --only 2.2', 'see Runproof find a planted bug'],
  ],
  exits: CHECK_CODES,
  run: async (settings, io, given) => (await import('./check-command.js')).check(settings, io, given),
  configured: CHECK_CONFIG,
});

export const plan = command({
  usage: 'plan [url]',
  describe:
    'Show what check would send and how long it would take; plan itself submits up to five short jobs, to find out what runs them (none with --worker scripted)',
  options: PLAN_OPTIONS,
  arguments: URL_ARGUMENT,
  examples: [
    [
      'runproof plan https://api.example.test/v2/my-endpoint --profile quick',
      'preview the check of a deployed endpoint',
    ],
    ['runproof plan http://localhost:8080/v2/test --budget 3m', 'show what fits into three minutes'],
  ],
  exits: [[0, 'the plan is printed'], USAGE, UNREACHABLE, INTERNAL, [130, 'interrupted']],
  run: async (settings, io, given) => (await import('./plan-command.js')).plan(settings, io, given),
  configured: PLAN_CONFIG,
});
