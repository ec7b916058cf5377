import { expect, it } from 'vitest';
import { slowProgress } from '../../src/checking/slow-progress.js';
import type { RunProgress } from '../../src/target/port.js';

type Event = number | 'judging' | 'writing the report' | null;

/** What is said when these things happen at these ms; null: nothing happens. */
function told(
  at: readonly (readonly [ms: number, event: Event])[],
  { everyMs = 10_000, decided = null as number | null } = {},
): readonly string[] {
  const said: string[] = [];
  let nowMs = 0;
  let dueMs = Infinity;
  let goesOn = (): void => {};
  const time = {
    nowMs: () => nowMs,
    every(ms: number, callback: () => void) {
      const refresh = (): void => void (dueMs = nowMs + ms);
      goesOn = callback;
      refresh();
      return { refresh, stop: () => void (dueMs = Infinity) };
    },
  };
  const progress = slowProgress(everyMs, time, (line) => said.push(line));
  for (const [ms, event] of at) {
    while (dueMs <= ms) {
      nowMs = dueMs;
      goesOn();
    }
    nowMs = ms;
    if (typeof event === 'number') progress.onProgress({ ended: event, total: 9 } as RunProgress);
    else if (event !== null) progress.onPhase(event, decided);
  }
  progress.stop();
  expect(dueMs).toBe(Infinity);
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
  ).toEqual(['1 of 9 scripts after 10 s', '3 of 9 scripts after 20 s']);
  expect(
    told([
      [4_000, 9],
      [5_000, 'judging'],
      [9_000, 'writing the report'],
    ]),
  ).toEqual([]);
});

it('says when each phase of a slow check begins, and goes on saying so', () => {
  expect(
    told([
      [11_000, 9],
      [12_000, 'judging'],
      [35_000, 'writing the report'],
      [40_000, null],
    ]),
  ).toEqual([
    'planning after 10 s',
    'judging after 12 s',
    'still judging after 22 s',
    'still judging after 32 s',
    'writing the report after 35 s',
  ]);
});

it('says how many requirements are decided, once that is known', () => {
  expect(
    told(
      [
        [5_000, 'writing the report'],
        [12_000, null],
      ],
      { decided: 42 },
    ),
  ).toEqual(['still writing the report after 10 s, 42 required rules decided']);
});

it('says nothing with a pause without end', () => {
  expect(
    told(
      [
        [60_000, 1],
        [90_000, 'judging'],
      ],
      { everyMs: Infinity },
    ),
  ).toEqual([]);
});
