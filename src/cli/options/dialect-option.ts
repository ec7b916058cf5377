/** `--dialect FILE` and `--save-dialect FILE`: the readings of open questions, read and written. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Findings } from '../../oracle/ledger/findings.js';
import { NOT_MADE } from '../../core/editions.js';
import { jsonText } from '../../report/escape.js';
import { dialectFile, readDialect, type LoadedDialect } from '../../report/dialect.js';
import { QUESTIONS } from '../../spec/index.js';
import type { Edition } from '../../spec/types.js';
import { packageVersion } from '../../package-files.js';
import { UsageError } from '../../util/errors.js';
import { readUserJson, whyUnusable } from '../../files/user-file.js';
import type { Io } from '../io.js';
import { makeFolder } from '../../make-folder.js';

/** @throws {UsageError} */
export function loadDialect(file: string, cwd: string): LoadedDialect {
  const value = readUserJson(file, cwd, 'dialect');
  try {
    return readDialect(value, QUESTIONS);
  } catch (error) {
    throw new UsageError(`--dialect ${file} cannot be used: ${(error as Error).message}`);
  }
}

export interface DialectSettings {
  /** The target must follow this. */
  readonly held: LoadedDialect | null;
  /** The file for the readings observed. */
  readonly saveTo: string | null;
}

interface GivenDialect {
  readonly dialect: string | undefined;
  readonly saveDialect?: string | null | undefined;
}

/** @throws {UsageError} before anything is sent, also if the file could not be written later */
export function dialectSettings(
  { dialect: file, saveDialect: saveTo = null }: GivenDialect,
  cwd: string,
  edition: Edition | null,
): DialectSettings {
  const held = file === undefined ? null : loadDialect(file, cwd);
  if (held?.edition !== undefined && held.edition !== null && edition !== null && held.edition !== edition)
    throw new UsageError(
      `--dialect ${file ?? ''} was observed in edition ${held.edition}: add --edition ${held.edition}`,
    );
  if (saveTo !== null) assertWritable(resolve(cwd, saveTo), saveTo);
  return { held, saveTo };
}

function assertWritable(path: string, file: string): void {
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UsageError(`--save-dialect ${file}: its folder ${whyUnusable(error)}`);
  }
}

type Seen = Pick<Findings, 'edition' | 'openQuestions'>;

/** Writes the readings observed, and prints how many. */
export function saveDialect(seen: Seen, { saveTo }: DialectSettings, io: Io): void {
  if (saveTo === null) return;
  const { edition, openQuestions } = seen;
  const file = dialectFile(openQuestions, { runproof: packageVersion(), edition });
  writeFileSync(resolve(io.cwd, saveTo), `${jsonText(file, 2)}\n`);
  const several = Object.keys(file.unstable).length;
  io.note(
    `dialect: ${saveTo}, ${Object.keys(file.readings).length} readings, ` +
      `${several > 0 ? `${several} answered in several ways, ` : ''}${file.unobserved.length} not observed\n`,
  );
}

/** Readings that the emulator cannot follow, each with the reason. */
export function notFollowed({ dialect }: LoadedDialect): readonly string[] {
  const readings: { readonly [question: string]: string | undefined } = dialect;
  return NOT_MADE.filter(({ question, reading }) => readings[question] === reading).map(
    ({ question, reading, why }) => `${question}: ${reading} is not followed, because ${why}`,
  );
}
