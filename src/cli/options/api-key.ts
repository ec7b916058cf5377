import { resolve } from 'node:path';
import type { OtherKeys } from '../../target/authorization.js';
import type { Settings } from './option.js';
import type { API_KEY, OTHER_KEYS } from './option-table.js';
import { UsageError } from '../../util/errors.js';
import { readUserFile } from '../../files/user-file.js';
import { quoteForShell } from '../../report/escape.js';
import type { Io } from '../io.js';

/** A key that is read from `--OPTION`, from `--OPTION-file`, or from the environment. */
interface KeySource {
  /** For messages. */
  readonly name: string;
  readonly option: string;
  readonly variable: string;
}

const OWN: KeySource = { name: 'API key', option: 'api-key', variable: 'RUNPROOF_API_KEY' };
const UNPERMITTED: KeySource = {
  name: 'key without permission',
  option: 'unpermitted-api-key',
  variable: 'RUNPROOF_UNPERMITTED_API_KEY',
};
const OTHER: KeySource = {
  name: 'key of another user',
  option: 'other-api-key',
  variable: 'RUNPROOF_OTHER_API_KEY',
};

type OwnKey = Settings<typeof API_KEY>;

/** The API key, if there is one. @throws {UsageError} as `find` */
export function findApiKey({ apiKey, apiKeyFile }: OwnKey, io: Pick<Io, 'cwd' | 'env'>): string | undefined {
  return find(OWN, apiKey, apiKeyFile, io);
}

/** The key in a line for the shell. */
export const KEY_VARIABLE = `$${OWN.variable}`;

/**
 * The key within double quotes of a shell line, without printing it. A key that was typed into the command line has to be
 * exported first.
 */
export function keyInShell({ apiKey, apiKeyFile }: OwnKey, cwd: string): string {
  if (apiKeyFile === undefined || apiKey !== undefined) return KEY_VARIABLE;
  return `$(cat ${quoteForShell(resolve(cwd, apiKeyFile))})`;
}

/** The other keys. @throws {UsageError} as `find`, and if two keys are the same */
export function findOtherKeys(
  given: Settings<typeof OTHER_KEYS>,
  apiKey: string | undefined,
  io: Pick<Io, 'cwd' | 'env'>,
): OtherKeys {
  const unpermittedApiKey = find(UNPERMITTED, given.unpermittedApiKey, given.unpermittedApiKeyFile, io);
  const otherApiKey = find(OTHER, given.otherApiKey, given.otherApiKeyFile, io);
  const known = [apiKey, unpermittedApiKey, otherApiKey].filter((key) => key !== undefined);
  if (new Set(known).size < known.length)
    throw new UsageError(
      'the API key, the key without permission and the key of another user have to be different keys',
    );
  return { unpermittedApiKey, otherApiKey };
}

/**
 * Everything in the command line or the environment that may be a key, valid or not: no message may quote it.
 */
export function possibleKeys(args: readonly string[], env: Io['env']): readonly string[] {
  return [OWN, UNPERMITTED, OTHER].flatMap(({ option, variable }) => {
    const position = args.indexOf(`--${option}`);
    const inline = args.filter((arg) => arg.startsWith(`--${option}=`));
    return [
      env[variable] ?? '',
      position === -1 ? '' : (args[position + 1] ?? ''),
      ...inline.map((arg) => arg.slice(`--${option}=`.length)),
    ];
  });
}

/**
 * The key from its option, otherwise from its file, otherwise from the environment.
 *
 * @throws {UsageError} for a file that cannot be read and for a key that a header cannot contain
 */
function find(
  { name, option, variable }: KeySource,
  given: string | undefined,
  file: string | undefined,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): string | undefined {
  const fromFile = (): string | undefined =>
    file === undefined ? undefined : readUserFile(file, cwd, `${option}-file`);
  const key = given ?? fromFile() ?? env[variable];
  if (key === undefined) return undefined;
  // No message may contain the key, even if it is invalid.
  if (key.trim() === '')
    throw new UsageError(`the ${name} is empty: check --${option}, --${option}-file, ${variable}`);
  if (!/^[\x21-\x7e]+$/.test(key.trim())) {
    throw new UsageError(`the ${name} contains a space or a character that a header cannot contain`);
  }
  return key.trim();
}
