/**
 * What an option is: one row has all that is known of it. Help, completion, the configuration file, the settings with
 * their types and the line that replays a failure are derived from the rows.
 */
import type { Options } from 'yargs';
import { durationMs, httpUrl, integer as integerIn, wordOf } from './values.js';

/**
 * The options as written on the command line or in the configuration file, by name in camelCase. Not yet
 * validated.
 */
export type RawOptions = { readonly [name: string]: string | boolean | readonly string[] | undefined };

/** The member that names the options whose values are from the configuration file; no option has this name. */
export const CONFIGURED = 'from configuration';

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

/** The last value, if the option is repeated. */
export const lastOf = (given: RawOptions[string]): string | undefined => allOf(given).at(-1);

export const allOf = (given: RawOptions[string]): readonly string[] =>
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
) => parsed((value, option) => wordOf(`--${option}`, value, allowed), describe, { values: allowed, ...more });

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

/** With the heading, where an option has none. */
export const grouped = <Table extends OptionTable>(group: string, table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([name, option]) => [name, { group, ...option }])) as Table;
