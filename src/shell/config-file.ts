import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../util/errors.js';
import { camelCase, type OptionTable, type RawOptions } from '../cli/options/option.js';
import { CONFIG_FILES } from '../cli/options/option-table.js';
import type { Io } from '../cli/io.js';
import { didYouMean } from '../util/suggest.js';

/**
 * The options of the configuration file: that of `--config`, otherwise the first found in the working
 * directory, otherwise none. Its members are the names of the options in camelCase, and `url`; `$schema` is for editors.
 *
 * @param tell is told the file that was found, before it is run
 * @throws {UsageError} for a file that cannot be read, and for an unknown member
 */
export async function readConfig(
  file: string | undefined,
  { cwd, library }: Pick<Io, 'cwd' | 'library'>,
  options: OptionTable,
  tell: (line: string) => void,
): Promise<RawOptions> {
  const path =
    file === undefined
      ? CONFIG_FILES.map((name) => join(cwd, name)).find((name) => existsSync(name))
      : resolve(cwd, file);
  if (path === undefined) return {};
  if (file !== undefined && !existsSync(path)) throw new UsageError(`--config ${file} does not exist`);
  const value = await load(path, library, () => tell(`configuration: ${relative(cwd, path)}`));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} must contain or export an object of options`);
  }
  const known = new Map(Object.entries(options).map(([name, option]) => [camelCase(name), option]));
  const entries = Object.entries(value).filter(
    ([name, member]) => member !== undefined && name !== '$schema',
  );
  return Object.fromEntries(
    entries.map(([name, member]) => {
      const option = known.get(name);
      if (option === undefined || name === 'config') {
        throw new UsageError(`${path}: "${name}" is not an option.${didYouMean(name, [...known.keys()])}`);
      }
      return [name, textsOf(path, name, member, option.type === 'boolean', option.array === true)];
    }),
  );
}

/** An error of reading the file names it: then `onRead` is not called. */
async function load(path: string, library: Io['library'], onRead: () => void): Promise<unknown> {
  try {
    const source = readFileSync(path, 'utf8');
    const json: unknown = path.endsWith('.json') ? JSON.parse(source) : undefined;
    // It may be a program, and the folder another one than the user thinks: it is named before it runs.
    onRead();
    if (json !== undefined) return json;
    // Loads the TypeScript compiler only if it is needed.
    const { moduleLoader } = await import('../cli/load-module.js');
    const loadFile = await moduleLoader(dirname(path), library);
    return ((await loadFile(path, source)) as { readonly default?: unknown }).default;
  } catch (error) {
    const { lineOf, messageOf } = await import('../cli/load-module.js');
    throw new UsageError(`${path}${lineOf(error, path)} cannot be read: ${messageOf(error)}`);
  }
}

function textsOf(
  path: string,
  name: string,
  member: unknown,
  isFlag: boolean,
  isList: boolean,
): boolean | string | string[] {
  if (isFlag && typeof member === 'boolean') return member;
  const isText = (value: unknown): value is string | number => ['string', 'number'].includes(typeof value);
  if (!isFlag && isText(member)) return isList ? [String(member)] : String(member);
  if (isList && Array.isArray(member) && member.every(isText)) return member.map(String);
  throw new UsageError(
    `${path}: "${name}" must be ${isFlag ? 'true or false' : isList ? 'a list of strings' : 'a string or a number'}`,
  );
}
