import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../../src/server/index.js';
import { fewestServedBefore, mostServedWithin, overload } from '../load/overload.js';
import { WHOLE } from '../../support/whole.js';

/** Half a minute of real time for each: with `WHOLE=1` alone. */
const WINDOW_MS = 10_000;
const LIMIT = 100;
const RUN_MS = 35_000;

const READINGS = [
  ['sliding-window', LIMIT, 4 * LIMIT],
  // Two windows meet in any ten seconds.
  ['fixed-window', 2 * LIMIT, 5 * LIMIT],
  // A full bucket, and what flows in meanwhile.
  ['token-bucket', 2 * LIMIT, 4 * LIMIT + 50],
] as const;

// The definition of a window varies; limits measured by the clients' clocks hold whatever the server's clock
// shows.
it.each(WHOLE ? READINGS : [])(
  'real time, %s: overload gets what it may, and 429 for the rest',
  { timeout: 120_000 },
  async (algorithm, withinMax, inAllMax) => {
    const server = await startServer({ apiKeys: ['k'], dialect: { '8/rate-algorithm': algorithm } });
    onTestFinished(() => server.close());
    const calls = await overload(server.url, 'k', '/v2/test/cancel/x', RUN_MS);
    const served = calls.filter(({ refused }) => !refused).length;
    console.log(`${algorithm}: ${calls.length} calls, ${served} served, ${calls.length - served} refused`);
    // The overload was one: otherwise this says nothing.
    expect(calls.length).toBeGreaterThan(inAllMax);
    expect(mostServedWithin(calls, WINDOW_MS)).toBeLessThanOrEqual(withinMax);
    expect(mostServedWithin(calls, WINDOW_MS)).toBeGreaterThanOrEqual(LIMIT * 0.9);
    expect(served).toBeLessThanOrEqual(inAllMax);
    expect(served).toBeGreaterThanOrEqual(3 * LIMIT);
    if (algorithm === 'sliding-window')
      expect(fewestServedBefore(calls, WINDOW_MS)).toBeGreaterThanOrEqual(LIMIT);
  },
);

it('the two measures distinguish a limit that holds from one that does not', () => {
  const at = (ms: number, refused = false) => ({ sentMs: ms, receivedMs: ms + 1, refused });
  const kept = [...Array.from({ length: LIMIT }, (_, n) => at(n)), at(200, true), at(10_200)];
  expect(mostServedWithin(kept, WINDOW_MS)).toBe(LIMIT);
  expect(fewestServedBefore(kept, WINDOW_MS)).toBe(LIMIT);
  expect(mostServedWithin([...kept, at(300)], WINDOW_MS)).toBe(LIMIT + 1);
  expect(fewestServedBefore([...kept.slice(1), at(20_000, true)], WINDOW_MS)).toBe(1);
});
