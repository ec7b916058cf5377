/** Many calls at once on one job. */
import { expect, test } from 'vitest';
import { CROWDED } from './many-concurrent-calls.js';
import { failed } from './trace-builder.js';

test.each(CROWDED)('%s', (_, history) => {
  expect(failed(history.judged(60_000))).toEqual([]);
});
