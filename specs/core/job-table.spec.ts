import { expect, test } from 'vitest';
import type { CoreInput } from '../../src/core/api.js';
import { uuidLike } from '../../src/core/ids.js';
import { createService } from '../../src/core/service.js';

test('a job is found by its id until it is deleted, whether or not an id was looked up before', () => {
  const service = createService({ keys: [], endpoints: [{ id: 'e', workers: 0 }] });
  const policy = { executionTimeoutMs: null, lowPriority: null, ttlMs: 10_000 };
  const submission = { input: {}, webhook: null, s3Config: null, policy };
  const submit: CoreInput = { kind: 'submit', endpoint: 'e', submission };
  const found = (): readonly boolean[] => [1, 2, 3, 4].map((n) => service.job('e', uuidLike(n)) !== null);
  for (const atMs of [1, 2, 3]) service.apply(atMs, submit);
  service.apply(10_001, { kind: 'settle' });
  expect(found()).toEqual([false, true, true, false]);
  service.apply(10_001, submit);
  service.apply(10_002, { kind: 'settle' });
  expect(found()).toEqual([false, false, true, true]);
  service.apply(30_000, { kind: 'settle' });
  expect(found()).toEqual([false, false, false, false]);
});
