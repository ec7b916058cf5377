/** `completion`: the script by which a shell asks for candidates, as yargs has it. */
import yargs from 'yargs';
import type { ExitCode } from '../report/conclusion.js';
import type { Io } from '../cli/io.js';

const NAME = 'completion';
const SCRIPT = /^#[^]*###-end-runproof-completions-###/;

export async function completion(io: Pick<Io, 'out'>): Promise<ExitCode> {
  let script = '';
  const parser = yargs().scriptName('runproof').exitProcess(false).completion(NAME);
  await parser.parseAsync([NAME], {}, (_error: unknown, _argv: unknown, printed: string) => {
    script ||= SCRIPT.exec(printed)?.[0] ?? '';
  });
  io.out(`${script}\n`);
  return 0;
}
