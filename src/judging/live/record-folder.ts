/** The folder into which a proxy records, as it is found when the proxy starts. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.js';

/** Plain data. */
export interface RecordSettings {
  /** An existing folder. */
  readonly folder: string;
  /** Of the digests that replace payloads, in hexadecimal; null: payloads are written as they are. */
  readonly digestKey: string | null;
  /** So many files are kept; the oldest is removed for a new one. */
  readonly filesMax: number;
  /** When nothing was recorded, between the last recorder and this one, ms since 1970; null: it is the first. */
  readonly pause: { readonly fromMs: number; readonly byMs: number } | null;
}

/** What is recorded is private. */
export const OWNER_ONLY = 0o600;
/** The last line of a file that has ended as it should. */
export const RECORDING_END = '{"missing":0}\n';
const CUT_OFF = '\n{"missing":true}\n';
const FILE_NAME = /^calls-.*\.ndjson$/u;
const KEY_FILE = 'digest.key';
const KEY_BYTES = 32;

/**
 * Makes the folder where it does not exist, and marks what a recorder has left that was killed.
 *
 * @param payloads whether they are written as they are, and not as digests
 * @throws {Error} if it cannot be written
 */
export function openRecordFolder(folder: string, payloads: boolean, filesMax: number): RecordSettings {
  makeFolder(folder);
  const trial = join(folder, '.trial');
  writeFileSync(trial, '');
  rmSync(trial);
  const last = filesIn(folder).at(-1);
  const pause =
    last === undefined
      ? null
      : { fromMs: Math.floor(statSync(join(folder, last)).mtimeMs), byMs: Date.now() };
  if (last !== undefined) markIfCutOff(join(folder, last));
  return { folder, digestKey: payloads ? null : keyIn(folder), filesMax, pause };
}

/** Its recordings, in the order of time. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort();

/** With the same key as before, what was recorded before can be compared. */
function keyIn(folder: string): string {
  const path = join(folder, KEY_FILE);
  try {
    writeFileSync(path, randomBytes(KEY_BYTES).toString('hex'), { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/u.test(key)) throw new Error(`contains no key in ${KEY_FILE}; remove that file`);
  return key;
}

/** Calls that were under way when the recorder was killed are in no file. */
function markIfCutOff(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, RECORDING_END.length));
    readSync(file, end, 0, end.length, size - end.length);
    if (end.toString() !== RECORDING_END) writeSync(file, CUT_OFF, size);
  } finally {
    closeSync(file);
  }
}
