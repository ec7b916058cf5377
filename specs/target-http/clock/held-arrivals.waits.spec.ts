/** Calls held back together under test control go on once the target shows that all of them have arrived. */
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { ControlError } from '../../../src/target/http/control.js';
import { allReleased } from '../../../src/target/http/clock/held-arrivals.js';
import { clientOf, sendTogether } from './held-calls.js';

const COUNT = 5;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

/** @returns for each call whether it is told to have arrived, and for how long it was held back */
async function held(
  incomplete: (begun: number) => number | null,
  take?: (begun: number, incoming: IncomingMessage) => boolean,
): Promise<readonly { arrived: boolean | undefined; togetherMs: number }[]> {
  let begun = 0;
  const client = await clientOf((incoming, outgoing) => {
    begun += 1;
    if (take?.(begun, incoming) === false) return;
    incoming.resume().on('end', () => outgoing.end('{}'));
  }, ends);
  const requests = sendTogether(client, COUNT, COUNT);
  await allReleased(requests, { incomplete: async () => incomplete(begun) });
  await Promise.all(requests.map(({ settled }) => settled));
  return requests.map(({ upload }) => ({
    arrived: upload!.held.arrived,
    togetherMs: upload!.held.togetherMs,
  }));
}

it('they go on as soon as all of them are counted', async () => {
  for (const { arrived, togetherMs } of await held((begun) => begun)) {
    expect(arrived).toBe(true);
    expect(togetherMs).toBeLessThan(900);
  }
});

it.each([
  ['not told', 1, () => null, undefined],
  // A busy machine may take so long to connect the last one.
  ['one too few', 5, (begun: number) => Math.min(begun, COUNT - 1), false],
  [
    'an error',
    1,
    () => {
      throw new ControlError('it does not answer');
    },
    undefined,
  ],
])('they are held back where the count is %s, for %i s', async (_, seconds, incomplete, shown) => {
  for (const { arrived, togetherMs } of await held(incomplete)) {
    expect(arrived).toBe(shown);
    expect(togetherMs).toBeGreaterThanOrEqual(1_000 * seconds - 100);
  }
});

it('where one of them is lost, the others are held back for a while', async () => {
  const calls = await held(
    (begun) => begun - 1,
    (begun, incoming) => {
      if (begun === 1) incoming.socket.destroy();
      return begun > 1;
    },
  );
  expect(calls.every(({ arrived }) => !arrived)).toBe(true);
  expect(calls.filter(({ togetherMs }) => togetherMs >= 900)).toHaveLength(COUNT - 1);
});
