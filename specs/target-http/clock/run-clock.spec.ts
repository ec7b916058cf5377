/** What the clock of a run asks of test control, and what it already knows. */
import { expect, it } from 'vitest';
import { RunClock } from '../../../src/target/http/clock/run-clock.js';

/** Test control whose time begins at 1000; `tells`: the next event that its answer to `advance` names. */
async function clockOf(
  tells: (nowMs: number) => number | null | undefined,
): Promise<{ clock: RunClock; asked: () => number; move: (ms: number) => void }> {
  let nowMs = 1_000;
  let asked = 0;
  const clock = new RunClock({
    clock: async () => {
      asked += 1;
      return { nowMs, nextEventAtMs: 5_000 };
    },
    advance: async (byMs) => {
      nowMs += byMs;
      const next = tells(nowMs);
      return { nowMs, ...(next === undefined ? {} : { nextEventAtMs: next }) };
    },
  });
  await clock.start();
  const before = asked;
  await clock.advanceTo(10, true);
  return { clock, asked: () => asked - before, move: (ms) => void (nowMs += ms) };
}

it.each([
  ['an instant', (nowMs: number) => nowMs + 500, 510],
  ['that nothing can happen', () => null, null],
])('the answer to an advance tells %s: that is not asked for again', async (_, tells, nextMs) => {
  const { clock, asked } = await clockOf(tells);
  expect(await clock.nextEventMs()).toBe(nextMs);
  expect(asked()).toBe(0);
});

it('after a call it is asked for again', async () => {
  const { clock, asked } = await clockOf((nowMs) => nowMs + 500);
  clock.disturbed();
  expect(await clock.nextEventMs()).toBe(4_000);
  expect(asked()).toBe(1);
});

it.each([
  ['tells nothing', () => undefined],
  ['tells of something that is due already', (nowMs: number) => nowMs],
])('it is asked for where the answer %s', async (_, tells) => {
  const { clock, asked } = await clockOf(tells);
  expect(await clock.nextEventMs()).toBe(4_000);
  expect(asked()).toBe(1);
});

it.each([
  ['asked', (clock: RunClock) => clock.nextEventMs()],
  ['asked while calls are under way', (clock: RunClock) => clock.echo()],
  ['advanced', (clock: RunClock) => clock.advanceTo(20, true)],
])('a clock that has moved by itself ends the run when it is %s', async (_, use) => {
  const { clock, move } = await clockOf(() => undefined);
  move(3);
  const told = { problem: 'control', message: expect.stringContaining('3 ms ahead') };
  await expect(use(clock)).rejects.toMatchObject(told);
});

it('may be moved between two runs', async () => {
  const { clock, move } = await clockOf(() => undefined);
  move(3);
  await clock.catchUp();
  expect(clock.nowMs).toBe(13);
  await clock.advanceTo(20, true);
});
