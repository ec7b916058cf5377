import { expect, it } from 'vitest';
import { isMethodOf, isWaitingStatus, jobSegmentIn, operationNamed } from '../../src/spec/operation-of.js';
import { ALL_OPERATIONS } from '../../src/spec/operations.js';

it.each(ALL_OPERATIONS.map(({ op, method }) => [op, method] as const))(
  '%s is named by itself, and called by %s',
  (op, method) => {
    for (const edition of ['document', 'runpod'] as const) {
      expect(operationNamed(op, edition)?.op).toBe(op);
      expect(isMethodOf(op, method, edition)).toBe(true);
      expect(isMethodOf(op, 'PUT', edition)).toBe(false);
      expect(isWaitingStatus(op)).toBe(false);
    }
  },
);

it.each(['status-sync', 'nonsense', 'constructor', '', 'RUN'])('the document has no operation %j', (name) => {
  expect(operationNamed(name, 'document')).toBeNull();
});

it('edition runpod has a status that waits, and reads by POST', () => {
  expect(operationNamed('status-sync', 'runpod')?.op).toBe('status');
  expect(isWaitingStatus('status-sync')).toBe(true);
  const posts = ALL_OPERATIONS.filter(
    ({ op, method }) => method === 'GET' && isMethodOf(op, 'POST', 'runpod'),
  );
  expect(posts.map(({ op }) => op)).toEqual(['status', 'stream']);
  expect(posts.some(({ op }) => isMethodOf(op, 'POST', 'document'))).toBe(false);
  expect(isMethodOf('run', 'GET', 'runpod')).toBe(false);
});

it.each([
  ['/v2/e/status/a%20b', 'a%20b'],
  ['/v2/e/status-sync/a?wait=1', 'a'],
  ['/prefix/v2/status/cancel/run', 'run'],
  ['/v2/e/retry/a/', 'a'],
  ['/v2/e/status/', null],
  ['/v2/e/run', null],
  ['/v2/e/openai/v1', null],
])('in %s the job is %s', (path, job) => {
  expect(jobSegmentIn(path)).toBe(job);
});
