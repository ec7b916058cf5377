import { expect, test } from 'vitest';
import { slowestFirst } from './slowest-first.js';

test('the slowest files begin first, those without a record last and in their order', () => {
  const files = ['/x/specs/a.spec.ts', '/x/specs/b.spec.ts', '/x/specs/c.spec.ts', '/x/specs/d.spec.ts'];
  const sorted = slowestFirst(
    files.map((moduleId) => ({ moduleId })),
    { 'specs/c.spec.ts': 5, 'specs/d.spec.ts': 80, 'specs/gone.spec.ts': 9 },
  );
  expect(sorted.map(({ moduleId }) => moduleId.slice(9, 10))).toEqual(['d', 'c', 'a', 'b']);
});
