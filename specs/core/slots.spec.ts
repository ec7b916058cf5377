/** Workers with several slots: each attempt is its own, and a worker is one, however many jobs it runs. */
import { expect, test } from 'vitest';
import { createTestBed, fields, success } from './test-bed.js';
import type { JsonRecord, TestBed } from './test-bed.js';

const testBed = (workers: number, jobsPerWorker: number): TestBed =>
  createTestBed({ edition: 'runpod', endpoints: [{ id: 'ep', workers, jobsPerWorker }] });

/** Workers as `/health` shows them: idle, running. */
function workers(w: TestBed): readonly unknown[] {
  const shown = fields(w.get('/health'))['workers'] as JsonRecord;
  return [shown['idle'], shown['running']];
}
const states = (w: TestBed, jobs: readonly string[]) => jobs.map((job) => w.stateOf(job));
const many = (w: TestBed, count: number) => Array.from({ length: count }, () => w.run());

test('one worker takes several jobs; running counts workers, not jobs', () => {
  const w = testBed(1, 3);
  const jobs = many(w, 4);
  expect(states(w, jobs)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', 'IN_QUEUE']);
  expect(new Set(w.starts().map(({ worker }) => worker)).size).toBe(1);
  expect(workers(w)).toEqual([0, 1]);
  w.report(jobs[1]!, success());
  expect(w.stateOf(jobs[3]!)).toBe('IN_PROGRESS');
  for (const job of [jobs[0]!, jobs[2]!, jobs[3]!]) w.report(job, success());
  expect(workers(w)).toEqual([1, 0]);
});

test('each attempt ends independently', () => {
  const w = testBed(1, 2);
  const [one, two] = [w.run(), w.run()];
  w.post(`/cancel/${one}`);
  expect(states(w, [one, two])).toEqual(['CANCELLED', 'IN_PROGRESS']);
  w.report(one, success('late'));
  w.report(two, success('two'));
  expect(fields(w.status(two))).toMatchObject({ status: 'COMPLETED', output: 'two' });
  expect(w.stateOf(one)).toBe('CANCELLED');
});

test('a worker that dies takes its other jobs with it; they run again on the new one', () => {
  const w = testBed(1, 3);
  const jobs = many(w, 3);
  const attempts = w.starts().map(({ attempt }) => attempt);
  w.report(jobs[1]!, { kind: 'crash' });
  expect(w.starts().slice(3)).toHaveLength(3);
  expect(states(w, jobs)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS']);
  expect(new Set(w.starts().map(({ worker }) => worker)).size).toBe(2);
  expect(w.effects.flatMap(({ effect }) => (effect.kind === 'stop' ? [effect.attempt] : []))).toEqual([
    attempts[0],
    attempts[2],
  ]);
  expect(fields(w.get('/health'))['jobs']).toMatchObject({ retried: 3, inProgress: 3 });
  expect(workers(w)).toEqual([0, 1]);
  w.report(jobs[0]!, { kind: 'crash' });
  expect(states(w, jobs)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  expect(workers(w)).toEqual([1, 0]);
});

test('fewer workers: a surplus worker takes no more jobs, and all its slots are usable when it is needed again', () => {
  const w = testBed(2, 2);
  const jobs = many(w, 4);
  w.workers(1);
  w.report(jobs[0]!, success());
  const waiting = w.run();
  expect(w.stateOf(waiting)).toBe('IN_QUEUE');
  w.workers(2);
  expect(w.stateOf(waiting)).toBe('IN_PROGRESS');
  expect(workers(w)).toEqual([0, 2]);
});
