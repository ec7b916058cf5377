/** Every option that several commands have, once: its name means the same in all of them. */
import { availableParallelism } from 'node:os';
import { readUserJson } from '../../files/user-file.js';
import { SEED_MAX } from '../../checking/plan/seed.js';
import type { Json } from '../../history/events.js';
import { FORMAT_NAMES } from '../../report/formats/names.js';
import { duration, flag, grouped, integer, many, oneOf, parsed, text, url, withDefault } from './option.js';
import {
  AUTH_FORMS,
  EDITIONS,
  mutants,
  PROFILES,
  PROGRESS_MODES,
  selectors,
  WORKERS,
} from './option-values.js';
import {
  apart,
  basePathIn,
  callFilterIn,
  diagramFile,
  headers,
  listenAt,
  listOf,
  minDecided,
  positiveNumber,
  readPem,
  shareOfAll,
  speedIn,
  withoutValue,
} from './values.js';

/** Headings of the help. */
export const TARGET = 'The target:';
export const SCOPE = 'What to check:';
export const RUN = 'The run:';
export const OUTPUT = 'The report:';
const NETWORK = 'The network:';
/** With --help and --version. */
export const GENERAL = 'In every command:';

export const GENERAL_OPTIONS = grouped(GENERAL, {
  quiet: flag('Print only the result, without the plan, progress or tips', { alias: 'q' }),
  verbose: flag('Print all rules and all details; show stack traces', { alias: 'v' }),
  'no-color': flag('Print without colours; this is the default in a pipe, or if NO_COLOR is set'),
});

/** Names of the configuration file, in the order in which they are looked for. */
export const CONFIG_FILES = ['runproof.config.ts', 'runproof.config.mjs', 'runproof.config.json'];

export const CONFIG = {
  config: text('Configuration file', { defaultDescription: 'runproof.config.{ts,mjs,json}', replayed: true }),
};

export const API_KEY = {
  'api-key': text('API key; other users of this machine can see it, so prefer --api-key-file'),
  'api-key-file': text('File that contains the API key; default: the environment variable RUNPROOF_API_KEY', {
    replayed: true,
  }),
};

export const OTHER_KEYS = {
  'unpermitted-api-key': text('Valid API key that is not permitted to use the endpoint'),
  'unpermitted-api-key-file': text(
    'File that contains this key; default: the environment variable RUNPROOF_UNPERMITTED_API_KEY',
    { replayed: true },
  ),
  'other-api-key': text('API key of another user who is permitted to use the endpoint'),
  'other-api-key-file': text(
    'File that contains this key; default: the environment variable RUNPROOF_OTHER_API_KEY',
    { replayed: true },
  ),
};

export const AUTH = {
  auth: withDefault(
    oneOf(AUTH_FORMS, 'How to send the key in the Authorization header: bare, bearer, or auto to find out', {
      replayed: true,
    }),
    'auto',
  ),
};

/** How a server is called. */
export const NETWORK_OPTIONS = grouped(NETWORK, {
  header: many(
    "Header to send with every call, as 'Name: value'; may be repeated",
    { nargs: 1, as: 'headers', replayed: withoutValue },
    headers,
  ),
  cacert: parsed(readPem, 'PEM file of trusted certificate authorities', { as: 'caCert', replayed: true }),
  insecure: flag('Do not verify TLS certificates', { replayed: true }),
  proxy: url('Address of an HTTP proxy to use', {
    defaultDescription: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    replayed: true,
  }),
  timeout: duration(
    'Abandon a call that takes longer than this',
    { as: 'timeoutMs', defaultDescription: '30s', replayed: true },
    1,
  ),
});

/** What is needed to reach a server whose address is known. */
export const CONNECTION_OPTIONS = {
  ...grouped(TARGET, { ...API_KEY, ...AUTH, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

export const CLIENTS = {
  clients: flag('Also judge the clients, by the rules for clients'),
  'client-by': text('Header whose value is different for each client process; turns on --clients'),
  'fail-on-client': flag('Exit with 1 instead of 0 if a client breaks a rule; turns on --clients'),
};

export const EDITION = {
  edition: oneOf(EDITIONS, 'Edition of the rules: document or runpod', {
    defaultDescription: 'document',
    replayed: true,
  }),
};

export const EXECUTION_TIMEOUT_DEFAULT = {
  'execution-timeout-default': duration(
    'Check that the endpoint has this default executionTimeout, such as 10m',
    { as: 'executionTimeoutDefaultMs', replayed: true },
  ),
};

/** How to reach a target and what it can do. */
export const TARGET_OPTIONS = {
  ...grouped(TARGET, {
    endpoint: text('Endpoint id, if the URL does not contain it'),
    'other-endpoint': text(
      'Id of a second endpoint with the same key; check that it does not show jobs of the first',
      { replayed: true },
    ),
    'base-path': parsed(
      basePathIn,
      'Path that replaces /v2/<endpoint_id> before each operation; / for none',
      { replayed: true },
    ),
    ...API_KEY,
    ...OTHER_KEYS,
    ...AUTH,
    control: url('Address of test control on the target', { as: 'controlUrl', replayed: true }),
    speed: parsed(
      speedIn,
      "Speed of the target's clock: 0.1 to 10000 times real time, such as 60 for serve --speed 60",
      { defaultDescription: 'what --control reports, or 1', replayed: true },
    ),
    'calls-per-second': parsed(
      positiveNumber,
      'Maximum calls per second; set this if a gateway refuses more',
      { defaultDescription: 'what section 8 of the document allows', replayed: true },
    ),
    worker: oneOf(WORKERS, "Worker that runs the endpoint's jobs: scripted, or opaque for any other", {
      defaultDescription: 'found by a probe',
      replayed: true,
    }),
    'sample-input': parsed(
      (file, option, cwd) => (readUserJson(file, cwd, option) ?? undefined) as Json | undefined,
      'JSON file with a job input that an opaque worker accepts',
      { replayed: true },
    ),
    dedicated: flag(
      'Declare that only this run uses the endpoint; the run may then purge jobs, send load and check exact counts',
      { replayed: true },
    ),
    ...EXECUTION_TIMEOUT_DEFAULT,
    'webhook-listen': parsed(listenAt, 'HOST:PORT at which Runproof receives webhooks', {
      defaultDescription: '127.0.0.1 when the target is on this machine',
      replayed: true,
    }),
    'webhook-url': url('Address at which the target reaches --webhook-listen', { replayed: true }),
  }),
  ...grouped(SCOPE, {
    ...EDITION,
    profile: withDefault(
      oneOf(
        PROFILES,
        'Longest wait in real time: quick (1 min), standard (2 min) or full (31 min); ignored with --control',
      ),
      'standard',
    ),
  }),
  ...grouped(RUN, {
    grace: duration("How late a timer may fire, such as 500ms; with --speed, on the target's clock", {
      as: 'graceMs',
      defaultDescription: '2s, times --speed',
    }),
    concurrency: integer(1, 1_000, 'Maximum number of scripts to run at the same time'),
    budget: duration(
      'Time limit for the whole run, report included, such as 3m; the run omits what does not fit',
      { as: 'budgetMs' },
      1,
    ),
  }),
  ...NETWORK_OPTIONS,
};

/** The address to check. */
export const URL_ARGUMENT = {
  url: text('Address of the server: {base_url} or {base_url}/v2/<endpoint_id>; default: the emulator'),
};

/** What `replay` and `shrink` take from the configuration file: what else it says is about `check` and `plan`. */
export const REACH = { ...TARGET_OPTIONS, ...GENERAL_OPTIONS, ...URL_ARGUMENT };

export const SEED = {
  seed: integer(0, SEED_MAX, 'Number that sets all random values; reuse it to repeat the run', {
    defaultDescription: 'a new one',
  }),
};

export const SELECTION = grouped(SCOPE, {
  only: many(
    'Check only these: sections (2.2), rule ids, scenario names, or globs (4.6/*)',
    { values: selectors },
    apart,
  ),
  skip: many('Leave these out; takes the same values as --only', { values: selectors }, apart),
});

/** Of our own endpoint. */
export const DIALECT = {
  dialect: text('File from --save-dialect; the emulator follows it where the document is silent'),
};

/** Of any target. */
export const HELD_DIALECT = grouped(SCOPE, {
  dialect: text('File from --save-dialect; fail if the target now behaves differently'),
  'save-dialect': text('Save to this file how the target behaves where the document is silent', {
    group: OUTPUT,
  }),
});

export const MUTANT = {
  mutant: text('Bug to plant in the emulator, such as ttl-spares-running; runproof list mutants shows all', {
    values: mutants,
  }),
};

export const PROGRESS = {
  progress: withDefault(oneOf(PROGRESS_MODES, 'How to show progress: auto, plain or none'), 'auto'),
};

export const FORMAT = {
  format: many(
    `Report formats, separated by commas: ${FORMAT_NAMES.join(', ')}`,
    { nargs: 1, as: 'formats', values: FORMAT_NAMES, defaultDescription: 'terminal,json,html' },
    (values, option) => (values.length === 0 ? undefined : listOf(option, values, FORMAT_NAMES)),
  ),
};

export const MIN_DECIDED = {
  'min-decided': parsed(
    minDecided,
    'Exit with 6 unless at least this many required rules are decided: a number, or a share, such as 40%, of those that can be decided here',
    { defaultDescription: '10%' },
  ),
  'require-conforms': parsed(
    shareOfAll,
    'Exit with 6 unless the target conforms; given a share such as 60%, unless that share of the applicable rules is decided',
    { requiresArg: false },
  ),
};

export const BASELINE = {
  baseline: text('File of known failures to accept; exit with 5 if one has expired or no longer occurs'),
  'update-baseline': flag('Add new failures to the baseline, and remove failures that no longer occur'),
};

/** What was seen of the life of a job. */
export const DIAGRAM = {
  diagram: parsed(
    (file, option) => diagramFile(option, file),
    'Draw the observed job states and transitions to FILE.svg, or to FILE.mmd for Mermaid',
  ),
};

/** The page of a report. */
export const OPEN = {
  open: flag('Open the report in your browser, or in the program that the variable BROWSER names'),
};

/** A folder. */
export const out = (defaultDescription: string, describe = 'Folder for the report') => ({
  out: text(describe, { defaultDescription }),
});

/** What is printed of a log. */
export const LOG_ONLY = {
  'log-only': parsed(
    callFilterIn,
    "Print only the calls and webhooks that match all of these words, such as '/run 5xx -/health'",
    { dashed: true, defaultDescription: 'all of them' },
  ),
};

export const json = (describe = 'Print JSON') => ({ json: flag(describe) });

const SPELLINGS = ['text', 'json'] as const;

/** The same, also spelt as other tools do. */
export const jsonOrText = (describe?: string) => ({
  ...json(describe),
  format: many(
    'text, or json (the same as --json)',
    { nargs: 1, values: SPELLINGS, defaultDescription: 'text' },
    (values, option) => listOf(option, values, SPELLINGS),
  ),
});

interface AsJson {
  readonly json: boolean;
  readonly format: readonly string[];
}

export const wantsJson = ({ json: flagged, format }: AsJson): boolean => flagged || format.includes('json');

/** Random calls on the simulator. */
export const RUNS_DEFAULT = 2_000;
export const RUNS_MAX = 1_000_000_000;

export const SEARCHED = {
  mutant: text('Planted bugs to search for one by one, separated by commas, or all', {
    values: mutants,
  }),
};

export const THREADS = {
  threads: withDefault(
    integer(1, 256, 'Number of threads; does not affect the result', {
      defaultDescription: 'one for each core',
    }),
    availableParallelism(),
  ),
};
