/** A slice of `npm run conformant`; the seed is fresh in every run, `CONFORMANT_SEED=N` repeats one. */
import { expect, test } from 'vitest';
import { playBatch } from '../../proof/conformant-batch.js';

const SEED = Number(process.env['CONFORMANT_SEED'] ?? Date.now() % 1_000_000);

let played = 0;

test.each([0, 1, 2, 3])(
  `conformant endpoints raise no alarm (CONFORMANT_SEED=${SEED}, batch %i)`,
  (batch) => {
    const { alarms, calls } = playBatch({ kind: 'conformant', seed: SEED, batch });
    expect(
      alarms.map(({ requirement, variants, actual, proof }) => ({ requirement, variants, actual, proof })),
    ).toEqual([]);
    played += calls;
  },
);

// One batch may hold a single short scenario.
test('in hundreds of calls', () => expect(played).toBeGreaterThan(200));
