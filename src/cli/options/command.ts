/** What a command is: its arguments, options and help, and how it runs. Its feature says it, in its `index.ts`. */
import type { ExitCode } from '../../report/conclusion.js';
import type { ExitCodes } from './exit-codes.js';
import type { Io } from '../io.js';
import { grouped, type Given, type Option, type OptionTable, type Settings } from './option.js';
import { GENERAL_OPTIONS } from './option-table.js';

export interface Command {
  /** In the syntax of yargs: the name, then its arguments. */
  readonly usage: string;
  readonly describe: string;
  /** Those without a heading stand before those that every command has. */
  readonly options: OptionTable;
  readonly arguments: OptionTable;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly exits: ExitCodes;
  /** What follows `--` is a command line of its own. */
  readonly takesCommand?: true;
  /** What it takes from the configuration file; absent: it reads none. */
  readonly configured?: OptionTable;
  run(settings: Settings<OptionTable>, io: Io, given: Given): Promise<ExitCode>;
}

type NoRows = { readonly [name in never]: Option };

/** What a command is told: the values of its options and arguments, and of what it takes from the configuration file. */
export type CommandSettings<
  Options extends OptionTable,
  Arguments extends OptionTable = NoRows,
  Configured extends OptionTable = NoRows,
> = Settings<Options & Arguments & Configured & typeof GENERAL_OPTIONS>;

interface Described<O extends OptionTable, A extends OptionTable, C extends OptionTable> extends Omit<
  Command,
  'options' | 'arguments' | 'configured' | 'run'
> {
  readonly options: O;
  readonly arguments?: A;
  readonly configured?: C;
  run(settings: CommandSettings<O, A, C>, io: Io, given: Given): Promise<ExitCode>;
}

/** The command, with the options that all of them have. */
export const command = <
  const O extends OptionTable,
  const A extends OptionTable = NoRows,
  const C extends OptionTable = NoRows,
>(
  described: Described<O, A, C>,
): Command => ({
  arguments: {},
  ...described,
  options: { ...grouped('Options:', described.options), ...GENERAL_OPTIONS },
});

/** Every row of which it reads a setting. */
export const rowsOf = ({ configured, options, arguments: own }: Command): OptionTable => ({
  ...configured,
  ...options,
  ...own,
});

export const nameOf = ({ usage }: Pick<Command, 'usage'>): string => usage.split(' ')[0]!;
