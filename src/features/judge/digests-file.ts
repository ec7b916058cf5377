/** `judge --save-digests FILE`: the recorded calls without what their payloads say, to pass them on. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../util/errors.js';
import { whyUnusable } from '../../files/user-file.js';
import type { RecordedHistory } from './judge-history.js';
import { Digester } from '../../traffic/digest.js';
import { lineOf, missingLine } from '../../traffic/index.js';
import type { Io } from '../../cli/io.js';

const KEY_BYTES = 32;
/** Lines are written together. */
const PIECE_CHARACTERS = 1_000_000;

/** @throws {UsageError} if there are no payloads, or the file exists or cannot be written */
export function saveDigests(recorded: RecordedHistory, name: string, io: Io): void {
  const { run, exchanges, missing = [], isWhole } = recorded;
  if (exchanges === undefined)
    throw new UsageError('--save-digests takes recorded traffic, not the history of a run');
  if (run.capture?.digests === true)
    throw new UsageError('--save-digests: the recording has digests instead of payloads already');
  try {
    const file = openSync(resolve(io.cwd, name), 'wx');
    try {
      let piece = '';
      // Only equality within the file matters, so the key is not kept.
      const digester = new Digester(randomBytes(KEY_BYTES));
      for (const exchange of exchanges()) {
        piece += lineOf(exchange, digester);
        if (piece.length < PIECE_CHARACTERS) continue;
        writeSync(file, piece);
        piece = '';
      }
      piece += missing.map((during) => missingLine(true, during)).join('');
      writeSync(file, `${piece}{"missing":${isWhole ? 0 : true}}\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError(
      `--save-digests ${name} ${isThere ? 'exists already' : whyUnusable(error)}: choose another file`,
    );
  }
  io.note(`calls without their payloads: ${name}\n`);
}
