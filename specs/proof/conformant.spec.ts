/** A slice of `npm run proofs -- conformant`; the seed is fresh in every run, `CONFORMANT_SEED=N` repeats one. */
import { expect, test } from 'vitest';
import { playBatch } from '../../proof/trials/conformant-batch.js';

const SEED = Number(process.env['CONFORMANT_SEED'] ?? Date.now() % 1_000_000);

test(`conformant endpoints raise no alarm (CONFORMANT_SEED=${SEED})`, () => {
  let played = 0;
  for (const batch of [0, 1, 2, 3]) {
    const { alarms, calls } = playBatch({ kind: 'conformant', seed: SEED, batch });
    expect(
      alarms.map(({ requirement, variants, actual, proof }) => ({ requirement, variants, actual, proof })),
      `batch ${batch}`,
    ).toEqual([]);
    played += calls;
  }
  // One batch may hold a single short scenario.
  expect(played).toBeGreaterThan(200);
});
