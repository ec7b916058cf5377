/** Every option that several commands have, once: its name means the same in all of them. */
import type { Options } from 'yargs';
import { FORMAT_NAMES } from '../report/formats/names.js';
import { AUTH_FORMS, EDITIONS, PROFILES, PROGRESS_MODES, WORKERS } from './option-values.js';

export interface Option extends Options {
  /** The words that it takes, for completion. */
  readonly values?: readonly string[];
  /** What `replay` needs, too, to reach the same target: a report names it. */
  readonly replayed?: true;
}

export type OptionTable = { readonly [name: string]: Option };

/** A file, an address, a duration or a word. */
export const text = (describe: string, more: Option = {}): Option => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...more,
});
/** Its text is read by the command, as a wrong one is to be quoted. */
export const number = (describe: string, more: Option = {}): Option =>
  text(describe, { number: true, ...more });
/** One value each time that it is given. */
export const many = (describe: string, more: Option = {}): Option =>
  text(describe, { array: true, nargs: 1, ...more });
export const flag = (describe: string, more: Option = {}): Option => ({ type: 'boolean', describe, ...more });

/** With the heading, where an option has none. */
export const grouped = (group: string, table: OptionTable): OptionTable =>
  Object.fromEntries(Object.entries(table).map(([name, option]) => [name, { group, ...option }]));

/** Headings of the help. */
export const TARGET = 'The target:';
export const SCOPE = 'What to check:';
export const RUN = 'The run:';
export const OUTPUT = 'The report:';
const NETWORK = 'The network:';
/** With --help and --version. */
export const GENERAL = 'In every command:';

export const GENERAL_OPTIONS = grouped(GENERAL, {
  quiet: flag('Print the result only: no plan, no progress, no advice', { alias: 'q' }),
  verbose: flag('Print more, such as every requirement and what is left out; show stack traces', {
    alias: 'v',
  }),
  'no-color': flag('Do not use colours (also: the variable NO_COLOR, or output to a pipe)'),
});

export const CONFIG: OptionTable = {
  config: text('Configuration file', { defaultDescription: 'runproof.config.{ts,mjs,json}' }),
};

export const API_KEY: OptionTable = {
  'api-key': text('API key (visible to other users of this machine; prefer --api-key-file)'),
  'api-key-file': text('File with the API key; default: the variable RUNPROOF_API_KEY'),
};

export const OTHER_KEYS: OptionTable = {
  'unpermitted-api-key': text('Valid key without permission for the endpoint'),
  'unpermitted-api-key-file': text('File with that key; default: the variable RUNPROOF_UNPERMITTED_API_KEY'),
  'other-api-key': text('Key of another user, with permission for the endpoint'),
  'other-api-key-file': text('File with that key; default: the variable RUNPROOF_OTHER_API_KEY'),
};

export const AUTH: OptionTable = {
  auth: text('Form of the key in the header: auto, bare or bearer', {
    values: AUTH_FORMS,
    defaultDescription: 'auto',
    replayed: true,
  }),
};

/** How a server is called. */
export const NETWORK_OPTIONS = grouped(NETWORK, {
  header: many("'Name: value' to send with every call; may be repeated"),
  cacert: text('PEM file with trusted certificate authorities', { replayed: true }),
  insecure: flag('Do not verify certificates', { replayed: true }),
  proxy: text('Address of an HTTP proxy', {
    defaultDescription: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    replayed: true,
  }),
  timeout: text('Abandon a call after this time', { defaultDescription: '30s', replayed: true }),
});

export const EDITION: OptionTable = {
  edition: text('Edition of the document: document or runpod', {
    values: EDITIONS,
    defaultDescription: 'document',
    replayed: true,
  }),
};

/** How to reach a target and what it can do. */
export const TARGET_OPTIONS: OptionTable = {
  ...grouped(TARGET, {
    endpoint: text('Endpoint id, if the URL does not contain it'),
    'base-path': text('Path before the operations in place of /v2/<endpoint_id>; / for none', {
      replayed: true,
    }),
    ...API_KEY,
    ...OTHER_KEYS,
    ...AUTH,
    control: text('Address of the test control of the target', { replayed: true }),
    worker: text('Handler of the endpoint: scripted or opaque', {
      values: WORKERS,
      defaultDescription: 'probed',
      replayed: true,
    }),
    'sample-input': text('JSON file with an input that an opaque worker accepts', { replayed: true }),
    dedicated: flag('This run is the only user of the endpoint: purge, load and exact counts are allowed', {
      replayed: true,
    }),
    'execution-timeout-default': text(
      'Default executionTimeout of the endpoint, such as 10m, to check it against',
      { replayed: true },
    ),
    'webhook-listen': text('HOST:PORT to listen on for webhooks', {
      defaultDescription: '127.0.0.1 when the target is on this machine',
      replayed: true,
    }),
    'webhook-url': text('Address under which the target reaches that listener', { replayed: true }),
  }),
  ...grouped(SCOPE, {
    ...EDITION,
    profile: text(
      'Longest real-time wait: quick 1 min, standard 2 min, full 31 min; ignored with --control',
      {
        values: PROFILES,
        defaultDescription: 'standard',
      },
    ),
  }),
  ...grouped(RUN, {
    grace: text('Allowed lateness of timers, such as 500ms', { defaultDescription: '2s' }),
    concurrency: number('Maximum number of concurrent scripts'),
    budget: text('Time limit, such as 3m: run what fits, then stop'),
  }),
  ...NETWORK_OPTIONS,
};

export const SEED: OptionTable = {
  seed: number('Seed: the same seed gives the same run', { defaultDescription: 'a new one' }),
};

export const SELECTION = grouped(SCOPE, {
  only: text('Check only these: requirement ids, sections (2.2), scenario names or globs', { array: true }),
  skip: text('Check all but these', { array: true }),
});

/** Of our own endpoint. */
export const DIALECT: OptionTable = {
  dialect: text(
    'File with readings of open questions, such as --save-dialect writes; the endpoint follows them',
  ),
};

/** Of any target. */
export const HELD_DIALECT = grouped(SCOPE, {
  dialect: text('File with readings of open questions: fail if the target answers otherwise'),
  'save-dialect': text('Write the observed readings of open questions to this file', { group: OUTPUT }),
});

export const MUTANT: OptionTable = {
  mutant: text('Known fault of our own endpoint, such as ttl-spares-running (runproof list mutants)'),
};

export const PROGRESS: OptionTable = {
  progress: text('Progress: auto, plain or none', { values: PROGRESS_MODES, defaultDescription: 'auto' }),
};

export const FORMAT: OptionTable = {
  format: many(`Report formats, separated by commas: ${FORMAT_NAMES.join(', ')}`, {
    values: FORMAT_NAMES,
    defaultDescription: 'terminal,json,html',
  }),
};

export const MIN_DECIDED: OptionTable = {
  'min-decided': text('Exit with 6 if fewer musts were decided: a number, or a share such as 40%', {
    defaultDescription: '10%',
  }),
};

export const BASELINE: OptionTable = {
  baseline: text('File with known failures; exit with 5 if one of them passes or has expired'),
  'update-baseline': flag('Add the failures of this run to that file, and remove entries that pass'),
};

/** The page of a report. */
export const OPEN: OptionTable = {
  open: flag('Open the page of the report, with the program of the variable BROWSER or of the system'),
};

/** A folder. */
export const out = (defaultDescription: string, describe = 'Folder for the report'): OptionTable => ({
  out: text(describe, { defaultDescription }),
});

export const json = (describe = 'Print JSON'): OptionTable => ({ json: flag(describe) });
