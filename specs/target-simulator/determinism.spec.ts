import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/scenario/script.js';
import type { SimulatorOptions } from '../../src/target/simulator/simulator-target.js';
import { callsOf, play, script } from './support.js';

const ROUGH: Partial<SimulatorOptions> = {
  latency: { requestMs: { fromMs: 0, toMs: 400 }, replyMs: { fromMs: 0, toMs: 400 } },
  faults: [{ perMille: 30, action: { do: 'drop-reply', seen: 'reset' } }],
  ties: 'seeded',
  workers: { lateMs: { fromMs: 0, toMs: 50 } },
  timersLateMs: { fromMs: 0, toMs: 100 },
};

/** Several lanes at once, deadlines, retries and webhooks. */
const busy = (seed: number): Script =>
  script(
    [
      {
        do: 'run',
        job: 'a',
        plan: [{ fail: 'x' }],
        planOnRetry: [{ return: 1 }],
        webhook: [{ status: 500 }],
      },
      { do: 'await', job: 'a', until: ['FAILED'], everyMs: 200, timeoutMs: 5_000 },
      { do: 'retry', job: 'a' },
      { do: 'run', job: 'b', lane: 'b', plan: [{ hang: true }], policy: { ttl: 12_000 } },
      { do: 'await', job: 'b', lane: 'b', until: ['GONE'], everyMs: 300, timeoutMs: 20_000 },
      { do: 'runsync', job: 'c', lane: 'c', plan: [{ sleepMs: 700 }, { streamBytes: 100 }] },
      { do: 'stream', job: 'c', lane: 'c' },
      { do: 'purge-queue', lane: 'd', at: { sinceStartMs: 350 } },
    ],
    { seed, workers: 2 },
  );

const scripts = Array.from({ length: 30 }, (_, seed) => busy(seed));

describe('determinism of the simulator', () => {
  it('gives the same history, byte by byte, and the same fingerprint for the same seed', () => {
    const first = play(scripts, { ...ROUGH, seed: 8 });
    const second = play(scripts, { ...ROUGH, seed: 8 });
    expect(second.target.fingerprint()).toBe(first.target.fingerprint());
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
    expect(first.calls.length).toBeGreaterThan(500);
  });

  it('with workers that come and go, too, each after a cold start of its own', () => {
    const options: Partial<SimulatorOptions> = {
      ...ROUGH,
      seed: 8,
      scaling: {
        min: 0,
        coldStartMs: 50,
        idleTimeoutMs: 300,
        scaler: { kind: 'request-count', jobsPerWorker: 1 },
      },
      coldStartsLateMs: { fromMs: 0, toMs: 300 },
    };
    const [first, second] = [play(scripts, options), play(scripts, options)];
    expect(second.target.fingerprint()).toBe(first.target.fingerprint());
    const waits = first.calls.flatMap(({ op, reply }) => {
      const body = reply?.body.as === 'json' ? (reply.body.value as { delayTime?: number }) : {};
      return op === 'runsync' && body.delayTime !== undefined ? [body.delayTime] : [];
    });
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(Math.max(...waits)).toBeGreaterThan(100);
  });

  it('gives another run for another seed', () => {
    const first = play(scripts, { ...ROUGH, seed: 8 });
    const second = play(scripts, { ...ROUGH, seed: 9 });
    expect(second.target.fingerprint()).not.toBe(first.target.fingerprint());
    expect(JSON.stringify(second.events)).not.toBe(JSON.stringify(first.events));
  });

  it('plays a script alone as it plays it after others', () => {
    const times = (events: readonly ReturnType<typeof callsOf>[number][], startMs: number) =>
      events.map((call) => [
        call.op,
        call.sentMs - startMs,
        call.receivedMs === null ? call.lost : call.receivedMs - startMs,
        call.reply?.status,
      ]);
    const all = play(scripts, { ...ROUGH, seed: 8 });
    const last = all.events.find((event) => event.kind === 'script' && event.script === 29);
    const startMs = last?.kind === 'script' ? last.atMs : Number.NaN;
    const alone = play(scripts.slice(29), { ...ROUGH, seed: 8 });
    expect(startMs).toBeGreaterThan(0);
    expect(times(alone.calls, 0)).toEqual(
      times(
        all.calls.filter((call) => call.script === 29),
        startMs,
      ),
    );
  });

  it('appends events in the order of their end', () => {
    const { events } = play(scripts, { ...ROUGH, seed: 8 });
    const ticks = callsOf(events).map((call) => call.endedTick ?? Number.NaN);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  });
});
