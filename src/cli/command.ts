/** What a command is: its arguments, options and help, and how it runs. */
import type { Options } from 'yargs';
import type { ExitCode } from '../report/conclusion.js';
import type { RawOptions } from './option.js';
import type { ExitCodes } from './exit-codes.js';
import type { Io } from './io.js';
import type { OptionTable } from './option.js';

export interface Command {
  /** In the syntax of yargs: the name, then its arguments. */
  readonly usage: string;
  readonly describe: string;
  readonly options: OptionTable;
  readonly arguments: { readonly [name: string]: Options & { readonly type: 'string' } };
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly exits: ExitCodes;
  /** What follows `--` is a command line of its own, given to it as `command`. */
  readonly takesCommand?: true;
  readonly run: (raw: RawOptions, io: Io) => Promise<ExitCode>;
  /** What it takes from the configuration file, besides the address; absent: it reads none. */
  readonly configured?: OptionTable;
}

export const nameOf = ({ usage }: Command): string => usage.split(' ')[0]!;
