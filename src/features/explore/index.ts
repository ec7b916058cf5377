/** `explore`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { duration, integer, parsed, withDefault } from '../../cli/options/option.js';
import {
  DIALECT,
  EDITION,
  out,
  PROGRESS,
  RUNS_DEFAULT,
  RUNS_MAX,
  SEARCHED,
  SEED,
  THREADS,
} from '../../cli/options/option-table.js';
import { shardIn } from '../../cli/options/values.js';

const EXPLORE_OPTIONS = {
  runs: integer(1, RUNS_MAX, 'Total number of scripts in all shards', {
    defaultDescription: `${RUNS_DEFAULT}, or as many as --time allows`,
  }),
  time: duration('How long to explore, such as 10m', { as: 'timeMs' }, 1),
  ...SEED,
  shard: withDefault(
    parsed(shardIn, 'Run only the I-th of N shards, given as I/N', { defaultDescription: '1/1' }),
    { index: 1, count: 1 },
  ),
  ...EDITION,
  ...DIALECT,
  ...SEARCHED,
  ...THREADS,
  ...out('reports/explore-<seed>'),
  ...PROGRESS,
};

export type ExploreOptions = CommandSettings<typeof EXPLORE_OPTIONS>;

export const explore = command({
  usage: 'explore',
  describe: "Use random calls to search Runproof's in-memory emulator (the simulator) for bugs, on all cores",
  options: EXPLORE_OPTIONS,
  examples: [
    ['runproof explore --time 10m', 'explore for ten minutes'],
    ['runproof explore --seed 7 --runs 100000 --shard 3/16', 'run the third of sixteen shards'],
    ['runproof explore --mutant purge-kills-running', 'see Runproof find a planted bug'],
  ],
  exits: [
    [0, 'no required rule was broken; with several mutants, every search finished'],
    [1, 'a required rule was broken'],
    USAGE,
    INTERNAL,
    [6, 'nothing ran'],
    [7, '--time ended before all --runs'],
    [130, 'interrupted; the findings so far are written'],
  ],
  run: async (settings, io) => (await import('./explore-command.js')).explore(settings, io),
});
