/** Edition `runpod`: what official clients need. */
import { expect, test } from 'vitest';
import { createTestBed, fields, idOf, success } from './test-bed.js';

const testBed = () => createTestBed({ edition: 'runpod' });

test('ids, and the fields of a record by status', () => {
  const w = testBed();
  const blocker = w.run();
  const job = w.run();
  expect(job).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-u1$/);
  expect(w.status(job).body).toEqual({ id: job, status: 'IN_QUEUE' });
  w.advance(300);
  w.report(blocker, success());
  w.report(job, { kind: 'progress', output: 'half' });
  expect(w.status(job).body).toEqual({
    id: job,
    status: 'IN_PROGRESS',
    delayTime: 300,
    output: 'half',
    workerId: expect.any(String),
  });
  w.advance(20);
  w.report(job, success({ error: 'no', part: 1 }));
  expect(w.status(job).body).toMatchObject({
    status: 'FAILED',
    error: 'no',
    output: { part: 1 },
    executionTime: 20,
  });
});

test('a stream is wrapped and drained; reads also accept POST', () => {
  const w = testBed();
  const job = w.run();
  w.report(job, { kind: 'stream', output: 1 });
  expect(w.get(`/stream/${job}`).body).toEqual({ status: 'IN_PROGRESS', stream: [{ output: 1 }] });
  expect(w.post(`/stream/${job}`, {}).body).toEqual({ status: 'IN_PROGRESS', stream: [] });
  expect(w.post(`/status/${job}`, {}).status).toBe(200);
});

test('/status-sync waits for the end of the job', () => {
  const w = testBed();
  const job = w.run();
  const call = w.runsync(`/status-sync/${job}`, {}, { method: 'GET', query: { wait: '5000' } });
  w.advance(400);
  w.report(job, success('x'));
  expect(w.lateReply(call)).toMatchObject({
    atMs: 400,
    reply: { status: 200, body: { status: 'COMPLETED', output: 'x' } },
  });
  expect(w.get(`/status-sync/${job}`).body).toMatchObject({ status: 'COMPLETED' });
  expect(createTestBed().get('/status-sync/x').status).toBe(404);
});

test('a timeout is FAILED, errors are problem details, health counts six kinds of workers', () => {
  const w = testBed();
  const job = w.run({ policy: { executionTimeout: 5_000 }, webhook: 'http://hook.test/' }, { a: 1 });
  w.advance(5_000);
  expect(w.status(job).body).toMatchObject({ status: 'FAILED', error: 'executionTimeout exceeded' });
  expect(w.webhooks()[0]!.body).toMatchObject({ id: job, input: { a: 1 }, webhook: 'http://hook.test/' });
  expect(w.get('/status/none').body).toEqual({
    status: 404,
    title: 'Not Found',
    detail: 'job not found: none',
  });
  expect(fields(w.get('/health'))['workers']).toEqual({
    idle: 1,
    initializing: 0,
    ready: 1,
    running: 0,
    throttled: 0,
    unhealthy: 0,
  });
});

test('/openai passes route and body to the worker and its output back', () => {
  const w = testBed();
  const call = w.runsync('/openai/v1/chat/completions', { model: 'm' });
  const start = w.starts()[0]!;
  expect(start.input).toEqual({ openai_route: '/v1/chat/completions', openai_input: { model: 'm' } });
  w.report(start.job, success({ choices: [] }));
  expect(w.lateReply(call)!.reply).toMatchObject({ status: 200, body: { choices: [] } });
  expect(idOf(w.post('/run', { input: {} }))).toMatch(/-u1$/);
});

test('no worker can run an empty input: run again once, then FAILED', () => {
  const w = testBed();
  const job = idOf(w.post('/run', { input: {} }));
  expect(w.status(job).body).toMatchObject({ status: 'IN_PROGRESS' });
  expect(w.starts()).toEqual([]);
  w.advance(44_000);
  expect(w.status(job).body).toMatchObject({ status: 'IN_PROGRESS' });
  w.advance(43_999);
  expect(w.status(job).body).toMatchObject({ status: 'IN_PROGRESS' });
  w.advance(1);
  expect(w.status(job).body).toMatchObject({ status: 'FAILED', error: 'job timed out after 1 retries' });
  expect(fields(w.get('/health'))['jobs']).toMatchObject({ failed: 1, retried: 1 });
});

test('a cancelled job with an empty input frees its worker for the next', () => {
  const w = testBed();
  const empty = idOf(w.post('/run', { input: {} }));
  const next = w.run();
  w.post(`/cancel/${empty}`);
  w.advance(2_000);
  expect(w.status(next).body).toMatchObject({ status: 'IN_PROGRESS' });
  w.advance(100_000);
  expect(w.status(empty).body).toMatchObject({ status: 'CANCELLED' });
});
