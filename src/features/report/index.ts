/** `report`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { oneOf, repeatable, required } from '../../cli/options/option.js';
import { FORMAT, json, MIN_DECIDED, OPEN, out } from '../../cli/options/option-table.js';

const ACTIONS = ['merge', 'diff', 'render', 'matrix', 'history', 'badge'] as const;

/** The option, of the action `merge`. */
const ofMerge = <O extends { readonly describe?: string | undefined }>({ describe = '', ...more }: O) => ({
  ...more,
  describe: `merge: ${describe.charAt(0).toLowerCase()}${describe.slice(1)}`,
});

const REPORT_OPTIONS = {
  format: { ...FORMAT.format, defaultDescription: 'terminal,json,html for merge, terminal for render' },
  ...out('reports/merged for merge, the folder of the report for render'),
  'min-decided': {
    ...ofMerge(MIN_DECIDED['min-decided']),
    defaultDescription: '10%; 1 for recorded traffic',
  },
  'require-conforms': ofMerge(MIN_DECIDED['require-conforms']),
  ...json('diff, matrix, history: print JSON'),
  ...OPEN,
};

const REPORT_ARGUMENTS = {
  action: required(oneOf(ACTIONS, ACTIONS.join(', '), { called: 'the action' })),
  reports: repeatable(
    'Files (report.json, explore.json) or their folders; for history: folders of reports (default: reports/)',
  ),
};

export type ReportSettings = CommandSettings<typeof REPORT_OPTIONS, typeof REPORT_ARGUMENTS>;

export const report = command({
  usage: 'report <action> [reports..]',
  describe: 'Merge, compare or render reports, show several as a matrix or over time, or make a badge',
  options: REPORT_OPTIONS,
  arguments: REPORT_ARGUMENTS,
  examples: [
    ['runproof report merge reports/*-of-4', 'join the shards of a check, or of an exploration'],
    [
      'runproof report diff before/report.json after/report.json',
      'show which rules newly fail, pass or are undecided',
    ],
    [
      'runproof report render reports/embedded-1 --format junit,markdown',
      'write more formats to the folder of the report',
    ],
    [
      'runproof report matrix reports/monday reports/tuesday --out reports/trend',
      'show several runs side by side',
    ],
    [
      'runproof report history',
      'list the runs in reports/ by target: how each ended, what newly fails, what is fixed',
    ],
    ['runproof report badge reports/embedded-1 > badge.json', 'make a badge for img.shields.io/endpoint'],
  ],
  exits: [
    [0, 'done; diff: no required rule newly fails; merge: none failed, and enough were decided'],
    [1, 'diff: a required rule newly fails; merge: a required rule failed'],
    USAGE,
    [3, 'merge: a run lost its target, or its key was rejected'],
    INTERNAL,
    [5, 'merge: an entry of the baseline has expired, or its failure no longer occurs'],
    [6, 'merge: too few rules were decided, a shard is missing, or an exploration ran nothing'],
    [7, 'merge: the budget of a run ended before enough rules were decided, or a run reached its time limit'],
    [130, 'merge: a run was interrupted'],
  ],
  run: async (settings, io) => (await import('./report-command.js')).report(settings, io),
});
