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
  quiet: flag('Print the result only: no plan, progress or tips', { alias: 'q' }),
  verbose: flag('Print every rule and everything left out; show stack traces', {
    alias: 'v',
  }),
  'no-color': flag('Print no colours; the default with the variable NO_COLOR, and in a pipe'),
});

/** Names of the configuration file, in the order in which they are looked for. */
export const CONFIG_FILES = ['runproof.config.ts', 'runproof.config.mjs', 'runproof.config.json'];

export const CONFIG = {
  config: text('Configuration file', { defaultDescription: 'runproof.config.{ts,mjs,json}', replayed: true }),
};

export const API_KEY = {
  'api-key': text('API key (visible to other users of this machine; prefer --api-key-file)'),
  'api-key-file': text('File with the API key; default: the key in the variable RUNPROOF_API_KEY', {
    replayed: true,
  }),
};

export const OTHER_KEYS = {
  'unpermitted-api-key': text('Valid key without permission for the endpoint'),
  'unpermitted-api-key-file': text(
    'File with that key; default: the key in the variable RUNPROOF_UNPERMITTED_API_KEY',
    { replayed: true },
  ),
  'other-api-key': text('Key of another user, with permission for the endpoint'),
  'other-api-key-file': text('File with that key; default: the key in the variable RUNPROOF_OTHER_API_KEY', {
    replayed: true,
  }),
};

export const AUTH = {
  auth: withDefault(
    oneOf(AUTH_FORMS, 'Form of the key in the Authorization header: auto, bare or bearer', {
      replayed: true,
    }),
    'auto',
  ),
};

/** How a server is called. */
export const NETWORK_OPTIONS = grouped(NETWORK, {
  header: many(
    "'Name: value' to send with every call; may be repeated",
    { nargs: 1, as: 'headers', replayed: withoutValue },
    headers,
  ),
  cacert: parsed(readPem, 'PEM file with trusted certificate authorities', { as: 'caCert', replayed: true }),
  insecure: flag('Do not verify certificates', { replayed: true }),
  proxy: url('Address of an HTTP proxy', {
    defaultDescription: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    replayed: true,
  }),
  timeout: duration(
    'Abandon a call after this time',
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
  clients: flag('Judge the clients, too: which rules for clients their calls keep and break'),
  'client-by': text('Header whose value differs for each process of a client; turns on --clients'),
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
      'Id of another endpoint with the same key, to check that it does not show the jobs of this one',
      {
        replayed: true,
      },
    ),
    'base-path': parsed(basePathIn, 'Path in place of /v2/<endpoint_id> before each operation; / for none', {
      replayed: true,
    }),
    ...API_KEY,
    ...OTHER_KEYS,
    ...AUTH,
    control: url("Address of the target's test control", { as: 'controlUrl', replayed: true }),
    speed: parsed(
      speedIn,
      "Speed of the target's clock, 0.1 to 10000 times real time, as in serve --speed 60",
      { defaultDescription: 'what --control reports, or 1', replayed: true },
    ),
    'calls-per-second': parsed(positiveNumber, 'Maximum calls per second, for a gateway that refuses more', {
      defaultDescription: 'what section 8 of the document allows',
      replayed: true,
    }),
    worker: oneOf(WORKERS, 'Worker of the endpoint: scripted, or opaque for any other', {
      defaultDescription: 'probed',
      replayed: true,
    }),
    'sample-input': parsed(
      (file, option, cwd) => (readUserJson(file, cwd, option) ?? undefined) as Json | undefined,
      'JSON file with an input that an opaque worker accepts',
      { replayed: true },
    ),
    dedicated: flag(
      'Only this run uses the endpoint, so the run may purge, send load and check exact counts',
      {
        replayed: true,
      },
    ),
    ...EXECUTION_TIMEOUT_DEFAULT,
    'webhook-listen': parsed(listenAt, 'HOST:PORT to listen on for webhooks', {
      defaultDescription: '127.0.0.1 when the target is on this machine',
      replayed: true,
    }),
    'webhook-url': url('Address at which the target reaches that listener', { replayed: true }),
  }),
  ...grouped(SCOPE, {
    ...EDITION,
    profile: withDefault(
      oneOf(
        PROFILES,
        'Longest real-time wait: quick 1 min, standard 2 min, full 31 min; ignored with --control',
      ),
      'standard',
    ),
  }),
  ...grouped(RUN, {
    grace: duration("How late timers may be, such as 500ms; with --speed, by the target's clock", {
      as: 'graceMs',
      defaultDescription: '2s, times --speed',
    }),
    concurrency: integer(1, 1_000, 'Maximum number of concurrent scripts'),
    budget: duration('Time limit, such as 3m: run what fits, then stop', { as: 'budgetMs' }, 1),
  }),
  ...NETWORK_OPTIONS,
};

/** The address to check. */
export const URL_ARGUMENT = {
  url: text('{base_url}, or an address ending in /v2/<endpoint_id>; default: the emulator itself'),
};

/** What `replay` and `shrink` take from the configuration file: what else it says is about `check` and `plan`. */
export const REACH = { ...TARGET_OPTIONS, ...GENERAL_OPTIONS, ...URL_ARGUMENT };

export const SEED = {
  seed: integer(0, SEED_MAX, 'Seed: the same seed gives the same run', { defaultDescription: 'a new one' }),
};

export const SELECTION = grouped(SCOPE, {
  only: many(
    'Check only these: sections (2.2), rule ids, scenario names, or globs (4.6/*)',
    { values: selectors },
    apart,
  ),
  skip: many('Check everything but these, named as for --only', { values: selectors }, apart),
});

/** Of our own endpoint. */
export const DIALECT = {
  dialect: text('File that --save-dialect wrote; where the document is silent, the emulator follows it'),
};

/** Of any target. */
export const HELD_DIALECT = grouped(SCOPE, {
  dialect: text('File that --save-dialect wrote: fail if the target now behaves differently'),
  'save-dialect': text('Write to this file how the target behaves where the document is silent', {
    group: OUTPUT,
  }),
});

export const MUTANT = {
  mutant: text('Bug to plant in the emulator, such as ttl-spares-running (runproof list mutants)', {
    values: mutants,
  }),
};

export const PROGRESS = {
  progress: withDefault(oneOf(PROGRESS_MODES, 'Progress: auto, plain or none'), 'auto'),
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
    'Exit with 6 if fewer required rules than this were decided: a number, or a share such as 40%',
    { defaultDescription: '10%' },
  ),
  'require-conforms': parsed(
    shareOfAll,
    'Exit with 6 unless the target conforms; with a share such as 60%, unless at least that share of the rules that apply was decided',
    { requiresArg: false },
  ),
};

export const BASELINE = {
  baseline: text('File with known failures; exit with 5 if one of them no longer occurs or has expired'),
  'update-baseline': flag('Add the failures of this run to that file, and remove those that no longer occur'),
};

/** What was seen of the life of a job. */
export const DIAGRAM = {
  diagram: parsed(
    (file, option) => diagramFile(option, file),
    'Draw the states of jobs and their transitions: FILE.svg, or FILE.mmd for Mermaid',
  ),
};

/** The page of a report. */
export const OPEN = {
  open: flag('Open the report in your browser (the variable BROWSER names another program)'),
};

/** A folder. */
export const out = (defaultDescription: string, describe = 'Folder for the report') => ({
  out: text(describe, { defaultDescription }),
});

/** What is printed of a log. */
export const LOG_ONLY = {
  'log-only': parsed(
    callFilterIn,
    "Print only calls and webhooks that match all these words, such as '/run 5xx -/health'",
    { dashed: true, defaultDescription: 'all of them' },
  ),
};

export const json = (describe = 'Print JSON') => ({ json: flag(describe) });

const SPELLINGS = ['text', 'json'] as const;

/** The same, also spelt as other tools do. */
export const jsonOrText = (describe?: string) => ({
  ...json(describe),
  format: many(
    'json does the same as --json',
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
  mutant: text('Planted bug to search for; for several, A,B or all: one search for each', {
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
