/** A thread that writes the data folder and ends by itself is replaced by another, which has what was written and nothing else. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { loadSqlite } from '../../../src/server/store/database.js';
import { createTable } from '../../../src/server/store/job-table.js';
import { rowOf, type ChangedRow, type Row } from '../../../src/server/store/rows.js';
import { createWriter, type Writer } from '../../../src/server/store/writer.js';

const CODE = `
const { createJiti } = require('jiti');
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', (message) => {
  if (message === 'end') process.exit(1);
});
void createJiti(workerData.from).import(workerData.file);
`;
const FILE = fileURLToPath(new URL('../../../src/server/store/writer.ts', import.meta.url));

/** A writer on a new file, with a thread of its own; `threads` has those that were started. */
async function writerWith(syncDelayMs: number): Promise<{ writer: Writer; threads: Worker[] }> {
  const path = join(mkdtempSync(join(tmpdir(), 'runproof-')), 'jobs.db');
  createTable((await loadSqlite()).open, path, [rowOf('head', '', {})]);
  const threads: Worker[] = [];
  const spawn = (_: URL, options: WorkerOptions): Worker => {
    const workerData = { ...(options.workerData as object), from: import.meta.url, file: FILE };
    const thread = new Worker(CODE, { ...options, eval: true, workerData });
    threads.push(thread);
    return thread;
  };
  const writer = createWriter({ path, syncDelayMs }, { spawn });
  onTestFinished(() => writer.end());
  await writer.open();
  return { writer, threads };
}

/** Ends it between two calls of SQLite: libsql ends the whole process where a thread ends within one. */
async function ended(thread: Worker): Promise<void> {
  const exit = once(thread, 'exit');
  thread.postMessage('end');
  await exit;
}

const job = (name: string): readonly ChangedRow[] => [rowOf('job', name, { id: name })];
const jobsIn = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ kind, name }) => (kind === 'job' ? [name] : []));

it('what was written is there again, and more can be written', async () => {
  const { writer, threads } = await writerWith(0);
  await writer.write(job('a'));
  await ended(threads[0]!);
  await expect(writer.write(job('b'))).rejects.toThrow('the thread that writes ended with 1');
  expect(jobsIn(await writer.probe())).toEqual(['a']);
  await writer.write(job('c'));
  expect(jobsIn(await writer.probe())).toEqual(['a', 'c']);
  expect(threads).toHaveLength(2);
  await writer.close();
});

it('a write that was under way is refused, and those that waited behind it have not happened', async () => {
  const { writer, threads } = await writerWith(0);
  await writer.write(job('a'));
  const writes = ['b', 'c', 'd'].map((name) => writer.write(job(name)));
  const outcomes = Promise.allSettled(writes);
  await ended(threads[0]!);
  const told = (await outcomes).map(({ status }) => status === 'fulfilled');
  const kept = jobsIn(await writer.probe());
  for (const [nth, name] of ['b', 'c', 'd'].entries()) if (told[nth]) expect(kept).toContain(name);
  // Writes follow each other: at most the one under way is kept without an answer.
  expect(kept.length).toBeLessThanOrEqual(1 + told.filter(Boolean).length + 1);
  await writer.close();
});

it('a writer whose thread has ended can be closed', async () => {
  const { writer, threads } = await writerWith(0);
  await ended(threads[0]!);
  await writer.close();
});
