/**
 * Options of the commands other than `check` and `serve`. They stand apart from the commands so that help and
 * completion load no command.
 */
import type { Options } from 'yargs';
import { CLEAN_OPTIONS, OUTPUT_OPTIONS, TARGET_OPTIONS, type OptionTable } from './option-table.js';

export const LISTS = ['requirements', 'questions', 'scenarios', 'mutants', 'variants', 'lifecycle'] as const;

export const ACTIONS = ['merge', 'diff', 'render', 'matrix', 'badge'] as const;

/** The folder of `report merge`. */
export const MERGED = 'reports/merged';
export const RUNS_DEFAULT = 2_000;
/** A trial takes milliseconds on the simulator; on a target it takes requests, and its waits. */
export const TRIALS_SIMULATOR = 2_000;
export const TRIALS_TARGET = 60;

const option = (describe: string, defaultDescription?: string): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...(defaultDescription === undefined ? {} : { defaultDescription }),
});

export const CHECK_CONTROL_OPTIONS: OptionTable = {
  'api-key': CLEAN_OPTIONS['api-key']!,
  'api-key-file': CLEAN_OPTIONS['api-key-file']!,
  base: {
    type: 'string',
    describe: '{base_url} of the job API',
    defaultDescription: 'origin of the control address',
  },
  json: { type: 'boolean', describe: 'Print the results as JSON' },
  'no-color': { type: 'boolean', describe: 'Do not use colours' },
};

export const EXPLORE_OPTIONS: OptionTable = {
  runs: option('Number of scripts, over all shards', `${RUNS_DEFAULT}, or as many as --time holds`),
  time: option('How long to explore, such as 10m'),
  seed: option('Seed: the same seed gives the same scripts', 'a new one'),
  shard: option('I/N: only the I-th of N shards', '1/1'),
  edition: option('Edition to check against: document or runpod', 'document'),
  dialect: option('The endpoint answers open questions as in this file'),
  mutant: option('Known fault of the endpoint, to check that it is found; A,B or all: each in turn'),
  threads: option('Number of threads; does not affect the result', 'one for each core'),
  out: option('Folder for the report', 'reports/explore-<seed>'),
  progress: option('Progress: auto, plain or none', 'auto'),
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};

export const CAMPAIGN_ACTIONS = [
  'start',
  'work',
  'watch',
  'report',
  'list',
  'stop',
  'resume',
  'remove',
  'schedule',
] as const;

export const CAMPAIGN_OPTIONS: OptionTable = {
  ...Object.fromEntries(
    ['runs', 'seed', 'edition', 'dialect', 'mutant'].map((name) => [
      name,
      { ...EXPLORE_OPTIONS[name], describe: `start: ${EXPLORE_OPTIONS[name]!.describe}` },
    ]),
  ),
  threads: option('work: number of threads', 'one for each core'),
  lease: option('work: a worker that says nothing for so long loses its chunk to another', '30s'),
  once: { type: 'boolean', describe: 'work: end when no campaign has work; watch: print the state once' },
  out: option('report: folder for the report', 'reports/campaign-<name>'),
  target: option('start, schedule: address of a deployed endpoint; start takes several, each after --target'),
  every: option('schedule: check it every so often, such as 10m; never ends it', '10m'),
  check: option("start --target, schedule: options of check, such as --check='--profile quick --budget 3m'"),
  checks: { type: 'boolean', describe: 'work: check deployed endpoints, instead of explorations' },
  listen: option('work --checks: HOST:PORT of a page with the trend, and of /metrics for Prometheus'),
  'on-change': option('work --checks: command to run when something changed; reads what from its input'),
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};

export const DEMO_OPTIONS: OptionTable = {
  fixed: { type: 'boolean', describe: 'Without the planted error' },
  out: option('Folder for the report', 'reports/demo'),
  'no-color': { type: 'boolean', describe: 'Do not use colours' },
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};

export const INIT_OPTIONS: OptionTable = {
  dir: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder of the project',
    defaultDescription: 'this one',
  },
  url: {
    type: 'string',
    requiresArg: true,
    describe: 'Address to check, such as https://api.example.test/v2/my-endpoint',
    defaultDescription: 'the port in the scripts of package.json or in .env, or 8080',
  },
};

export const REPORT_OPTIONS: OptionTable = {
  ...Object.fromEntries(Object.entries(OUTPUT_OPTIONS).filter(([name]) => !name.endsWith('baseline'))),
  out: {
    ...OUTPUT_OPTIONS['out'],
    defaultDescription: `${MERGED} for merge, the folder of the report for render`,
  },
  format: {
    ...OUTPUT_OPTIONS['format'],
    defaultDescription: 'terminal,json,html for merge, terminal for render',
  },
  json: { type: 'boolean', describe: 'diff, matrix: print JSON' },
};

export const SHOW_OPTIONS: OptionTable = {
  json: { type: 'boolean', describe: 'Print the calls as JSON, one per line, as history.ndjson has them' },
  'no-color': { type: 'boolean', describe: 'Do not use colours' },
};

export const SHRINK_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  requirement: {
    type: 'string',
    requiresArg: true,
    describe: 'Requirement that has to keep failing; default: the first in the file',
  },
  trials: {
    type: 'string',
    requiresArg: true,
    describe: 'Maximum number of scripts to try',
    defaultDescription: `${TRIALS_SIMULATOR}, on a target ${TRIALS_TARGET}`,
  },
  mutant: {
    type: 'string',
    requiresArg: true,
    describe: 'Known fault of the simulator; default: as in the file',
  },
  out: {
    type: 'string',
    requiresArg: true,
    describe: 'File for the smaller script',
    defaultDescription: 'FILE.small.json',
  },
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};
