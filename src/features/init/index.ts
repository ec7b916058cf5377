/** `init`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { DONE_CODES } from '../../cli/options/exit-codes.js';
import { flag, oneOf, text, url } from '../../cli/options/option.js';

const INIT_OPTIONS = {
  dir: text('Folder of the project', { defaultDescription: 'the working directory' }),
  url: url('Address to check, such as https://api.example.test/v2/my-endpoint', {
    defaultDescription:
      'this machine, at the port in the scripts of package.json or in .env; otherwise init asks for it or, without a terminal, uses port 8080',
  }),
  agent: flag('Also write SKILL.md, a skill for coding agents, and refer to it in AGENTS.md'),
  'config-form': oneOf(
    ['ts', 'json'],
    'Format of the configuration: ts (runproof.config.ts) or json (runproof.config.json)',
    { defaultDescription: 'ts if the project uses TypeScript and ES modules, otherwise json' },
  ),
};

export type InitSettings = CommandSettings<typeof INIT_OPTIONS>;

export const init = command({
  usage: 'init',
  describe:
    'Write a configuration, a first scenario and a CI workflow, and add Runproof to package.json; overwrite no other file',
  options: INIT_OPTIONS,
  examples: [
    ['runproof init', 'set up Runproof in the folder of your project'],
    ['runproof init --agent', 'also write what a coding agent needs to fix the failures that check finds'],
  ],
  exits: DONE_CODES,
  run: async (settings, io) => (await import('./init-command.js')).init(settings, io),
});
