/**
 * Completes the word under the cursor, after the script that `runproof completion` prints. Only what the word
 * needs is loaded, and nothing but candidates is ever printed: whatever goes wrong, there are none.
 */
import type { Io } from '../cli/io.js';
import { nameOf } from '../cli/options/command.js';
import { COMMANDS } from './commands.js';
import type { OptionTable } from '../cli/options/option.js';
import { selectors } from '../cli/options/option-values.js';

/** The flag that the script passes, before the words of the command line. */
const FLAG = '--get-yargs-completions';

type Candidates = () => Promise<readonly string[]> | readonly string[];

/** What can be shown of a report: what failed in it first, then the rest. */
async function shown(report: string, io: Io): Promise<readonly string[]> {
  const { readReport } = await import('../files/report-files.js');
  const written = readReport(report, io.cwd);
  if (written.kind !== 'check') return [];
  const failing = written.report.requirements.filter(({ verdict }) => verdict === 'fail');
  return (failing.length > 0 ? failing : written.report.requirements).map(({ id }) => id);
}

/** With what it is, where the shell shows that. */
function described(name: string, describe: string | undefined, { env }: Io): string {
  if (/zsh/.test(`${env['SHELL']} ${env['ZSH_NAME']}`)) return `${name}:${describe ?? ''}`;
  return env['SHELL']?.includes('fish') === true ? `${name}\t${describe ?? ''}` : name;
}

/** The candidates for the last of these words. */
async function candidates(words: readonly string[], io: Io): Promise<readonly string[]> {
  const [name = '', ...more] = words.slice(1, -1);
  const command = COMMANDS.find((one) => nameOf(one) === name);
  if (command === undefined) {
    if (words.length > 2) return [];
    return COMMANDS.map((one) => described(nameOf(one), one.describe, io));
  }
  const { options } = command;
  const before = (words.at(-2) ?? '').replace(/^--/, '');
  const values = words.at(-2)?.startsWith('--') === true ? valuesOf(before, options) : null;
  if (values !== null) return values();
  if ((words.at(-1) ?? '').startsWith('-'))
    return Object.entries({ ...options, help: { describe: 'Show help' } }).map(([option, { describe }]) =>
      described(`--${option}`, describe, io),
    );
  const given = more.filter((word) => !word.startsWith('-'));
  const [argument = ''] = Object.keys(command.arguments);
  const ofArgument = given.length === 0 ? valuesOf(argument, command.arguments) : null;
  if (ofArgument !== null) return ofArgument();
  if (name === 'show' && given.length > 0) return shown(given[0]!, io);
  // A list of selectors goes on until the next option.
  const option = more.findLast((word) => word.startsWith('-'));
  return option === '--only' || option === '--skip' ? selectors() : [];
}

/** The values of an option that takes one of many. Those of others are few, or files, addresses, numbers, durations. */
function valuesOf(name: string, options: OptionTable): Candidates | null {
  const { values } = options[name] ?? {};
  return values === undefined ? null : typeof values === 'function' ? values : () => values;
}

/** True if the command line asks for candidates of this program's own, which are then printed. */
export async function completes(args: readonly string[], io: Io): Promise<boolean> {
  if (args[0] !== FLAG) return false;
  const words = args.slice(1);
  const current = words.at(-1) ?? '';
  try {
    const found = await candidates(words, io);
    const matching = found.filter((candidate) => candidate.startsWith(current));
    io.out(matching.map((candidate) => `${candidate}\n`).join(''));
  } catch {
    // A message would stand in the prompt.
  }
  return true;
}
