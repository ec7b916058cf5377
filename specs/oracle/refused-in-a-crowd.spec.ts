/** Calls with many under way: refused within both limits, where what is too low shows elsewhere in the run, or accepted beyond them. */
import { describe, expect, test } from 'vitest';
import { failed, Told } from './told.js';

/** Two hundred waiting calls are let in, and no more. */
function crowd(): Told {
  const told = new Told(0);
  const body = { input: { plan: [{ hang: true }] } };
  for (let nth = 0; nth < 200; nth += 1) {
    const record = { id: `j${nth}`, status: 'IN_QUEUE' };
    const query = { wait: '1000' };
    told.call(0, 'runsync', null, 200, record, { body, query, receivedMs: 1_000, ticks: [nth, 1_000 + nth] });
  }
  return told.call(0, 'runsync', null, 429, { error: 'too many' }, { body, ticks: [500, 501] });
}

const named = (told: Told): readonly string[] =>
  failed(told.judged(60_000)).filter((id) => id.startsWith('8/'));

test('where nothing else is refused too early, the calls under way were too many', () => {
  expect(named(crowd())).toEqual(['8/concurrency-runsync-below']);
});

test('where other operations are refused too early with nothing under way, the rate is too low', () => {
  const told = crowd()
    .call(20_000, 'purge-queue', null, 429, { error: 'too many' })
    .call(20_000, 'requests', null, 429, { error: 'too many' });
  expect(named(told)).toEqual(['8/rate-runsync-below', '8/rate-purge-queue-below', '8/rate-requests-below']);
});

describe('201 calls of /run are one too many, and three of /requests are not', () => {
  /** Of so many calls, held back together, the last are refused. */
  const burst = (told: Told, atMs: number, op: 'run' | 'requests', calls: number, refused: number): Told => {
    const first = atMs;
    for (let nth = 0; nth < calls; nth += 1) {
      const isRefused = nth >= calls - refused;
      const [sent, until] = [first + nth, first + calls + nth];
      const overTick = isRefused ? first + calls - 1 : until;
      const held = { fromTick: sent, untilTick: until, overTick, untilMs: atMs, togetherMs: 2_000 };
      const reply = isRefused
        ? { error: 'too many' }
        : op === 'run'
          ? { id: `j${nth}`, status: 'IN_QUEUE' }
          : [];
      const body = { input: { plan: [{ return: 1 }] } };
      told.call(atMs, op, null, isRefused ? 429 : 200, reply, { body, held, ticks: [sent, until] });
    }
    return told;
  };
  const story = (workers: number): Told =>
    burst(burst(new Told(workers), 1_000, 'requests', 3, 0), 20_000, 'run', 201, 1);

  test('without workers one of the two is wrong', () => {
    expect(named(story(0))).toEqual(['8/concurrency-requests-above']);
  });

  test('idle workers may count as running, and three may be allowed for each', () => {
    expect(named(story(1))).toEqual([]);
  });
});
