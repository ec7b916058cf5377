import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCaller, type Answer, type Caller } from '../caller.js';

/** An implementation that offers test control, with the scripted worker behind its endpoints. */
export interface ControlTarget {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  /** False where webhooks to a loopback address are not called. Default true. */
  readonly callsLoopback?: boolean;
  close(): Promise<void>;
}

/**
 * The contract `test-control`, version 1, rule by rule, for any implementation at any address. It uses the API
 * only where the document is plain, so that no reading of an open question can fail it.
 */
export function describeControlContract(name: string, start: () => Promise<ControlTarget>): void {
  describe(`test control of ${name}`, () => {
    let target: ControlTarget;
    let control: Caller;
    let api: Caller;
    let count = 0;
    let endpoint: string;
    /** The key in the form that the API accepts. */
    let authorization: string;

    beforeAll(async () => {
      target = await start();
      control = createCaller(target.controlUrl, target.apiKey);
      await control.send('PUT', '/endpoints/contract-0', { body: { workers: 1 } });
      const probe = await createCaller(target.baseUrl, target.apiKey).get('/v2/contract-0/health');
      authorization = probe.status === 401 ? `Bearer ${target.apiKey}` : target.apiKey;
    });
    afterAll(() => target.close());
    beforeEach(async () => {
      endpoint = `contract-${++count}`;
      api = createCaller(`${target.baseUrl}/v2/${endpoint}`, authorization);
      await putEndpoint(1);
    });
    afterEach(() => control.send('DELETE', `/endpoints/${endpoint}`));

    const putEndpoint = (workers: number) =>
      control.send('PUT', `/endpoints/${endpoint}`, { body: { workers } });
    const advance = (byMs: number) => control.post('/clock/advance', { byMs });
    const clock = async () =>
      (await control.get('/clock')).json as { nowMs: number; nextEventAtMs: number | null };
    const submit = async (plan: unknown[], more: object = {}): Promise<string> => {
      const answer = await api.post('/run', { input: { plan }, ...more });
      expect(outcome(answer)).toBe('ok');
      return answer.json.id as string;
    };
    const statusOf = async (id: string) => (await api.get(`/status/${id}`)).json.status as string;
    const arrived = async (calls: number) => {
      while ((await control.get(`/endpoints/${endpoint}`)).json.received < calls) await pause(5);
    };

    describe('calls', () => {
      it('GET CONTROL names protocol and features', async () => {
        const answer = await control.get('');
        expect(answer.status).toBe(200);
        const { protocol, features } = answer.json as { protocol: string; features: string[] };
        expect(protocol).toBe('test-control/1');
        expect(features.filter((feature) => !['keys', 'endpoint-clocks'].includes(feature))).toEqual([
          'clock',
          'endpoints',
        ]);
      });

      it('GET keys offers keys to try, where there are any: of another user, and without permission', async () => {
        const { features } = (await control.get('')).json as { features: string[] };
        if (!features.includes('keys')) return;
        const keys = (await control.get('/keys')).json as { otherUser: string; unpermitted: string };
        const bearer = authorization === target.apiKey ? '' : 'Bearer ';
        const codeOf = async (key: string) => {
          const headers = { authorization: bearer + key };
          return (await api.send('GET', '/health', { headers })).status;
        };
        expect(await codeOf(keys.otherUser)).toBe(200);
        expect(await codeOf(keys.unpermitted)).toBe(401);
        const headers = { authorization: keys.unpermitted };
        expect((await control.send('GET', '/keys', { headers })).status).toBe(401);
      });

      it('GET clock gives the time and the next event, null when there is none', async () => {
        const { nowMs, nextEventAtMs } = await clock();
        expect(nowMs).toSatisfy(Number.isSafeInteger);
        expect(nextEventAtMs).toBeNull();
      });

      it('advance moves the clock and answers with its new time', async () => {
        const before = await clock();
        const answer = await advance(1234);
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({ nowMs: before.nowMs + 1234 });
        expect((await clock()).nowMs).toBe(before.nowMs + 1234);
      });

      it('PUT creates an endpoint with idle workers', async () => {
        const answer = await putEndpoint(3);
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({ endpointId: endpoint, workers: 3, received: 0 });
        expect((await api.get('/health')).json.workers).toMatchObject({ idle: 3, running: 0 });
      });

      it('PUT empties an endpoint: jobs, counters, received', async () => {
        const id = await submit([{ return: 1 }]);
        await submit([{ hang: true }]);
        await putEndpoint(2);
        expect((await control.get(`/endpoints/${endpoint}`)).json.received).toBe(0);
        expect((await api.get(`/status/${id}`)).status).toBe(404);
        const { jobs, workers } = (await api.get('/health')).json;
        expect(jobs).toMatchObject({ completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 });
        expect(workers).toMatchObject({ idle: 2, running: 0 });
      });

      it('PUT resets the rate limits', async () => {
        const purge = async () => outcome(await api.post('/purge-queue'));
        expect([await purge(), await purge(), await purge()]).toEqual(['ok', 'ok', 429]);
        await putEndpoint(1);
        expect(await purge()).toBe('ok');
      });

      it('received counts the API calls at this endpoint, including those answered 404', async () => {
        await api.get('/health');
        await api.get('/status/none');
        expect((await control.get(`/endpoints/${endpoint}`)).json.received).toBe(2);
      });

      it('PATCH changes the workers; running jobs finish first', async () => {
        const first = await submit([{ sleepMs: 100 }]);
        const second = await submit([{ sleepMs: 100 }]);
        expect(
          (await control.send('PATCH', `/endpoints/${endpoint}`, { body: { workers: 2 } })).json,
        ).toMatchObject({
          endpointId: endpoint,
          workers: 2,
        });
        await advance(50);
        expect([await statusOf(first), await statusOf(second)]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
        await control.send('PATCH', `/endpoints/${endpoint}`, { body: { workers: 0 } });
        const third = await submit([{ return: 1 }]);
        await advance(1000);
        expect([await statusOf(first), await statusOf(second)]).toEqual(['COMPLETED', 'COMPLETED']);
        expect(await statusOf(third)).toBe('IN_QUEUE');
      });

      it('DELETE removes the endpoint and its jobs', async () => {
        const id = await submit([{ hang: true }]);
        const answer = await control.send('DELETE', `/endpoints/${endpoint}`);
        expect([answer.status, answer.text]).toEqual([204, '']);
        expect((await api.get(`/status/${id}`)).status).toBe(404);
        expect((await api.get('/health')).status).toBe(404);
        expect((await control.get(`/endpoints/${endpoint}`)).status).toBe(404);
      });
    });

    describe('refusals', () => {
      it.each([
        ['GET', ''],
        ['GET', '/clock'],
        ['POST', '/clock/advance'],
        ['PUT', '/endpoints/x'],
        ['GET', '/endpoints/x'],
        ['PATCH', '/endpoints/x'],
        ['DELETE', '/endpoints/x'],
      ])('%s CONTROL%s without a valid key: 401', async (method, path) => {
        for (const headers of [
          {},
          { authorization: 'wrong' },
          { authorization: `Bearer ${target.apiKey}x` },
        ]) {
          expect((await control.send(method, path, { headers })).status).toBe(401);
        }
      });

      it('the key is accepted bare and after Bearer', async () => {
        for (const authorization of [target.apiKey, `Bearer ${target.apiKey}`]) {
          expect((await control.send('GET', '/clock', { headers: { authorization } })).status).toBe(200);
        }
      });

      it.each(['GET', 'PATCH', 'DELETE'])('%s of an unknown endpoint: 404', async (method) => {
        const body = method === 'PATCH' ? { body: { workers: 1 } } : {};
        expect((await control.send(method, '/endpoints/nobody-made-this', body)).status).toBe(404);
      });

      const malformed: readonly (readonly [string, unknown])[] = [
        ['nothing', undefined],
        ['broken JSON', '{"n": '],
        ['an array', []],
        ['null', null],
        ['no member', {}],
        ['a negative number', { n: -1 }],
        ['a fraction', { n: 1.5 }],
        ['a string', { n: '5' }],
        ['null in it', { n: null }],
        ['a number beyond 2^53', '{"n": 9007199254740993}'],
        ['infinity', '{"n": 1e400}'],
      ];
      const named = (body: unknown, member: string): unknown => {
        const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
        return text?.replace('"n"', `"${member}"`);
      };
      it.each(malformed)('advance with %s: 400, and the clock stands still', async (_what, body) => {
        const before = await clock();
        expect((await control.post('/clock/advance', named(body, 'byMs'))).status).toBe(400);
        expect(await clock()).toEqual(before);
      });
      it.each(malformed)(
        'PUT and PATCH of an endpoint with %s: 400, and nothing changes',
        async (_what, body) => {
          for (const method of ['PUT', 'PATCH']) {
            const options = { body: named(body, 'workers') };
            expect((await control.send(method, `/endpoints/${endpoint}`, options)).status).toBe(400);
          }
          expect((await control.get(`/endpoints/${endpoint}`)).json.workers).toBe(1);
        },
      );
    });

    describe('rules', () => {
      it('1: time stands still between calls of advance', async () => {
        const id = await submit([{ sleepMs: 1 }]);
        const before = await clock();
        await pause(30);
        expect((await clock()).nowMs).toBe(before.nowMs);
        expect(await statusOf(id)).toBe('IN_PROGRESS');
      });

      it('1: ttl, executionTimeout, retention and sleepMs are on this clock', async () => {
        await putEndpoint(3);
        const expiring = await submit([{ hang: true }], { policy: { ttl: 10_000 } });
        const overrun = await submit([{ hang: true }], { policy: { executionTimeout: 5_000 } });
        const done = await submit([{ sleepMs: 4_000 }, { return: { a: 1 } }]);
        await advance(3_999);
        expect(await statusOf(done)).toBe('IN_PROGRESS');
        await advance(1);
        expect(await statusOf(done)).toBe('COMPLETED');
        expect(await statusOf(overrun)).toBe('IN_PROGRESS');
        await advance(1_001);
        expect(await statusOf(overrun)).not.toBe('IN_PROGRESS');
        await advance(4_998);
        expect(outcome(await api.get(`/status/${expiring}`))).toBe('ok');
        await advance(2);
        expect((await api.get(`/status/${expiring}`)).status).toBe(404);
        await advance(30 * 60_000);
        expect((await api.get(`/status/${done}`)).status).toBe(404);
      });

      it('1: rate-limit windows are on this clock', async () => {
        const purge = async () => outcome(await api.post('/purge-queue'));
        expect([await purge(), await purge(), await purge()]).toEqual(['ok', 'ok', 429]);
        await advance(20_001);
        expect(await purge()).toBe('ok');
      });

      it('2: events happen in time order, each at its own instant', async () => {
        const first = await submit([{ sleepMs: 1_000 }, { return: 1 }]);
        const second = await submit([{ sleepMs: 2_500 }, { return: 2 }]);
        await advance(60_000);
        const times = [];
        for (const id of [first, second]) {
          const { delayTime, executionTime } = (await api.get(`/status/${id}`)).json;
          times.push([delayTime, executionTime]);
        }
        // The document does not state the unit: milliseconds or whole seconds.
        expect([
          [
            [0, 1_000],
            [1_000, 2_500],
          ],
          [
            [0, 1],
            [1, 2],
          ],
        ]).toContainEqual(times);
      });

      it('2: a waiting call is answered when its job has ended', async () => {
        const waiting = collect(
          api.post('/runsync', { input: { plan: [{ sleepMs: 2_000 }, { return: { b: 2 } }] } }),
        );
        await arrived(1);
        await advance(1_999);
        await pause(20);
        expect(waiting.answer).toBeNull();
        await advance(1);
        expect((await waiting.soon()).json).toMatchObject({ status: 'COMPLETED', output: { b: 2 } });
      });

      it('2: a waiting call is answered when its wait is over', async () => {
        const waiting = collect(api.post('/runsync?wait=1000', { input: { plan: [{ hang: true }] } }));
        await arrived(1);
        await advance(999);
        await pause(20);
        expect(waiting.answer).toBeNull();
        await advance(1);
        await waiting.soon();
      });

      it('2: webhook calls due have been made and have ended, before advance answers', async (test) => {
        test.skip(target.callsLoopback === false);
        const receiver = await startReceiver([{ status: 200, afterMs: 80 }]);
        await submit([{ sleepMs: 500 }], { webhook: `${receiver.url}/hook` });
        await advance(499);
        expect(receiver.received).toEqual([]);
        await advance(1);
        expect(receiver.received).toHaveLength(1);
        expect(receiver.answered()).toBe(1);
        await receiver.close();
      });

      it('2: failed webhook calls are repeated 10 s later on this clock, twice', async (test) => {
        test.skip(target.callsLoopback === false);
        const receiver = await startReceiver([{ status: 500 }, { status: 503 }, { status: 500 }]);
        await submit([{ sleepMs: 500 }], { webhook: `${receiver.url}/hook` });
        const counts = [];
        for (const byMs of [500, 9_999, 1, 9_999, 1, 100_000]) {
          await advance(byMs);
          counts.push(receiver.received.length);
        }
        expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
        await receiver.close();
      });

      it('2: one long advance makes all three calls', async (test) => {
        test.skip(target.callsLoopback === false);
        const receiver = await startReceiver([{ status: 500 }]);
        await submit([{ sleepMs: 500 }], { webhook: `${receiver.url}/hook` });
        await advance(60_000);
        expect(receiver.received).toHaveLength(3);
        await receiver.close();
      });

      it('3: what is due at the present instant has happened', async () => {
        const id = await submit([{ sleepMs: 700 }]);
        const { nextEventAtMs, nowMs } = await clock();
        expect(nextEventAtMs).not.toBeNull();
        expect(nextEventAtMs!).toBeLessThanOrEqual(nowMs + 700);
        await advance(700);
        expect(await statusOf(id)).toBe('COMPLETED');
      });

      it('3: advancing from event to event reaches every event, and none late', async () => {
        const { nowMs: startMs } = await clock();
        const id = await submit([{ sleepMs: 300 }, { sleepMs: 450 }]);
        let endedMs = null;
        for (let steps = 0; steps < 50 && endedMs === null; steps++) {
          const { nowMs, nextEventAtMs } = await clock();
          expect(nextEventAtMs).not.toBeNull();
          await advance(Math.max(0, nextEventAtMs! - nowMs));
          if ((await statusOf(id)) === 'COMPLETED') endedMs = (await clock()).nowMs;
        }
        expect(endedMs).toBe(startMs + 750);
      });

      it('4: a free worker takes the job and its first steps without an advance of time', async () => {
        const done = await submit([{ return: { c: 3 } }]);
        const started = await submit([{ hang: true }]);
        await advance(0);
        expect(await statusOf(done)).toBe('COMPLETED');
        expect(await statusOf(started)).toBe('IN_PROGRESS');
      });

      it('5: calls of advance are handled one after the other', async () => {
        const { nowMs } = await clock();
        const answers = await Promise.all([advance(10), advance(20), advance(30)]);
        const times = answers.map((answer) => answer.json.nowMs as number).sort((a, b) => a - b);
        expect(times[2]).toBe(nowMs + 60);
        expect(new Set(times).size).toBe(3);
      });

      it('5: a call that waits has arrived when received counts it', async () => {
        const waiting = collect(api.post('/runsync', { input: { plan: [{ sleepMs: 50 }] } }));
        await arrived(1);
        await advance(50);
        expect((await waiting.soon()).json).toMatchObject({ status: 'COMPLETED' });
      });

      const empty = (method: string) =>
        control.send(method, `/endpoints/${endpoint}`, method === 'PUT' ? { body: { workers: 1 } } : {});

      it.each(['PUT', 'DELETE'])('6: %s answers waiting calls with 404', async (method) => {
        const waiting = collect(api.post('/runsync', { input: { plan: [{ hang: true }] } }));
        await arrived(1);
        await empty(method);
        expect((await waiting.soon()).status).toBe(404);
      });

      it.for(['PUT', 'DELETE'])('6: %s drops webhook retries', async (method, test) => {
        test.skip(target.callsLoopback === false);
        const receiver = await startReceiver([{ status: 500 }]);
        await submit([{ return: 1 }], { webhook: `${receiver.url}/hook` });
        await advance(0);
        expect(receiver.received).toHaveLength(1);
        await empty(method);
        await advance(60_000);
        expect(receiver.received).toHaveLength(1);
        await receiver.close();
      });
    });
  });
}

/** The document shows no code for success: any 2xx is one. */
function outcome({ status }: Answer): 'ok' | number {
  return status >= 200 && status < 300 ? 'ok' : status;
}

/** A call in progress: its answer so far, and the answer within ten seconds or an error. */
function collect(call: Promise<Answer>) {
  const collected = {
    answer: null as Answer | null,
    soon: (): Promise<Answer> =>
      Promise.race([
        call,
        pause(10_000).then(() => {
          throw new Error('the call is still waiting');
        }),
      ]),
  };
  call.then(
    (answer) => (collected.answer = answer),
    () => undefined,
  );
  return collected;
}

/** A webhook receiver with given answers, attempt by attempt; the last one repeats. */
async function startReceiver(answers: readonly { status: number; afterMs?: number }[]) {
  const received: string[] = [];
  let answered = 0;
  const server = createServer((incoming, outgoing) => {
    const answer = answers[Math.min(received.length, answers.length - 1)]!;
    received.push(incoming.url!);
    incoming.resume();
    setTimeout(() => {
      answered++;
      outgoing.writeHead(answer.status).end();
    }, answer.afterMs ?? 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answered: () => answered,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
