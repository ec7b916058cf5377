/** The options of `check` and `plan`. */
import { flag, grouped, integer, parsed, text, withDefault } from '../../cli/options/option.js';
import {
  BASELINE,
  CONFIG,
  DIAGRAM,
  FORMAT,
  GENERAL_OPTIONS,
  HELD_DIALECT,
  jsonOrText,
  MIN_DECIDED,
  MUTANT,
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
  URL_ARGUMENT,
} from '../../cli/options/option-table.js';

import { shardIn } from '../../cli/options/values.js';

/** For more, use `explore`, which needs no target. */
const EXPLORED_MAX = 100_000;

const SCOPE_OPTIONS = {
  ...SELECTION,
  ...grouped(SCOPE, {
    scenarios: text(
      'Folder of your own scenarios (.ts, .mjs) and saved scripts (.json), to run in addition to the built-in ones',
    ),
  }),
  ...grouped(RUN, {
    ...SEED,
    runs: integer(1, 1_000, 'Number of scripts for each scenario', {
      defaultDescription: '3 under test control, 1 otherwise',
    }),
    explore: withDefault(
      integer(0, EXPLORED_MAX, 'Also run this many scripts of random calls', {
        as: 'explored',
        defaultDescription: 'none',
      }),
      0,
    ),
    shard: parsed(
      shardIn,
      'Play only the I-th of N shards, given as I/N; "report merge" joins their reports',
      {
        defaultDescription: 'everything; with it, --seed is 0 by default',
      },
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
    shrink: flag('Shrink failing scripts on the simulator; confirm the results in three runs on the target'),
    'no-shrink': flag('Do not shrink the first failure of each cause (under test control) or run it again'),
    ...OPEN,
  }),
  ...grouped(RUN, {
    bail: flag('Stop soon after the first failure that --baseline does not list'),
    'last-failed': flag(
      'Check only what failed in earlier runs on this address, whatever their --out, and has not passed since',
    ),
    watch: flag('Check again after each restart of the server, beginning with the failures'),
    ui: flag('Serve a local web page on which you choose, run and watch tests; --open opens the page'),
  }),
};

const PLANNED = {
  ...TARGET_OPTIONS,
  ...grouped(TARGET, CONFIG),
  ...SCOPE_OPTIONS,
};
export const PLAN_OPTIONS = { ...PLANNED, ...jsonOrText() };

/** What a configuration file may contain. */
export const CHECK_CONFIG = { ...CHECK_OPTIONS, ...GENERAL_OPTIONS, ...URL_ARGUMENT };

/** What of it concerns `plan`. */
export const PLAN_CONFIG = { ...PLANNED, ...MUTANT, ...GENERAL_OPTIONS, ...URL_ARGUMENT };
