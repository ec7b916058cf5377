import { resolve } from 'node:path';
import { UsageError } from '../../util/errors.js';
import { whyUnusable } from '../../files/user-file.js';
import { openRecordFolder, type RecordSettings } from '../../judging/live/record-folder.js';
import type { Io } from '../../cli/io.js';

const FILES_MAX = 16;

interface Given {
  readonly record: string | undefined;
  readonly recordPayloads: boolean | undefined;
  readonly recordFiles: number | undefined;
}

/**
 * Where calls are recorded, made ready; undefined: nowhere.
 *
 * @throws {UsageError} if the folder cannot be used
 */
export function recordOption(
  { record, recordPayloads = false, recordFiles = FILES_MAX }: Given,
  io: Io,
): RecordSettings | undefined {
  if (record === undefined) {
    if (recordPayloads) throw new UsageError('--record-payloads requires --record FOLDER');
    return undefined;
  }
  try {
    const settings = openRecordFolder(resolve(io.cwd, record), recordPayloads, recordFiles);
    const how = recordPayloads ? 'with their payloads' : 'with digests instead of payloads';
    io.note(`calls are recorded in ${record}, ${how}\n`);
    return settings;
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === undefined ? (error as Error).message : whyUnusable(error);
    throw new UsageError(`--record ${record} ${why}`);
  }
}
