/** Which failures are played again to see whether they repeat, and what is said of the others. */
import { expect, test } from 'vitest';
import { intermittentIn } from '../../src/checking/confirm/intermittent.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { REAL_CLOCK, StepDeadlines } from '../../src/judging/deadlines.js';

type About = Parameters<typeof intermittentIn>[0];

/** Of a cause that failed in one script: what is said, without playing it. */
async function told(ms: number, calls: number, speed = 1): Promise<string> {
  const requirement = '4.2/retention-kept';
  const events = [
    { kind: 'run', speed },
    { kind: 'script', script: 0, atMs: 1_000 },
    ...Array.from({ length: calls }, (_, call) => ({ kind: 'call', script: 0, call })),
    { kind: 'script-end', script: 0, atMs: 1_000 + ms },
  ] as unknown as readonly HistoryEvent[];
  const about = {
    causes: [{ requirement, answer: null, sameAnswer: [], consequences: [] }],
    events,
    deadlines: new StepDeadlines(REAL_CLOCK, new AbortController().signal, null),
    findings: { requirements: [{ id: requirement, failures: [{ script: 0 }] }] },
    scripts: [{ steps: [], seed: 1 }],
    stepsBefore: new Map(),
    edition: 'document',
    target: {
      ...simulatorTarget({ seed: 1 }),
      clock: 'real',
      run: () => Promise.reject(new Error('played')),
    },
  } as unknown as About;
  return intermittentIn(about).then(
    ({ notRunAgain }) => notRunAgain.get(requirement) ?? '',
    (error: Error) => error.message,
  );
}

test.each([
  ['is played within its time', 12_000, 10, 1, 'played'],
  ['is not played where it takes longer', 16_000, 10, 1, 'its script takes 16 s'],
  ['is played where its clock is faster', 160_000, 10, 20, 'played'],
  ['is not played with many calls', 12_000, 90, 1, 'its script makes 90 calls'],
] as const)('%s', async (_, ms, calls, speed, expected) => {
  expect(await told(ms, calls, speed)).toEqual(expected);
});
