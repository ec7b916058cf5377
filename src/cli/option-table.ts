/** The options of each command, for yargs, for the configuration file and for the help, told once. */
import type { Options } from 'yargs';
import { FORMAT_NAMES } from '../report/index.js';

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
  endpoint: text('Endpoint id, where the URL does not hold it', { group: TARGET }),
  'base-path': text('What stands before the operations instead of /v2/<endpoint_id>: / for nothing', {
    group: TARGET,
  }),
  'api-key': text('API key (visible to other users of this machine: prefer the next two)', { group: TARGET }),
  'api-key-file': text('File that holds the API key; the variable RUNPROOF_API_KEY is read otherwise', {
    group: TARGET,
  }),
  'unpermitted-api-key': text('A key without permission for the endpoint, to be refused by it', {
    group: TARGET,
  }),
  'unpermitted-api-key-file': text('File that holds it; else the variable RUNPROOF_UNPERMITTED_API_KEY', {
    group: TARGET,
  }),
  'other-api-key': text('A key of another user, with permission, whose limits may be his own', {
    group: TARGET,
  }),
  'other-api-key-file': text('File that holds it; else the variable RUNPROOF_OTHER_API_KEY', {
    group: TARGET,
  }),
  auth: text('How the key stands in the header: auto, bare or bearer', {
    defaultDescription: 'auto',
    group: TARGET,
  }),
  control: text('Address at which the target offers test control', { group: TARGET }),
  worker: text("The endpoint's handler: scripted or opaque", { defaultDescription: 'probed', group: TARGET }),
  'sample-input': text('JSON file with an input that an opaque worker accepts', { group: TARGET }),
  dedicated: flag('Nobody else uses this endpoint: purge, load and exact counts are allowed', {
    group: TARGET,
  }),
  'execution-timeout-default': text("The endpoint's own executionTimeout, such as 10m, to hold it to", {
    group: TARGET,
  }),
  'webhook-listen': text('HOST:PORT on which to listen for webhooks', {
    defaultDescription: '127.0.0.1 when the target is on this machine',
    group: TARGET,
  }),
  'webhook-url': text('Address by which the target reaches that listener', { group: TARGET }),
  edition: text('Hold the target to: document or runpod', { defaultDescription: 'document', group: SCOPE }),
  profile: text('The longest wait: quick 1 min, standard 2 min, full 31 min; no matter under test control', {
    defaultDescription: 'standard',
    group: SCOPE,
  }),
  grace: text('How late a timer may be', { defaultDescription: '2s', group: RUN }),
  concurrency: text('Scripts under way at once', { group: RUN }),
  budget: text('Play what fits this time, such as 3m, and stop when it is over', { group: RUN }),
  header: many("'Name: value' to send with every call", { nargs: 1, group: NETWORK }),
  cacert: text('PEM file with the authorities to trust', { group: NETWORK }),
  insecure: flag('Do not check the certificate', { group: NETWORK }),
  proxy: text('Address of an HTTP proxy', { group: NETWORK }),
  timeout: text('Give up a call after this time', { defaultDescription: '30s', group: NETWORK }),
};

export const OUTPUT_OPTIONS: OptionTable = {
  format: many(`Forms of the report: ${FORMAT_NAMES.join(', ')}`, {
    nargs: 1,
    defaultDescription: 'terminal,json,html',
    group: OUTPUT,
  }),
  out: text('Folder for the report', { defaultDescription: 'reports/<target>-<seed>', group: OUTPUT }),
  'min-decided': text('Exit 6 when fewer musts were decided: a number, or a share such as 40%', {
    defaultDescription: '10%',
    group: OUTPUT,
  }),
  baseline: text('File of known failures; exit 5 when one of them passes, or has expired', { group: OUTPUT }),
  'update-baseline': flag('Write the failures of this run into that file, and take out what passes', {
    group: OUTPUT,
  }),
  quiet: flag('Print the verdict alone', { alias: 'q', group: OUTPUT }),
  verbose: flag('Name every requirement; show where an error came from', { alias: 'v', group: OUTPUT }),
  'no-color': flag('No colours (nor with the variable NO_COLOR, nor in a pipe)', { group: OUTPUT }),
};

export const SELECT_OPTIONS: OptionTable = {
  only: many('Requirement ids, sections (2.2), scenario names or globs; nothing else', { group: SCOPE }),
  skip: many('The same: all but these', { group: SCOPE }),
};

const DIALECT: OptionTable = {
  dialect: text('Hold the target to the readings of open questions in this file; drift fails', {
    group: SCOPE,
  }),
  'save-dialect': text('Write the readings observed of the open questions to this file', { group: OUTPUT }),
};

const SHRINK: OptionTable = {
  shrink: flag(
    'Make the scripts that failed small on the simulator, and play them three times more on the target',
    { group: OUTPUT },
  ),
};

const CONFIG: OptionTable = {
  config: text('Configuration file', { defaultDescription: 'runproof.config.{ts,mjs,json}', group: OUTPUT }),
};

const PROGRESS: OptionTable = {
  progress: text('Progress: auto, plain or none', { defaultDescription: 'auto', group: OUTPUT }),
};

export const CHECK_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...SELECT_OPTIONS,
  ...DIALECT,
  scenarios: text('Folder of scenario files of your own (.ts, .mjs), played besides the shipped ones', {
    group: SCOPE,
  }),
  seed: text('Draws the same scripts again', { defaultDescription: 'a new one', group: RUN }),
  runs: text('Scripts drawn of each scenario', {
    defaultDescription: '3 under test control, else 1',
    group: RUN,
  }),
  explore: text('Play so many scripts of random calls as well, legal and illegal', {
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
      ([name]) => ![OUTPUT_OPTIONS, SHRINK, PROGRESS].some((table) => name in table),
    ),
  ),
  verbose: flag('Show where an error came from', { alias: 'v', group: OUTPUT }),
};

export const REPLAY_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  verbose: flag('Show the whole report; show where an error came from', { alias: 'v', group: OUTPUT }),
  'no-color': flag('No colours', { group: OUTPUT }),
  dialect: text('Without URL: let the endpoint answer open questions as in this file', { group: TARGET }),
  mutant: text('Without URL: the known fault to give the simulator, or none; default: as recorded', {
    group: TARGET,
  }),
  out: text('Folder for the report; default: none is written', { group: OUTPUT }),
  format: many('Forms of the report in that folder', { nargs: 1, group: OUTPUT }),
  ...CONFIG,
};

export const JUDGE_OPTIONS: OptionTable = {
  edition: text('Judge by another edition than the recorded one', { group: SCOPE }),
  grace: text('Allow another lateness than the recorded one', { group: SCOPE }),
  shrink: text('Write the smallest part of the history that still shows the first failure to this file', {
    group: OUTPUT,
  }),
  ...SELECT_OPTIONS,
  ...DIALECT,
  ...OUTPUT_OPTIONS,
};

export const CLEAN_OPTIONS: OptionTable = {
  ...pick(['api-key', 'api-key-file', 'auth', 'header', 'cacert', 'insecure', 'proxy', 'timeout']),
  verbose: flag('Show where an error came from', { alias: 'v' }),
};

function pick(names: readonly string[]): OptionTable {
  return Object.fromEntries(Object.entries(TARGET_OPTIONS).filter(([name]) => names.includes(name)));
}
