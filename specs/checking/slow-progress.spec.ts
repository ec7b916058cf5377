import { expect, it } from 'vitest';
import { slowProgress } from '../../src/checking/slow-progress.js';
import type { RunProgress } from '../../src/target/port.js';

function told(
  at: readonly (readonly [number, number | 'judging' | 'writing the report'])[],
): readonly string[] {
  const said: string[] = [];
  let nowMs = 0;
  const { onProgress, onPhase } = slowProgress(
    10_000,
    () => nowMs,
    (line) => said.push(line),
  );
  for (const [ms, event] of at) {
    nowMs = ms;
    if (typeof event === 'number') onProgress!({ ended: event, total: 9 } as RunProgress);
    else onPhase!(event, null);
  }
  return said;
}

it('says how far it is every ten seconds, and nothing of a quick check', () => {
  expect(
    told([
      [4_000, 1],
      [10_000, 2],
      [12_000, 3],
      [20_500, 4],
    ]),
  ).toEqual(['2 of 9 scripts after 10 s', '4 of 9 scripts after 20.5 s']);
  expect(
    told([
      [4_000, 9],
      [5_000, 'judging'],
      [9_000, 'writing the report'],
    ]),
  ).toEqual([]);
});

it('says when each phase of a slow check begins', () => {
  expect(
    told([
      [11_000, 9],
      [12_000, 'judging'],
      [80_000, 'writing the report'],
    ]),
  ).toEqual(['9 of 9 scripts after 11 s', 'judging after 12 s', 'writing the report after 1 min 20 s']);
});
