import { describe, expect, it } from 'vitest';
import type { SimulationOptions } from '../../src/sim/simulation.js';
import { createRandom } from '../../src/time/random.js';
import { createTestBed } from './support.js';

/** Everything by chance at once. */
const ROUGH: Partial<SimulationOptions> = {
  latency: { requestMs: { fromMs: 0, toMs: 400 }, replyMs: { fromMs: 0, toMs: 400 }, webhookMs: 7 },
  faults: [
    { perMille: 50, action: { do: 'drop-reply', seen: 'timeout' } },
    { op: 'runsync', perMille: 200, action: { do: 'hang-up', afterMs: 300 } },
    { op: 'status', perMille: 100, action: { do: 'drop-request', seen: 'reset' } },
  ],
  ties: 'seeded',
  workers: { lateMs: { fromMs: 0, toMs: 50 } },
};

/** A thousand calls of all kinds, drawn from a stream of their own. */
function traffic(seed: number, options: Partial<SimulationOptions> = ROUGH) {
  const { simulation, log, learnt, ...client } = createTestBed({
    seed,
    workerCount: 3,
    timersLateMs: 20,
    ...options,
  });
  const random = createRandom(99);
  const ids: string[] = [];
  for (let call = 0; call < 1_000; call++) {
    const sent = [
      () => client.run([{ sleepMs: random.intBetween(0, 500) }, { stream: call }, { return: call }]),
      () => client.run([{ hang: true }], { policy: { ttl: 10_000 }, webhook: 'http://c.invalid/' }),
      () => client.runsync([{ sleepMs: random.intBetween(0, 2_000) }, { crash: true }], 5_000),
      () => client.status(ids.length > 0 ? random.pick(ids) : 'none'),
      () => client.health(),
    ];
    const number = random.pick(sent)();
    client.advanceTo(simulation.nowMs() + random.intBetween(0, 300));
    const { id } = client.bodyOf(number);
    if (typeof id === 'string') ids.push(id);
  }
  client.advanceTo(simulation.nowMs() + 100_000);
  return { fingerprint: simulation.fingerprint(), log, learnt };
}

describe('determinism', () => {
  it('repeats every event of a run with the same seed', () => {
    const first = traffic(5);
    const second = traffic(5);
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(second.log).toEqual(first.log);
    expect(second.learnt).toEqual(first.learnt);
    expect(first.log.length).toBeGreaterThan(3_000);
  });

  it('shows another seed, or any other difference, in the fingerprint', () => {
    const prints = [
      traffic(5).fingerprint,
      traffic(6).fingerprint,
      traffic(5, { ...ROUGH, ties: ['timer', 'worker', 'network', 'client'] }).fingerprint,
      traffic(5, { ...ROUGH, workers: { lateMs: { fromMs: 0, toMs: 51 } } }).fingerprint,
      traffic(5, {}).fingerprint,
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('keeps random streams of different purposes independent', () => {
    const arrivals = (options: Partial<SimulationOptions>) =>
      traffic(5, options)
        .log.filter((entry) => entry.event === 'arrive')
        .map((entry) => [entry.id, entry.atMs]);
    const base: Partial<SimulationOptions> = { latency: { requestMs: { fromMs: 0, toMs: 400 } } };
    expect(arrivals(base)).toHaveLength(1_000);
    const sorted = (list: number[][]) => list.toSorted((a, b) => a[0]! - b[0]!);
    expect(
      sorted(arrivals({ ...base, faults: [{ perMille: 100, action: { do: 'delay', replyMs: 1 } }] })),
    ).toEqual(sorted(arrivals(base)));
  });
});
