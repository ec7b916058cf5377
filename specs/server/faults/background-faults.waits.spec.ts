/** Faults on demand of workers and webhooks, and that a seed repeats them. */
import { describe, expect, it } from 'vitest';
import { createFaults } from '../../../src/server/faults/faults.js';
import type { ServerOptions } from '../../../src/server/index.js';
import type { createCaller } from '../caller.js';
import { serveFaulty } from './faulty-server.js';
import { forThisTest, listen } from '../../support/servers.js';

describe('faults of workers', () => {
  const submit = async (api: ReturnType<typeof createCaller>, plan: object[]): Promise<string> =>
    (await api.post('/run', { input: { plan } })).json.id as string;

  it('a worker crashes as it takes the job, or later while it runs', async () => {
    const { api, advance, injected } = await serveFaulty(['worker:#1=crash', 'worker:#2-3=+3s,crash']);
    const plan = [{ stream: 'a' }, { sleepMs: 5_000 }, { return: 'done' }];
    const record = async (id: string) => (await api.get(`/status/${id}`)).json;
    const first = await submit(api, plan);
    expect(await record(first)).toMatchObject({ status: 'FAILED' });
    const second = await submit(api, plan);
    await advance(2_999);
    expect(await record(second)).toMatchObject({ status: 'IN_PROGRESS' });
    await advance(1);
    expect(await record(second)).toMatchObject({ status: 'FAILED' });
    expect((await api.get(`/stream/${second}`)).json).toEqual([{ output: 'a' }]);
    // The third job ends before its fault.
    const third = await submit(api, [{ return: 1 }]);
    await advance(10_000);
    expect(await record(third)).toMatchObject({ status: 'COMPLETED' });
    expect(injected.map(({ on, job, fault, atMs }) => [on, job, fault, atMs])).toEqual([
      ['worker', first, 'crash', 0],
      ['worker', second, '+3s,crash', 3_000],
    ]);
  });

  it('a job fails, or starts late', async () => {
    const { api, advance } = await serveFaulty(['worker:#1=fail', 'worker:#2=+10s']);
    const failed = await submit(api, [{ return: 1 }]);
    await advance(0);
    expect((await api.get(`/status/${failed}`)).json).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('fault injected by serve: fail') as string,
    });
    const late = await submit(api, [{ return: 1 }]);
    await advance(9_999);
    expect((await api.get(`/status/${late}`)).json.status).toBe('IN_PROGRESS');
    await advance(1);
    expect((await api.get(`/status/${late}`)).json.status).toBe('COMPLETED');
  });

  it('also a handler of the user, whose signal aborts', async () => {
    let aborted = 0;
    const handler: ServerOptions['handler'] = async (_job, { signal, sleep }) => {
      signal.addEventListener('abort', () => aborted++);
      await sleep(5_000);
    };
    const { api, advance } = await serveFaulty(['worker=+1s,crash'], { handler });
    const { id } = (await api.post('/run', { input: {} })).json as { id: string };
    await advance(1_000);
    expect((await api.get(`/status/${id}`)).json.status).toBe('FAILED');
    expect(aborted).toBe(1);
  });

  it('a cancelled job does not crash', async () => {
    const { api, advance, injected } = await serveFaulty(['worker=+1s,crash']);
    const id = await submit(api, [{ sleepMs: 5_000 }]);
    await api.post(`/cancel/${id}`);
    await advance(5_000);
    expect((await api.get(`/status/${id}`)).json.status).toBe('CANCELLED');
    expect(injected).toEqual([]);
  });
});

describe('faults of webhooks', () => {
  async function receiver() {
    const got: number[] = [];
    const { url } = forThisTest(
      await listen((incoming, outgoing) => {
        incoming.resume();
        got.push(performance.now());
        outgoing.end();
      }),
    );
    return { got, url: `${url}/` };
  }

  it('a lost webhook is called again, a duplicate is called twice, a late one later', async () => {
    const { got, url } = await receiver();
    const { api, advance, injected } = await serveFaulty([
      'webhook:#1=lost',
      'webhook:#3=duplicate',
      'webhook:#4=+100ms',
    ]);
    const run = async (): Promise<void> => {
      await api.post('/run', { input: {}, webhook: url });
      await advance(0);
    };
    await run();
    expect(got).toHaveLength(0);
    await advance(10_000);
    expect(got).toHaveLength(1);
    await run();
    expect(got).toHaveLength(3);
    const startMs = performance.now();
    await run();
    expect(got).toHaveLength(4);
    expect(got[3]! - startMs).toBeGreaterThan(95);
    expect(injected.map(({ on, fault }) => [on, fault])).toEqual([
      ['webhook', 'lost'],
      ['webhook', 'duplicate'],
      ['webhook', '+100ms'],
    ]);
  });
});

describe('the same seed', () => {
  const rules = ['status:30%=503', 'status:50%=+1ms..20ms', 'worker:20%=crash'];
  const run = (texts: readonly string[], seed: number): readonly (string | null)[] => {
    const faults = createFaults(texts, seed, () => 0);
    return Array.from({ length: 200 }, () => {
      const fault = faults.ofCall('status', undefined, 'test');
      return fault === null || typeof fault === 'string' ? fault : fault.text;
    });
  };

  it('gives the same faults, another seed others', () => {
    expect(run(rules, 7)).toEqual(run(rules, 7));
    expect(run(rules, 7)).not.toEqual(run(rules, 8));
  });

  it('a rule does the same whatever rules there are besides it, and in which order', () => {
    const hits = (texts: readonly string[]) => run(texts, 7).map((text) => text?.includes('503') ?? false);
    expect(hits(['status:30%=503'])).toEqual(hits([...rules].reverse()));
    const share = hits(rules).filter(Boolean).length;
    expect(share).toBeGreaterThan(40);
    expect(share).toBeLessThan(80);
  });

  it('two equal rules are independent', () => {
    const both = run(['status:50%=+1ms', 'status:50%=+1ms'], 7);
    expect(both).toEqual(expect.arrayContaining(['+1ms', '+2ms', null]));
  });

  it('a rule that is off sees nothing and continues where it was', () => {
    const faults = createFaults(['status:#2=503'], 7, () => 0);
    const { id } = faults.rules()[0]!;
    const ask = () => faults.ofCall('status', undefined, 'test') !== null;
    expect(ask()).toBe(false);
    faults.turn(id, false);
    expect([ask(), ask()]).toEqual([false, false]);
    faults.turn(id, true);
    expect([ask(), ask()]).toEqual([true, false]);
    expect(faults.rules()).toEqual([{ id, text: 'status:#2=503', on: true, seen: 3, injected: 1 }]);
    faults.remove(id);
    expect(faults.rules()).toEqual([]);
  });
});
