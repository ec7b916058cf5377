/**
 * The options of each command, apart from the commands so that help and completion load no command. Those of
 * `GENERAL_OPTIONS` belong to every command.
 */
import {
  API_KEY,
  AUTH,
  BASELINE,
  CONFIG,
  DIALECT,
  EDITION,
  flag,
  FORMAT,
  grouped,
  HELD_DIALECT,
  json,
  MIN_DECIDED,
  MUTANT,
  NETWORK_OPTIONS,
  number,
  OPEN,
  out,
  OUTPUT,
  PROGRESS,
  RUN,
  SCOPE,
  SEED,
  SELECTION,
  TARGET,
  TARGET_OPTIONS,
  text,
  type OptionTable,
} from './option-table.js';
import { TRIALS_SIMULATOR, TRIALS_TARGET } from '../app/trials.js';

export const LISTS = ['requirements', 'questions', 'scenarios', 'mutants', 'variants', 'lifecycle'] as const;

export const ACTIONS = ['merge', 'diff', 'render', 'matrix', 'badge'] as const;

/** The folder of `report merge`. */
export const MERGED = 'reports/merged';
export const RUNS_DEFAULT = 2_000;

const SCOPE_OPTIONS: OptionTable = {
  ...SELECTION,
  ...grouped(SCOPE, {
    scenarios: text('Folder with your own scenario files (.ts, .mjs), run in addition to the shipped ones'),
  }),
  ...grouped(RUN, {
    ...SEED,
    runs: number('Scripts per scenario', { defaultDescription: '3 under test control, 1 otherwise' }),
    explore: number('Also run this many scripts of random calls, valid and invalid', {
      defaultDescription: 'none',
    }),
  }),
};

export const CHECK_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, { ...MUTANT, ...CONFIG }),
  ...SCOPE_OPTIONS,
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...FORMAT,
    ...out('reports/<target>-<seed>'),
    ...MIN_DECIDED,
    ...BASELINE,
    ...PROGRESS,
    shrink: flag('Shrink failing scripts on the simulator, and confirm them in three runs on the target'),
    'no-shrink': flag('Under test control: do not shrink the first failure of each cause'),
    ...OPEN,
  }),
  ...grouped(RUN, {
    bail: flag('End the run when a must has failed'),
    'last-failed': flag('Only what failed in the last report: of --out, or of this address'),
    watch: flag('Check again whenever the server has been restarted, what failed first'),
  }),
};

export const PLAN_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, CONFIG),
  ...SCOPE_OPTIONS,
};

export const REPLAY_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    ...DIALECT,
    mutant: text('Without URL: the known fault of the simulator, or none; default: as recorded'),
    ...CONFIG,
  }),
  ...grouped(OUTPUT, { ...out('no report is written'), ...FORMAT }),
};

export const SHRINK_OPTIONS: OptionTable = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    mutant: text('Without URL: the known fault of the simulator; default: as recorded'),
    ...CONFIG,
  }),
  requirement: text('Requirement that has to keep failing; default: the first in the file'),
  trials: number('Maximum number of scripts to try', {
    defaultDescription: `${TRIALS_SIMULATOR}, on a target ${TRIALS_TARGET}`,
  }),
  ...out('FILE.small.json', 'File for the smaller script'),
};

export const JUDGE_OPTIONS: OptionTable = {
  ...grouped(SCOPE, {
    edition: {
      ...EDITION['edition'],
      describe: 'Judge by this edition',
      defaultDescription: 'the recorded one',
    },
    grace: text('Allow this lateness of timers', { defaultDescription: 'the recorded one' }),
  }),
  ...SELECTION,
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...FORMAT,
    ...out('no report is written'),
    ...MIN_DECIDED,
    ...BASELINE,
    ...OPEN,
    'save-smallest': text('Write the smallest part of the history that shows the first failure to this file'),
  }),
};

export const CLEAN_OPTIONS: OptionTable = {
  ...grouped(TARGET, { ...API_KEY, ...AUTH, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

export const CHECK_CONTROL_OPTIONS: OptionTable = {
  base: text('{base_url} of the job API', { defaultDescription: 'origin of the control address' }),
  ...json('Print the results as JSON'),
  ...grouped(TARGET, { ...API_KEY, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

export const EXPLORE_OPTIONS: OptionTable = {
  runs: number('Number of scripts, over all shards', {
    defaultDescription: `${RUNS_DEFAULT}, or as many as --time allows`,
  }),
  time: text('How long to explore, such as 10m'),
  ...SEED,
  shard: text('I/N: only the I-th of N shards', { defaultDescription: '1/1' }),
  ...EDITION,
  ...DIALECT,
  mutant: text('Known fault of the endpoint, to check that it is found; A,B or all: each in turn'),
  threads: number('Number of threads; does not affect the result', {
    defaultDescription: 'one for each core',
  }),
  ...out('reports/explore-<seed>'),
  ...PROGRESS,
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
  ...grouped(
    'start:',
    Object.fromEntries(
      ['runs', 'seed', 'edition', 'dialect', 'mutant'].map((name) => [name, EXPLORE_OPTIONS[name]!]),
    ),
  ),
  ...grouped('start --target, schedule:', {
    target: text('Address of a deployed endpoint; start takes several, each after --target'),
    check: text("Options of check, such as --check='--profile quick --budget 3m'"),
    every: text('schedule: how often to check it; never ends it', { defaultDescription: '10m' }),
  }),
  ...grouped('work:', {
    threads: EXPLORE_OPTIONS['threads']!,
    lease: text('A worker that is silent for this long loses its chunk', { defaultDescription: '30s' }),
    once: flag('End when no campaign has work; watch: print the state once'),
    checks: flag('Check deployed endpoints, instead of explorations'),
    listen: text('With --checks: HOST:PORT of a page with the trend, and of /metrics for Prometheus'),
    'on-change': text(
      'With --checks: command to run when something changed; it reads what changed from its input',
    ),
  }),
  ...grouped('report:', out('reports/campaign-<name>')),
};

export const DEMO_OPTIONS: OptionTable = {
  fixed: flag('Without the planted error'),
  ...OPEN,
  ...out('reports/demo'),
};

export const INIT_OPTIONS: OptionTable = {
  dir: text('Folder of the project', { defaultDescription: 'this one' }),
  url: text('Address to check, such as https://api.example.test/v2/my-endpoint', {
    defaultDescription: 'the port in the scripts of package.json or in .env, or 8080',
  }),
};

export const LIST_OPTIONS: OptionTable = {
  ...json(),
  decidable: flag('requirements: on which targets each can be decided'),
  where: flag('requirements: file and line of the sentence, check, scenarios and faults of each'),
  mermaid: flag('lifecycle: print a Mermaid state diagram'),
};

export const REPORT_OPTIONS: OptionTable = {
  format: { ...FORMAT['format'], defaultDescription: 'terminal,json,html for merge, terminal for render' },
  ...out(`${MERGED} for merge, the folder of the report for render`),
  'min-decided': {
    ...MIN_DECIDED['min-decided'],
    describe: `merge: ${MIN_DECIDED['min-decided']!.describe}`,
  },
  ...json('diff, matrix: print JSON'),
  ...OPEN,
};

export const SHOW_OPTIONS: OptionTable = json(
  'Print the calls as JSON, one per line, as history.ndjson has them',
);
