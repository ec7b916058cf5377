/** A thread that is busy, hangs or dies is stopped, ended and told of. */
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { startThread } from '../../src/threads/thread.js';
import { COUNTING } from './counting.js';

const CODE = `
const { createJiti } = require('jiti');
const { workerData } = require('node:worker_threads');
void createJiti(workerData.from).import(workerData.file);
`;
const FILE = fileURLToPath(new URL('./counting.ts', import.meta.url));

/** With the code as it is in the sources. */
function spawn(_: URL, options: WorkerOptions): Worker {
  const workerData = { ...(options.workerData as object), from: import.meta.url, file: FILE };
  return new Worker(CODE, { ...options, eval: true, workerData });
}

function counting(onEnd: (error: Error) => void = () => undefined) {
  const thread = startThread(COUNTING, 1, { spawn, onEnd });
  onTestFinished(() => thread.end());
  return thread;
}

const after = (ms: number) => {
  const over = new Promise<string>((resolve) => {
    setTimeout(() => resolve('time'), ms);
  });
  return { over, forget: () => undefined };
};

it('a thread that is busy learns that it is to stop', async () => {
  const thread = counting();
  expect(await thread.ask('add', [1])).toBe(2);
  expect(await thread.askUntil(after(50), () => 10_000, 'spin', [])).toMatchObject({
    cut: 'time',
    late: 'stopped',
  });
  expect(await thread.ask('add', [1])).toBe(3);
});

it('a thread that hangs is ended', async () => {
  const thread = counting();
  expect(await thread.ask('add', [1])).toBe(2);
  expect(await thread.askUntil(after(50), () => 50, 'hang', [])).toMatchObject({ cut: 'time', late: null });
  expect(thread.isEnded).toBe(true);
});

it.each([
  ['with an error', 'fail', 'out of luck'],
  ['by itself', 'exit', 'the thread ended with 0'],
] as const)('that a thread ends %s is told once, to those who wait as well', async (_, how, message) => {
  const told: string[] = [];
  const thread = counting((error) => told.push(error.message));
  const waiting = expect(thread.ask('untilStopped', [])).rejects.toThrow(message);
  await thread.ask(how, []).catch(() => undefined);
  await waiting;
  await thread.end();
  expect(told).toEqual([message]);
});
