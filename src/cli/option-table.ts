/** The options of each command: the only list, used by yargs, the configuration file and the help. */
import type { Options } from 'yargs';
import { FORMAT_NAMES } from '../report/formats/names.js';

export type OptionTable = { readonly [name: string]: Options };

const text = (describe: string, more: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...more,
});
const many = (describe: string, more: Options = {}): Options => ({ ...text(describe, more), array: true });
const flag = (describe: string, more: Options = {}): Options => ({ type: 'boolean', describe, ...more });

const TARGET = 'The target:';
const SCOPE = 'What to check:';
const RUN = 'The run:';
const NETWORK = 'The network:';
const OUTPUT = 'The report:';

/** How to reach a target and what it can do: `check` and `replay`. */
export const TARGET_OPTIONS: OptionTable = {
  endpoint: text('Endpoint id, if the URL does not contain it', { group: TARGET }),
  'base-path': text('Path before the operations in place of /v2/<endpoint_id>; / for none', {
    group: TARGET,
  }),
  'api-key': text('API key (visible to other users of this machine; prefer --api-key-file)', {
    group: TARGET,
  }),
  'api-key-file': text('File with the API key; default: the variable RUNPROOF_API_KEY', {
    group: TARGET,
  }),
  'unpermitted-api-key': text('Valid key without permission for the endpoint', {
    group: TARGET,
  }),
  'unpermitted-api-key-file': text('File with that key; default: the variable RUNPROOF_UNPERMITTED_API_KEY', {
    group: TARGET,
  }),
  'other-api-key': text('Key of another user, with permission for the endpoint', {
    group: TARGET,
  }),
  'other-api-key-file': text('File with that key; default: the variable RUNPROOF_OTHER_API_KEY', {
    group: TARGET,
  }),
  auth: text('Form of the key in the header: auto, bare or bearer', {
    defaultDescription: 'auto',
    group: TARGET,
  }),
  control: text('Address of the test control of the target', { group: TARGET }),
  worker: text('Handler of the endpoint: scripted or opaque', {
    defaultDescription: 'probed',
    group: TARGET,
  }),
  'sample-input': text('JSON file with an input that an opaque worker accepts', { group: TARGET }),
  dedicated: flag('This run is the only user of the endpoint: purge, load and exact counts are allowed', {
    group: TARGET,
  }),
  'execution-timeout-default': text(
    'Default executionTimeout of the endpoint, such as 10m, to check it against',
    {
      group: TARGET,
    },
  ),
  'webhook-listen': text('HOST:PORT to listen on for webhooks', {
    defaultDescription: '127.0.0.1 when the target is on this machine',
    group: TARGET,
  }),
  'webhook-url': text('Address under which the target reaches that listener', { group: TARGET }),
  edition: text('Edition to check against: document or runpod', {
    defaultDescription: 'document',
    group: SCOPE,
  }),
  profile: text('Longest real-time wait: quick 1 min, standard 2 min, full 31 min; ignored with --control', {
    defaultDescription: 'standard',
    group: SCOPE,
  }),
  grace: text('Allowed lateness of timers', { defaultDescription: '2s', group: RUN }),
  concurrency: text('Maximum number of concurrent scripts', { group: RUN }),
  budget: text('Time limit, such as 3m: run what fits, then stop', { group: RUN }),
  header: many("'Name: value' to send with every call", { nargs: 1, group: NETWORK }),
  cacert: text('PEM file with trusted certificate authorities', { group: NETWORK }),
  insecure: flag('Do not verify certificates', { group: NETWORK }),
  proxy: text('Address of an HTTP proxy', {
    defaultDescription: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    group: NETWORK,
  }),
  timeout: text('Abandon a call after this time', { defaultDescription: '30s', group: NETWORK }),
};

export const OUTPUT_OPTIONS: OptionTable = {
  format: many(`Report formats: ${FORMAT_NAMES.join(', ')}`, {
    nargs: 1,
    defaultDescription: 'terminal,json,html',
    group: OUTPUT,
  }),
  out: text('Folder for the report', { defaultDescription: 'reports/<target>-<seed>', group: OUTPUT }),
  'min-decided': text('Exit with 6 if fewer musts were decided: a number, or a share such as 40%', {
    defaultDescription: '10%',
    group: OUTPUT,
  }),
  baseline: text('File with known failures; exit with 5 if one of them passes or has expired', {
    group: OUTPUT,
  }),
  'update-baseline': flag('Add the failures of this run to that file, and remove entries that pass', {
    group: OUTPUT,
  }),
  quiet: flag('Print only the verdict', { alias: 'q', group: OUTPUT }),
  verbose: flag('List every requirement and what is left out; show stack traces', {
    alias: 'v',
    group: OUTPUT,
  }),
  'no-color': flag('Do not use colours (also: the variable NO_COLOR, or output to a pipe)', {
    group: OUTPUT,
  }),
};

const SELECT_OPTIONS: OptionTable = {
  only: many('Check only these: requirement ids, sections (2.2), scenario names or globs', { group: SCOPE }),
  skip: many('Check all but these', { group: SCOPE }),
};

const DIALECT: OptionTable = {
  dialect: text('Fail if the target answers open questions differently than in this file', {
    group: SCOPE,
  }),
  'save-dialect': text('Write the observed readings of open questions to this file', { group: OUTPUT }),
};

const SHRINK: OptionTable = {
  shrink: flag('Shrink failing scripts on the simulator, and confirm them in three runs on the target', {
    group: OUTPUT,
  }),
};

const CONFIG: OptionTable = {
  config: text('Configuration file', { defaultDescription: 'runproof.config.{ts,mjs,json}', group: OUTPUT }),
};

const MUTANT: OptionTable = {
  mutant: text('Without URL: plant this known fault in the embedded endpoint (list mutants)', {
    group: TARGET,
  }),
};

const PROGRESS: OptionTable = {
  progress: text('Progress: auto, plain or none', { defaultDescription: 'auto', group: OUTPUT }),
};

export const CHECK_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...MUTANT,
  ...SELECT_OPTIONS,
  ...DIALECT,
  scenarios: text('Folder with your own scenario files (.ts, .mjs), run in addition to the shipped ones', {
    group: SCOPE,
  }),
  seed: text('Seed: the same seed gives the same scripts', { defaultDescription: 'a new one', group: RUN }),
  runs: text('Scripts per scenario', {
    defaultDescription: '3 under test control, 1 otherwise',
    group: RUN,
  }),
  explore: text('Also run this many scripts of random calls, valid and invalid', {
    defaultDescription: 'none',
    group: RUN,
  }),
  ...OUTPUT_OPTIONS,
  ...SHRINK,
  ...PROGRESS,
  ...CONFIG,
};

export const PLAN_OPTIONS: OptionTable = {
  ...Object.fromEntries(
    Object.entries(CHECK_OPTIONS).filter(
      ([name]) => ![MUTANT, OUTPUT_OPTIONS, SHRINK, PROGRESS].some((table) => name in table),
    ),
  ),
  verbose: flag('Name each scenario that is left out; show stack traces', { alias: 'v', group: OUTPUT }),
};

export const REPLAY_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  verbose: flag('Show the whole report; show stack traces', { alias: 'v', group: OUTPUT }),
  'no-color': flag('Do not use colours', { group: OUTPUT }),
  dialect: text('Without URL: the endpoint answers open questions as in this file', { group: TARGET }),
  mutant: text('Without URL: the known fault of the simulator, or none; default: as recorded', {
    group: TARGET,
  }),
  out: text('Folder for the report; default: no report is written', { group: OUTPUT }),
  format: many('Formats of the report in that folder', { nargs: 1, group: OUTPUT }),
  ...CONFIG,
};

export const JUDGE_OPTIONS: OptionTable = {
  edition: text('Judge by this edition instead of the recorded one', { group: SCOPE }),
  grace: text('Allow this lateness instead of the recorded one', { group: SCOPE }),
  shrink: text('Write the smallest part of the history that shows the first failure to this file', {
    group: OUTPUT,
  }),
  ...SELECT_OPTIONS,
  ...DIALECT,
  ...OUTPUT_OPTIONS,
};

export const CLEAN_OPTIONS: OptionTable = {
  ...pick(['api-key', 'api-key-file', 'auth', 'header', 'cacert', 'insecure', 'proxy', 'timeout']),
  verbose: flag('Show stack traces', { alias: 'v' }),
};

function pick(names: readonly string[]): OptionTable {
  return Object.fromEntries(Object.entries(TARGET_OPTIONS).filter(([name]) => names.includes(name)));
}
