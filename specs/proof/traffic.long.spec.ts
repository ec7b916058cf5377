/** A slice of `npm run proofs -- traffic`: what an ordinary application meets, its recorded calls show. */
import { expect, test } from 'vitest';
import { tryTraffic } from '../../proof/trials/traffic-trial.js';

const failed = (mutant: string | null): readonly string[] =>
  Object.keys(tryTraffic({ kind: 'traffic', mutant, seed: 1, isOpen: false, sessions: 24 }));

test('the traffic of an application fails no endpoint that conforms', () => {
  expect(failed(null)).toEqual([]);
});

test.each([
  ['wait-halved', '4.1/wait-not-early'],
  ['timeout-above-a-day-refused', '2.1/policy-accepted-run'],
  ['execution-time-of-earlier-runs', '2.4/execution-time-measures-run'],
  ['retry-once', '4.6/failed-again-can-be-retried'],
])('it shows the fault %s by %s', (mutant, requirement) => {
  expect(failed(mutant)).toContain(requirement);
});
