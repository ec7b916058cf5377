/**
 * What an option is: one row has all that is known of it. Help, completion, the configuration file, the settings with
 * their types and the line that replays a failure are derived from the rows.
 */
import type { Options } from 'yargs';
import { durationMs, httpUrl, integer as integerIn, wordOf } from './values.js';

/**
 * The options and arguments as written on the command line or in the configuration file, by name in camelCase. Not yet
 * validated: only the parser of the command line has them.
 */
export type RawOptions = { readonly [name: string]: string | boolean | readonly string[] | undefined };

/** What was given, for lines that repeat the command: settings have values, and not how they were spelt. */
export interface Given {
  /** The values of each option, by its name in camelCase; none of a flag. */
  readonly spelt: { readonly [name: string]: readonly string[] | undefined };
  /** The options, in camelCase, whose values are from the configuration file. */
  readonly configured: readonly string[];
  /** The command line that follows `--`. */
  readonly command: readonly string[];
}

/** Besides what yargs knows of it. */
interface More extends Options {
  /** The words that it takes, for completion. */
  readonly values?: readonly string[] | (() => Promise<readonly string[]>);
  /**
   * What `replay` and `clean` need, too, to reach the same target: a report names it. A function: of a value that may be a
   * secret, what a report shows instead.
   */
  readonly replayed?: true | ((given: string) => string);
  /** The name of its value among the settings. Default: its own, in camelCase. */
  readonly as?: string;
  /** Its value may begin with a dash. */
  readonly dashed?: true;
  /** What an error calls it. Default: the option. */
  readonly called?: string;
}

export interface Option<T = unknown> extends More {
  /** Its value; undefined where nothing was given and it has no default. */
  readonly read: (given: RawOptions[string], option: string, cwd: string) => T;
}

export type OptionTable = { readonly [name: string]: Option };

type ValueOf<O> = O extends Option<infer T> ? T : never;

/** The name among the settings that an option has of its own. */
type Named<O> = O extends { readonly as: infer As extends string } ? { readonly as: As } : unknown;

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of the options of a table. */
export type Settings<Table extends OptionTable> = {
  readonly [
    Name in keyof Table & string as Table[Name] extends { readonly as: infer As extends string }
      ? As
      : CamelCase<Name>
  ]: ValueOf<Table[Name]>;
};

export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** @throws {UsageError} */
export function settingsOf<Table extends OptionTable>(
  table: Table,
  raw: RawOptions,
  cwd: string,
): Settings<Table> {
  const entries = Object.entries(table).map(([name, option]) => [
    option.as ?? camelCase(name),
    option.read(raw[camelCase(name)], name, cwd),
  ]);
  return Object.fromEntries(entries) as Settings<Table>;
}

/** The settings where nothing is given. */
export const defaultsOf = <Table extends OptionTable>(table: Table): Settings<Table> =>
  settingsOf(table, {}, '');

/** The settings of a table, of those that have more. */
export const settingsIn = <Table extends OptionTable>(
  table: Table,
  all: Settings<Table>,
): Settings<Table> => {
  const names = new Set(Object.entries(table).map(([name, { as }]) => as ?? camelCase(name)));
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name))) as Settings<Table>;
};

/** @param configured names of those from the configuration file */
export function givenIn(
  raw: RawOptions,
  configured: readonly string[] = [],
  command: readonly string[] = [],
): Given {
  const some = Object.entries(raw).filter(([, value]) => value !== undefined && value !== false);
  return {
    spelt: Object.fromEntries(some.map(([name, value]) => [name, allOf(value)])),
    configured,
    command,
  };
}

/** The words that give these options again, in this order. */
export const wordsOf = (
  { spelt, configured }: Given,
  options: readonly (readonly [name: string, row: Pick<Option, 'array' | 'replayed'>])[],
): readonly string[] =>
  options.flatMap(([name, { array, replayed }]) => {
    const key = camelCase(name);
    const values = spelt[key];
    if (values === undefined) return [];
    if (values.length === 0) return [`--${name}`];
    const shown = array === true ? values : values.slice(-1);
    if (typeof replayed !== 'function') return shown.flatMap((value) => [`--${name}`, value]);
    // What is not shown is read again from the configuration file.
    return configured.includes(key) ? [] : shown.flatMap((value) => [`--${name}`, replayed(value)]);
  });

/** The words that give again the options of the table by which `replay` and `clean` reach the same target. */
export const replayedWords = (given: Given, table: OptionTable): readonly string[] =>
  wordsOf(
    given,
    Object.entries(table).filter(([, { replayed }]) => replayed !== undefined),
  );

/** The last value, if the option is repeated. */
const lastOf = (given: RawOptions[string]): string | undefined => allOf(given).at(-1);

const allOf = (given: RawOptions[string]): readonly string[] =>
  Array.isArray(given) ? given.map(String) : typeof given === 'string' ? [given] : [];

const option = <T, M extends More>(describe: string, read: Option<T>['read'], own: Options, more: M) =>
  ({ ...own, describe, read, ...more }) as unknown as Option<T> & Named<M>;

const TEXT: Options = { type: 'string', requiresArg: true };

/** One value, which `parse` reads. */
export const parsed = <T, const M extends More>(
  parse: (value: string, name: string, cwd: string) => T,
  describe: string,
  more: M = {} as M,
) => {
  const read: Option<T | undefined>['read'] = (given, name, cwd) => {
    const value = lastOf(given);
    return value === undefined ? undefined : parse(value, name, cwd);
  };
  return option(describe, read, TEXT, more);
};

/** All its values, which `parse` reads. */
export const many = <T, const M extends More>(
  describe: string,
  more: M,
  parse: (values: readonly string[], name: string) => T,
) => option<T, M>(describe, (given, name) => parse(allOf(given), name), { ...TEXT, array: true }, more);

/** All its values, where it has one each time that it is given. */
export const repeatable = <const M extends More>(describe: string, more: M = {} as M) =>
  option<readonly string[], M>(describe, allOf, TEXT, more);

/** A file, an address or a word. */
export const text = <const M extends More>(describe: string, more: M = {} as M) =>
  parsed((value) => value, describe, more);

export const flag = <const M extends More>(describe: string, more: M = {} as M) =>
  option<boolean, M>(describe, (given) => given === true, { type: 'boolean' }, more);

/** One of a few words. */
export const oneOf = <const W extends string, const M extends More>(
  allowed: readonly W[],
  describe: string,
  more: M = {} as M,
) =>
  parsed((value, option) => wordOf(more.called ?? `--${option}`, value, allowed), describe, {
    values: allowed,
    ...more,
  });

export const duration = <const M extends More>(describe: string, more: M = {} as M, minMs = 0) =>
  parsed((value, option) => durationMs(option, value, minMs), describe, more);

export const integer = <const M extends More>(
  min: number,
  max: number,
  describe: string,
  more: M = {} as M,
) => parsed((value, option) => integerIn(option, value, min, max), describe, { number: true, ...more });

export const url = <const M extends More>(describe: string, more: M = {} as M) =>
  parsed((value, option) => httpUrl(option, value), describe, more);

/** The option with a value where none is given. */
export const withDefault = <O extends Option>(given: O, value: NonNullable<ValueOf<O>>) =>
  ({
    ...(['string', 'number'].includes(typeof value) && { defaultDescription: String(value) }),
    ...given,
    read: (...from: Parameters<Option['read']>) => (given.read(...from) ?? value) as NonNullable<ValueOf<O>>,
  }) as unknown as Option<NonNullable<ValueOf<O>>> & Named<O>;

/** Without it the command line is refused. */
export const required = <O extends Option>(given: O) =>
  given as unknown as Option<NonNullable<ValueOf<O>>> & Named<O>;

/** With the heading, where an option has none. */
export const grouped = <Table extends OptionTable>(group: string, table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, option]) => [name, { group, ...option }])) as Table;
