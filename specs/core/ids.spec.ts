import { expect, test } from 'vitest';
import { uuidLike } from '../../src/core/ids.js';

test('ids stay as they are: saved scripts and histories name them', () => {
  expect([1, 2, 1_000_000].map(uuidLike)).toEqual([
    '514e28b7-36de-4503-9e96-ab0341f402a4',
    '30f4c306-b442-4bbb-88ab-1aa74ad9d368',
    '02409889-7b98-4e13-9f3e-c9413d985b42',
  ]);
});

test('ids have the form of a UUID of version 4 and differ', () => {
  const ids = Array.from({ length: 20_000 }, (_, n) => uuidLike(n));
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(ids.length);
});
