import { appendFileSync, writeFileSync } from 'node:fs';
import type { JobLedger } from '../target/http/index.js';
import { createRedactor } from '../report/index.js';

/** A ledger that remembers until it knows its file, since jobs are created before the report has a folder. */
export interface FileLedger extends JobLedger {
  /** From here on every job is on disk before anything is done with it. */
  attach(path: string): void;
}

/** One JSON object a line: `{"endpoint","job","event":"created"|"ended"}`. */
export function createFileLedger(secrets: readonly string[]): FileLedger {
  const { text } = createRedactor(secrets);
  let file: string | null = null;
  let early = '';
  const note = (event: 'created' | 'ended', endpoint: string, job: string): void => {
    const line = text(`${JSON.stringify({ endpoint, job, event })}\n`);
    if (file === null) early += line;
    else appendFileSync(file, line);
  };
  return {
    created: (endpoint, job) => note('created', endpoint, job),
    ended: (endpoint, job) => note('ended', endpoint, job),
    attach(path) {
      file = path;
      writeFileSync(path, early);
    },
  };
}
