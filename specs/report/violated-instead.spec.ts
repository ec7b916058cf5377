/** A failure that has two explanations, in the report. */
import { expect, it } from 'vitest';
import { FINDINGS, madeUpReport } from './sample-report.js';

const proofsOf = (or: readonly string[] | undefined): readonly (readonly string[])[] => {
  const requirements = FINDINGS.requirements.map((one) => ({
    ...one,
    failures: one.failures.map((failure) => (or === undefined ? failure : { ...failure, or })),
  }));
  return madeUpReport({ ...FINDINGS, requirements }).requirements.flatMap(({ failures }) =>
    failures.map(({ proof }) => proof),
  );
};

it('names the other requirements at the end of its proof', () => {
  const proofs = proofsOf(['3/cancel-running', '3/cancel-queued']);
  expect(proofs.length).toBeGreaterThan(0);
  for (const proof of proofs)
    expect(proof.at(-1)).toBe(
      'or 3/cancel-running or 3/cancel-queued is violated instead: the calls do not show which',
    );
});

it('says nothing of others where it has one explanation', () => {
  expect(proofsOf(undefined).flat().join(' ')).not.toContain('violated instead');
});
