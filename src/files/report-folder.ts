/** The folder of a report: the history is written during the run, everything else at the end. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { HistoryEvent } from '../history/events.js';
import { jsonText } from '../report/escape.js';
import { FAILURE_SCHEMA, type Redactor } from '../report/index.js';
import { SHELL_SCRIPT_MARK } from '../report/calls/shell-prelude.js';
import { FAILURE_PAGE_MARK } from '../report/failure-file.js';
import { FAILURE_INDEX, FAILURE_INDEX_MARK } from '../report/failure-index.js';
import { fromHere } from '../program-name.js';
import { UsageError } from '../util/errors.js';
import { makeFolder } from '../make-folder.js';
import { whyUnusable } from './user-file.js';

/** By which a file of `failures/` is known as one of ours. */
const OWN_MARKS = [FAILURE_SCHEMA, '"schema":"runproof-history/1"', SHELL_SCRIPT_MARK, FAILURE_PAGE_MARK];

/** The history is written when this much is buffered; a crash loses less than this. */
const BUFFER_CHARACTERS = 64 * 1024;

export interface ReportFolder {
  /** For messages: relative if it is below the working directory. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  append(event: HistoryEvent): void;
  write(file: string, content: string): void;
  has(file: string): boolean;
  /** Writes the rest of the history. */
  flush(): void;
  close(): void;
}

/** @throws {UsageError} when the folder cannot be written */
export function openReportFolder(folder: string, cwd: string, redactor: Redactor): ReportFolder {
  const path = resolve(cwd, folder);
  const history = prepare(path);
  let buffer = '';
  const flush = (): void => {
    if (buffer !== '') writeSync(history, buffer);
    buffer = '';
  };
  return {
    path,
    name: fromHere(path, cwd),
    append(event) {
      buffer += `${jsonText(redactor.event(event))}\n`;
      if (buffer.length > BUFFER_CHARACTERS) flush();
    },
    write(file, content) {
      makeFolder(dirname(join(path, file)));
      writeFileSync(join(path, file), content);
    },
    has: (file) => existsSync(join(path, file)),
    flush,
    close() {
      flush();
      closeSync(history);
    },
  };
}

function prepare(path: string): number {
  try {
    makeFolder(path);
    removeOldFailures(join(path, 'failures'));
    return openSync(join(path, 'history.ndjson'), 'w');
  } catch (error) {
    throw new UsageError(`--out ${path} ${whyUnusable(error)}: choose another folder`);
  }
}

/**
 * Removes the failures of an earlier run, which would look like those of this one. Other files are not
 * touched.
 */
export function removeOldFailures(folder: string): void {
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    return;
  }
  for (const file of files) {
    const marks =
      file === FAILURE_INDEX ? [FAILURE_INDEX_MARK] : /\.((nd)?json|sh|html)$/.test(file) ? OWN_MARKS : [];
    if (marks.length === 0) continue;
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (marks.some((mark) => text.includes(mark))) rmSync(path);
  }
}
