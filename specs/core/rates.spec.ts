/** Section 8: rate limits, row by row. */
import { describe, expect, test } from 'vitest';
import { RATES } from '../../src/spec/index.js';
import type { CoreReply } from '../../src/core/api.js';
import { createTestBed } from './test-bed.js';
import type { TestBed } from './test-bed.js';

const CALLS: readonly (readonly [keyof typeof RATES, (w: TestBed) => CoreReply])[] = [
  ['run', (w) => w.post('/run', {})],
  ['runsync', (w) => w.post('/runsync', {})],
  ['status', (w) => w.get('/status/none')],
  ['stream', (w) => w.get('/stream/none')],
  ['cancel', (w) => w.post('/cancel/none')],
  ['purge-queue', (w) => w.post('/purge-queue')],
  ['openai', (w) => w.post('/openai/v1/chat', [])], // malformed: nothing waits
  ['requests', (w) => w.get('/requests')],
];

describe('8: requests per 10 seconds', () => {
  test.each(CALLS)('%s', (op, call) => {
    const w = createTestBed();
    const limit = RATES[op]!.requests;
    for (let i = 0; i < limit; i++) {
      if (i === 1) w.advance(4_000);
      expect(call(w).status).not.toBe(429);
    }
    const refused = call(w);
    expect(refused.status).toBe(429);
    expect(JSON.stringify(refused.body)).toContain(`${limit} requests per 10 seconds`);
    w.advance(5_999);
    expect(call(w).status).toBe(429);
    w.advance(1);
    expect(call(w).status).not.toBe(429); // the first call has left the window, the others not yet
    expect(call(w).status).toBe(429);
    w.advance(10_000);
    expect(call(w).status).not.toBe(429);
  });

  test('8/rate-per-operation, 8/rate-per-endpoint, 8/refused-call-has-no-effect', () => {
    const w = createTestBed({
      endpoints: [
        { id: 'ep', workers: 1 },
        { id: 'other', workers: 1 },
      ],
    });
    w.run();
    w.post('/purge-queue');
    w.post('/purge-queue');
    const waiting = w.run();
    expect(w.post('/purge-queue').status).toBe(429);
    expect(w.stateOf(waiting)).toBe('IN_QUEUE');
    expect(w.post('/purge-queue', undefined, { endpoint: 'other' }).status).toBe(200);
    w.create('ep', 1);
    expect(w.post('/purge-queue').status).toBe(200);
  });

  test('/retry and /health have no limit', () => {
    const w = createTestBed();
    for (let i = 0; i < 3_000; i++) {
      expect(w.get('/health').status).toBe(200);
      expect(w.post('/retry/none').status).toBe(404);
    }
  });
});

test('8/concurrency-runsync-above: 400 calls wait, the next is refused until one is answered', () => {
  const w = createTestBed();
  const first = w.runsync('/runsync', { input: { a: 1 } }, { query: { wait: '1000' } });
  for (let i = 1; i < 400; i++) w.runsync('/runsync', { input: { a: 1 } });
  expect(w.post('/runsync', { input: { a: 1 } }).status).toBe(429);
  w.advance(1_000);
  expect(w.lateReply(first)).not.toBeNull();
  w.runsync('/runsync', { input: { a: 1 } });
  expect(w.post('/runsync', { input: { a: 1 } }).status).toBe(429);
});

test('8/requests-per-worker: running workers raise the limit above the base', () => {
  const w = createTestBed({ workers: 3, dialect: { '8/requests-per-worker': '50' } });
  for (let i = 0; i < 3; i++) w.run();
  for (let i = 0; i < 150; i++) expect(w.post('/cancel/none').status).toBe(404);
  expect(w.post('/cancel/none').status).toBe(429);
});

test.each([
  ['fixed-window', [200, 200, 429], 10_000],
  ['token-bucket', [200, 200, 429], 5_000],
] as const)('8/rate-algorithm: %s', (algorithm, first, laterMs) => {
  const w = createTestBed({ dialect: { '8/rate-algorithm': algorithm } });
  w.advance(9_000);
  expect(first.map(() => w.post('/purge-queue').status)).toEqual(first);
  w.advance(algorithm === 'fixed-window' ? laterMs - 9_000 : laterMs);
  expect(w.post('/purge-queue').status).toBe(200);
});
