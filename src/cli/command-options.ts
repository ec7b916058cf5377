/**
 * The options of each command, apart from the commands so that help and completion load no command. Those of
 * `GENERAL_OPTIONS` belong to every command.
 */
import { availableParallelism } from 'node:os';
import { SEED_MAX } from '../checking/plan/seed.js';
import { TRIALS_SIMULATOR, TRIALS_TARGET } from '../checking/trials.js';
import { CLOCK_SKEW_MS } from '../traffic/clock-skew.js';
import { duration, flag, grouped, integer, many, oneOf, parsed, text, url, withDefault } from './option.js';
import {
  API_KEY,
  AUTH,
  BASELINE,
  CONFIG,
  DIAGRAM,
  DIALECT,
  EDITION,
  EXECUTION_TIMEOUT_DEFAULT,
  FORMAT,
  HELD_DIALECT,
  json,
  MIN_DECIDED,
  MUTANT,
  mutants,
  NETWORK_OPTIONS,
  OPEN,
  out,
  OUTPUT,
  PROGRESS,
  requirements,
  RUN,
  SCOPE,
  SEED,
  SELECTION,
  TARGET,
  TARGET_OPTIONS,
} from './option-table.js';
import { CRASHES, WORLDS, YES_NO } from './option-values.js';
import { endpointAddress, hostAndPort, shardIn } from './values.js';

export const LISTS = ['requirements', 'questions', 'scenarios', 'mutants', 'variants', 'lifecycle'] as const;

export const RUNS_DEFAULT = 2_000;
export const RUNS_MAX = 1_000_000_000;
/** For more, use `explore`, which needs no target. */
const EXPLORED_MAX = 100_000;

export const SCOPE_OPTIONS = {
  ...SELECTION,
  ...grouped(SCOPE, {
    scenarios: text(
      'Folder with your own scenarios (.ts, .mjs) and saved scripts (.json), to run with the shipped ones',
    ),
  }),
  ...grouped(RUN, {
    ...SEED,
    runs: integer(1, 1_000, 'Scripts per scenario', {
      defaultDescription: '3 under test control, 1 otherwise',
    }),
    explore: withDefault(
      integer(0, EXPLORED_MAX, 'Also run this many scripts of random calls', {
        as: 'explored',
        defaultDescription: 'none',
      }),
      0,
    ),
  }),
};

export const CHECK_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, { ...MUTANT, ...CONFIG }),
  ...SCOPE_OPTIONS,
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...FORMAT,
    ...out('reports/<target>-<seed>'),
    ...MIN_DECIDED,
    ...BASELINE,
    ...DIAGRAM,
    ...PROGRESS,
    shrink: flag('Find smaller scripts on the simulator, and confirm each in three runs on the target'),
    'no-shrink': flag('Under test control: do not shrink the first failure of each cause'),
    ...OPEN,
  }),
  ...grouped(RUN, {
    bail: flag('Stop at the first failure'),
    'last-failed': flag(
      'Check only what failed in the report in --out, or else in the last report on this address',
    ),
    watch: flag('Check again after each restart of the server, failures first'),
  }),
};

export const PLAN_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, CONFIG),
  ...SCOPE_OPTIONS,
};

export const REPLAY_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    dialect: text(
      'Without a URL: file that --save-dialect wrote; where the document is silent, the emulator follows it',
    ),
    mutant: text('Without a URL: bug to plant in the simulator, or none; default: as recorded', {
      values: mutants,
    }),
    ...CONFIG,
  }),
  ...grouped(OUTPUT, { ...out('no report is written'), ...FORMAT, ...DIAGRAM }),
};

export const SHRINK_OPTIONS = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, {
    mutant: text('Without a URL: bug to plant in the simulator; default: as recorded', { values: mutants }),
    ...CONFIG,
  }),
  requirement: text('Rule that must keep failing; default: the first in the file', {
    values: requirements,
  }),
  trials: integer(1, 1_000_000, 'Maximum number of scripts to try', {
    defaultDescription: `${TRIALS_SIMULATOR} on the simulator, ${TRIALS_TARGET} on a target`,
  }),
  ...out('FILE.small.json', 'File for the smaller script'),
};

export const JUDGE_OPTIONS = {
  ...grouped(SCOPE, {
    edition: {
      ...EDITION.edition,
      describe: 'Judge by this edition',
      defaultDescription: 'the recorded one',
    },
    grace: duration('How late timers may be, such as 500ms', {
      as: 'graceMs',
      defaultDescription: 'the recorded one',
    }),
  }),
  ...grouped(SCOPE, {
    world: oneOf(WORLDS, 'Recorded traffic: open if other clients may use the endpoint, closed if none do', {
      defaultDescription: 'open',
    }),
    crashes: oneOf(YES_NO, CRASHES, { defaultDescription: 'yes' }),
    ...EXECUTION_TIMEOUT_DEFAULT,
    endpoint: many(
      'Recorded traffic: address of an endpoint, such as https://host/v2/abc',
      { as: 'endpoints', defaultDescription: 'every address that answers like one' },
      (given, option) => given.map((one) => endpointAddress(option, one)),
    ),
    'clock-skew': duration('Recorded traffic in several files: how far apart their clocks may be', {
      as: 'clockSkewMs',
      defaultDescription: `${CLOCK_SKEW_MS / 1000}s if a job is in several files`,
    }),
    complete: oneOf(YES_NO, 'Recorded traffic: yes if it has every call of its clients', {
      defaultDescription: 'yes',
    }),
  }),
  ...SELECTION,
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...FORMAT,
    ...out('no report is written'),
    ...MIN_DECIDED,
    ...BASELINE,
    ...DIAGRAM,
    ...OPEN,
    'save-digests': text(
      'Write the recorded calls to this file, with digests instead of payloads, so that you can share them',
    ),
    'save-smallest': text('Write to this file the smallest part of the history that shows the first failure'),
  }),
};

export const CLEAN_OPTIONS = {
  ...grouped(TARGET, { ...API_KEY, ...AUTH, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

export const CHECK_CONTROL_OPTIONS = {
  base: text('{base_url} of the job API', { defaultDescription: 'origin of the control address' }),
  ...json('Print the results as JSON'),
  ...grouped(TARGET, { ...API_KEY, ...CONFIG }),
  ...NETWORK_OPTIONS,
};

export const EXPLORE_OPTIONS = {
  runs: integer(1, RUNS_MAX, 'Number of scripts, over all shards', {
    defaultDescription: `${RUNS_DEFAULT}, or as many as --time allows`,
  }),
  time: duration('How long to explore, such as 10m', { as: 'timeMs' }, 1),
  ...SEED,
  shard: withDefault(parsed(shardIn, 'I/N: only the I-th of N shards', { defaultDescription: '1/1' }), {
    index: 1,
    count: 1,
  }),
  ...EDITION,
  ...DIALECT,
  mutant: text('Planted bug to search for; for several, A,B or all: one search for each', {
    values: mutants,
  }),
  threads: withDefault(
    integer(1, 256, 'Number of threads; does not affect the result', {
      defaultDescription: 'one for each core',
    }),
    availableParallelism(),
  ),
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

export const CAMPAIGN_OPTIONS = {
  ...grouped('start:', {
    runs: integer(
      1,
      RUNS_MAX,
      'Number of scripts; with --target (required there): number of checks of each target',
      {
        defaultDescription: String(RUNS_DEFAULT),
      },
    ),
    seed: integer(0, SEED_MAX, 'Required: the same seed gives the same campaign'),
    ...EDITION,
    ...DIALECT,
    mutant: EXPLORE_OPTIONS.mutant,
  }),
  ...grouped('start --target, schedule:', {
    target: text('Address of a deployed endpoint; start: may be repeated'),
    check: text("Options of check, such as --check='--profile quick --budget 3m'"),
    every: text('schedule: how often to check the target, such as 10m; "never" ends its checks', {
      defaultDescription: '10m',
    }),
  }),
  ...grouped('work:', {
    threads: EXPLORE_OPTIONS.threads,
    lease: withDefault(
      duration(
        'Give the work of a silent worker to another after this time',
        { as: 'leaseMs', defaultDescription: '30s' },
        1_000,
      ),
      30_000,
    ),
    once: flag('End when no work is left; watch: print the state once'),
    checks: flag('Check deployed endpoints instead of exploring'),
    listen: parsed(
      (value, option) => hostAndPort(option, value),
      'With --checks: HOST:PORT of a page with the trend, and of /metrics for Prometheus',
    ),
    'on-change': text('With --checks: command to run after a change; its input lists the changes'),
  }),
  ...grouped('report:', out('reports/campaign-<name>')),
};

export const DEMO_OPTIONS = {
  fixed: flag('Run the server without the planted bug'),
  ...OPEN,
  ...out('reports/demo'),
};

export const INIT_OPTIONS = {
  dir: text('Folder of the project', { defaultDescription: 'this one' }),
  url: url('Address to check, such as https://api.example.test/v2/my-endpoint', {
    defaultDescription: 'this machine, with the port in the scripts of package.json or in .env, or 8080',
  }),
};

export const LIST_OPTIONS = {
  ...json(),
  decidable: flag('requirements: on which targets each can be decided'),
  where: flag('requirements: file and line of each sentence, check, scenario and planted bug'),
  mermaid: flag('lifecycle: print a Mermaid state diagram'),
};

export const SHOW_OPTIONS = json('Print the calls as JSON, one per line, as history.ndjson has them');
