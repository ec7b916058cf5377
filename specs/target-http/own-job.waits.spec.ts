/** One more job, where workers take no job any more: whether it waits is seen by the run itself. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { RUN_ITSELF, type HistoryEvent, type Json } from '../../src/history/events.js';
import { shippedSchema } from '../../src/package-files.js';
import { OwnCalls } from '../../src/target/http/probes/own-calls.js';
import type { TargetContext } from '../../src/target/http/target-context.js';
import type { Transport } from '../../src/target/session/transport.js';
import { HttpClient } from '../../src/target/session/http-client.js';

const isInHistory = new Ajv2020({ allowUnionTypes: true }).compile(shippedSchema('history'));

/** A service whose job shows these states, one at each look; the last one for ever. */
async function seen(
  states: readonly string[],
  interruptAfterMs = Infinity,
  watch: { readonly idle: number } | null = null,
) {
  const events: HistoryEvent[] = [];
  const ledger: string[] = [];
  let looks = 0;
  const answer = (path: string): Json => {
    if (path.endsWith('/run')) return { id: 'j', status: 'IN_QUEUE' };
    if (path.endsWith('/health'))
      return { jobs: { inQueue: 0, inProgress: 0 }, workers: { idle: watch?.idle ?? 0, running: 0 } };
    if (path.includes('/cancel/')) ledger.push('cancelled');
    return {
      id: 'j',
      status: path.includes('/cancel/') ? 'CANCELLED' : states[Math.min(looks++, states.length - 1)]!,
    };
  };
  const connection = {
    isStopped: false,
    send: ({ path }: { readonly path: string }) =>
      Promise.resolve({
        reply: { status: 200, headers: {}, text: JSON.stringify(answer(path)) },
        lost: null,
      }),
  };
  const stop = new AbortController();
  if (interruptAfterMs < Infinity) setTimeout(() => stop.abort(), interruptAfterMs);
  const startMs = performance.now();
  const clock = {
    get nowMs() {
      return Math.floor(performance.now() - startMs);
    },
    get byNowMs() {
      return clock.nowMs + 1;
    },
  };
  const context = {
    client: new HttpClient(connection as unknown as Transport, { prefix: '', apiKey: 'key' }),
    auth: 'bare',
    sampleInput: null,
    timeoutMs: 1_000,
    createdJobs: {
      created: (_: string, id: string) => void ledger.push(`created ${id}`),
      ended: (_: string, id: string) => void ledger.push(`ended ${id}`),
    },
    rateLimiter: null,
    latency: {},
    cleanup: {
      connection,
      prefix: '',
      basePath: null,
      authorization: 'key',
      timeoutMs: 1_000,
      rateLimiter: null,
    },
  } as unknown as TargetContext;
  const sink = { append: (event: HistoryEvent) => void events.push(event) };
  const own = new OwnCalls({
    ...{ context, endpoint: 'e', sink, clock, signal: stop.signal },
    patience: { waitsMaxMs: 100, looksEveryMs: 10 },
  });
  const waited = watch !== null && (await own.watchWaiting('j'));
  if (watch === null) await own.seeWhetherAWorkerTakesAJob();
  const ops = events.map((event) => (event.kind === 'call' ? event.op : event.kind));
  expect(events.every((event) => 'script' in event && event.script === RUN_ITSELF)).toBe(true);
  // What is written can be read again.
  for (const event of events) expect(isInHistory(JSON.parse(JSON.stringify(event))), event.kind).toBe(true);
  return { ops, ledger, waited, ms: clock.nowMs };
}

describe('the job of the run itself', () => {
  it('is looked at until a worker takes it', async () => {
    const { ops, ledger } = await seen(['IN_QUEUE', 'COMPLETED']);
    expect(ops).toEqual(['run', 'health', 'status', 'health', 'status']);
    expect(ledger).toEqual(['created j', 'ended j']);
  });

  it('is cancelled if none does', async () => {
    const { ops, ledger, ms } = await seen(['IN_QUEUE']);
    expect(ops.slice(-3)).toEqual(['health', 'status', 'cleanup']);
    expect(ledger).toEqual(['created j', 'cancelled', 'ended j']);
    expect(ms).toBeGreaterThanOrEqual(100);
  });

  it('is cancelled if the run is interrupted', async () => {
    const { ledger, ms } = await seen(['IN_QUEUE'], 20);
    expect(ledger).toEqual(['created j', 'cancelled', 'ended j']);
    expect(ms).toBeLessThan(100);
  });
});

describe('a job of a script that no worker took', () => {
  it('is looked at while workers are idle', async () => {
    const { ops, waited, ms } = await seen(['IN_QUEUE'], Infinity, { idle: 1 });
    expect(ops.slice(0, 3)).toEqual(['status', 'health', 'status']);
    expect(waited).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(100);
  });

  it.each<readonly [string, readonly string[], number, number]>([
    ['a worker takes it', ['IN_QUEUE', 'IN_PROGRESS'], Infinity, 1],
    ['no worker is idle', ['IN_QUEUE'], Infinity, 0],
    ['the run is interrupted', ['IN_QUEUE'], 20, 1],
  ])('is not looked at any more once %s', async (_, states, interruptAfterMs, idle) => {
    const { waited, ms } = await seen(states, interruptAfterMs, { idle });
    expect(waited).toBe(false);
    expect(ms).toBeLessThan(100);
  });
});
