/** Many calls at once on one job. */
import { expect, test } from 'vitest';
import { CROWDED } from './crowded-lives.js';
import { failed } from './told.js';

test.each(CROWDED)('%s', (_, history) => {
  expect(failed(history.judged(60_000))).toEqual([]);
});
