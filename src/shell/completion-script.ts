/** `completion`: the script by which a shell asks for candidates, as yargs has it. */
import yargs from 'yargs';
import { command } from '../cli/options/command.js';
import { DONE_CODES } from '../cli/options/exit-codes.js';

const NAME = 'completion';
const SCRIPT = /^#[^]*###-end-runproof-completions-###/;

export const completion = command({
  usage: 'completion',
  describe: 'Print a completion script for your shell',
  options: {},
  examples: [
    [
      'runproof completion >> ~/.bashrc',
      'bash; for zsh, append the script to ~/.zshrc; for fish, write it to ~/.config/fish/completions/runproof.fish',
    ],
  ],
  exits: DONE_CODES,
  async run(_settings, io) {
    let script = '';
    const parser = yargs().scriptName('runproof').exitProcess(false).completion(NAME);
    await parser.parseAsync([NAME], {}, (_error: unknown, _argv: unknown, printed: string) => {
      script ||= SCRIPT.exec(printed)?.[0] ?? '';
    });
    io.out(`${script}\n`);
    return 0;
  },
});
