/** Many calls at once on one job. */
import { expect, test } from 'vitest';
import { CROWDED } from './support/many-concurrent-calls.js';
import { failed } from './support/trace-builder.js';

test.each(CROWDED)('%s', (_, history) => {
  expect(failed(history.judged(60_000))).toEqual([]);
});
