/** `demo`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { flag } from '../../cli/options/option.js';
import { OPEN, out } from '../../cli/options/option-table.js';

const DEMO_OPTIONS = {
  fixed: flag('Run the same tests without the planted bug'),
  ...OPEN,
  ...out('reports/demo'),
};

export type DemoSettings = CommandSettings<typeof DEMO_OPTIONS>;

export const demo = command({
  usage: 'demo',
  describe: 'Show how Runproof finds and proves a bug, in a few seconds and without a server',
  options: DEMO_OPTIONS,
  examples: [
    ['runproof demo', 'find a planted bug'],
    ['runproof demo --fixed', 'run the same tests without the bug'],
  ],
  exits: [
    [0, 'the demo found the planted bug or, with --fixed, no bug'],
    [1, 'the demo found something else: please report this'],
    USAGE,
    INTERNAL,
    [130, 'interrupted'],
  ],
  run: async (settings, io) => (await import('./demo-command.js')).demo(settings, io),
});
