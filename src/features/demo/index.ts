/** `demo`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { flag } from '../../cli/options/option.js';
import { OPEN, out } from '../../cli/options/option-table.js';

const DEMO_OPTIONS = {
  fixed: flag('Run the server without the planted bug'),
  ...OPEN,
  ...out('reports/demo'),
};

export type DemoSettings = CommandSettings<typeof DEMO_OPTIONS>;

export const demo = command({
  usage: 'demo',
  describe: 'See how Runproof finds and proves a bug; needs no server, takes a few seconds',
  options: DEMO_OPTIONS,
  examples: [
    ['runproof demo', 'a server with a planted bug'],
    ['runproof demo --fixed', 'the same tests without the bug'],
  ],
  exits: [
    [0, 'it found the planted bug, or no bug with --fixed'],
    [1, 'it found something else: please report it'],
    USAGE,
    INTERNAL,
    [130, 'interrupted'],
  ],
  run: async (settings, io) => (await import('./demo-command.js')).demo(settings, io),
});
