/** The examples of the help do what they say: their options exist, and so does what they name. */
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/shell/commands.js';
import { runCli } from '../../src/shell/program.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { createFakeIo } from '../cli/fake-io.js';

const EXAMPLES = COMMANDS.flatMap(({ usage, options, arguments: named, examples }) =>
  examples.map(([line]) => ({ line, command: usage.split(' ')[0]!, options, named })),
);

/** The words of a command line, before a pipe, a redirection, or a command that it runs. */
const wordsOf = (line: string): readonly string[] =>
  line
    .split(/ (?:[>|]|--) /)[0]!
    .split(' ')
    .map((word) => word.replaceAll("'", ''));

describe('an example of the help', () => {
  it.each(EXAMPLES)('names what exists: $line', async ({ line, command, options, named }) => {
    const [program, name, ...words] = wordsOf(line);
    expect([program, name]).toEqual(['runproof', command]);
    const unknown = words.filter((word) => word.startsWith('--') && !(word.slice(2) in options));
    expect(unknown).toEqual([]);
    const mutant = words[words.indexOf('--mutant') + 1];
    if (words.includes('--mutant')) expect(MUTANTS.map(({ id }) => id)).toContain(mutant);
    const [argument] = Object.values(named);
    const { values } = argument ?? {};
    if (values !== undefined)
      expect(typeof values === 'function' ? await values() : values).toContain(words[0]);
  });

  const runnable = EXAMPLES.filter(({ command }) => command === 'list' || command === 'init');
  it.each(runnable)('runs where it needs no server and no report: $line', async ({ line }) => {
    const io = createFakeIo();
    const code = await runCli(wordsOf(line).slice(1), io);
    expect([io.complained(), code]).toEqual(['', 0]);
  });
});
