/** Faults on demand: what a client sees of them. */
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';

import { OptionsError, startServer } from '../../../src/server/index.js';
import { until } from '../../support/until.js';
import type { createCaller } from '../caller.js';
import { serveFaulty } from './faulty-server.js';

interface Seen {
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The connection was closed within the body. */
  readonly isTruncated: boolean;
  readonly tookMs: number;
}

/** A client that shows how its connection ended. */
function call(port: number, path: string, { method = 'GET', body = '', fault = '' } = {}): Promise<Seen> {
  return new Promise((resolve) => {
    const startMs = performance.now();
    const end = (seen: Omit<Seen, 'tookMs'>): void =>
      resolve({ ...seen, tookMs: performance.now() - startMs });
    const headers = {
      authorization: 'k',
      'content-type': 'application/json',
      ...(fault !== '' && { 'x-runproof-fault': fault }),
    };
    const sent = request({ port, path: `/v2/test${path}`, method, headers, agent: false }, (reply) => {
      let text = '';
      const { statusCode = null } = reply;
      reply.on('data', (chunk) => (text += String(chunk)));
      reply.on('error', () => undefined);
      reply.on('close', () =>
        end({ status: statusCode, headers: reply.headers, text, isTruncated: !reply.complete }),
      );
    });
    sent.on('error', () => end({ status: null, headers: {}, text: '', isTruncated: false }));
    sent.end(body);
  });
}

const SUBMISSION = { method: 'POST', body: '{"input":{}}' };
const counts = async (api: ReturnType<typeof createCaller>): Promise<number> =>
  (await api.get('/health')).json.jobs.completed as number;

describe('faults of calls', () => {
  it('a status code is answered instead of handling the call, and names itself', async () => {
    const { server, api, calls } = await serveFaulty(['run:#1=503']);
    const seen = await call(server.port, '/run', SUBMISSION);
    expect(seen).toMatchObject({ status: 503, headers: { 'x-runproof-fault': '503' } });
    expect(JSON.parse(seen.text)).toEqual({ error: 'fault injected by serve: 503' });
    expect(await counts(api)).toBe(0);
    const second = await call(server.port, '/run', SUBMISSION);
    expect(second.status).toBe(200);
    expect(second.headers).not.toHaveProperty('x-runproof-fault');
    await until(() => calls.length === 3);
    expect(calls.map(({ status, fault }) => [status, fault])).toEqual([
      [503, '503'],
      [200, null],
      [200, null],
    ]);
  });

  it('429 has Retry-After', async () => {
    const { server } = await serveFaulty(['status:#1=429', 'status:#2=429:7s']);
    expect((await call(server.port, '/status/a')).headers['retry-after']).toBe('1');
    expect((await call(server.port, '/status/a')).headers['retry-after']).toBe('7');
  });

  it('a lost request is not handled; a lost reply is', async () => {
    const { server, api, calls } = await serveFaulty(['run:#1=lost-request', 'run:#2=lost-reply']);
    expect((await call(server.port, '/run', SUBMISSION)).status).toBeNull();
    expect(await counts(api)).toBe(0);
    expect((await call(server.port, '/run', SUBMISSION)).status).toBeNull();
    expect(await counts(api)).toBe(1);
    await until(() => calls.length === 4);
    expect(
      calls.filter(({ method }) => method === 'POST').map(({ status, fault }) => [status, fault]),
    ).toEqual([
      [0, 'lost-request'],
      [0, 'lost-reply'],
    ]);
  });

  it('a call that waits loses its reply when it would have got it', async () => {
    const { server, api, advance } = await serveFaulty(['runsync=lost-reply']);
    const plan = [{ sleepMs: 5_000 }, { return: 1 }];
    const waiting = call(server.port, '/runsync', {
      method: 'POST',
      body: JSON.stringify({ input: { plan } }),
    });
    while ((await api.get('/health')).json.jobs.inProgress !== 1);
    await advance(5_000);
    expect((await waiting).status).toBeNull();
    expect(await counts(api)).toBe(1);
  });

  it('a truncated reply has all header fields and half of the body', async () => {
    const { server } = await serveFaulty(['health=truncated-reply']);
    const { status, text, headers, isTruncated } = await call(server.port, '/health');
    expect({ status, isTruncated }).toEqual({ status: 200, isTruncated: true });
    expect(text.length).toBe(Number(headers['content-length']) >> 1);
    expect(headers['x-runproof-fault']).toBe('truncated-reply');
  });

  it('a gateway answers with a page of HTML', async () => {
    const { server } = await serveFaulty(['health=502:html:3s']);
    const { status, text, headers } = await call(server.port, '/health');
    expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining('<html>') });
    expect(headers).toMatchObject({ 'content-type': 'text/html', 'retry-after': '3' });
  });

  it('a slow reply arrives in pieces, and whole', async () => {
    const { server } = await serveFaulty(['health=slow-reply:200ms']);
    const { status, text, tookMs } = await call(server.port, '/health');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty('jobs');
    expect(tookMs).toBeGreaterThan(150);
  });

  it('a connection closed after its reply is not used again', async () => {
    const { server } = await serveFaulty(['health:#1=closed-after-reply']);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const portOf = async (): Promise<number | undefined> => {
      const sent = request({
        port: server.port,
        path: '/v2/test/health',
        agent,
        headers: { authorization: 'k' },
      });
      sent.end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      const { localPort } = reply.socket;
      reply.resume();
      await once(reply, 'end');
      expect(reply.headers.connection).toBe('keep-alive');
      return localPort;
    };
    const first = await portOf();
    await until(() => Object.keys(agent.freeSockets).length === 0);
    expect(await portOf()).not.toBe(first);
  });

  it('a fault can last for some time from the first call on, and begin with a later one', async () => {
    const { server, advance } = await serveFaulty(['status:10s=503', 'health:#2-=500']);
    const codeOf = async (path: string) => (await call(server.port, path)).status;
    expect(await codeOf('/status/a')).toBe(503);
    await advance(9_999);
    expect(await codeOf('/status/a')).toBe(503);
    await advance(1);
    expect(await codeOf('/status/a')).toBe(404);
    expect([await codeOf('/health'), await codeOf('/health'), await codeOf('/health')]).toEqual([
      200, 500, 500,
    ]);
  });

  it('a delay comes before the call is handled; those of several rules add up', async () => {
    const { server } = await serveFaulty(['*=+120ms', 'status=+80ms..81ms', 'status=404:2s', 'status=500']);
    const seen = await call(server.port, '/status/a');
    expect(seen.status).toBe(404);
    expect(seen.headers['x-runproof-fault']).toMatch(/^\+20[01]ms,404:2s$/);
    expect(seen.tookMs).toBeGreaterThan(195);
    expect((await call(server.port, '/health')).status).toBe(200);
  });

  it('a client that leaves during a delay gets nothing, and the call is not handled', async () => {
    const { server, api, calls, injected } = await serveFaulty(['run=+60s']);
    const left = request({
      port: server.port,
      path: '/v2/test/run',
      method: 'POST',
      headers: { authorization: 'k' },
      agent: false,
    });
    left.on('error', () => undefined);
    left.end('{"input":{}}');
    await until(() => injected.length === 1);
    left.destroy();
    await until(() => calls.length === 1);
    expect(calls[0]).toMatchObject({ status: 0, fault: '+60s' });
    expect(await counts(api)).toBe(0);
  });

  it('a server that stops does not wait for a delay to end', async () => {
    const { server, calls, injected } = await serveFaulty(['health=+60s']);
    const pending = call(server.port, '/health');
    await until(() => injected.length === 1);
    const startMs = performance.now();
    await server.close();
    expect((await pending).status).toBeNull();
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await until(() => calls.length === 1);
    expect(calls).toMatchObject([{ status: 0, fault: '+60s' }]);
  });

  it('the same seed and the same requests have the same faults', async () => {
    const codes = async (seed: number): Promise<readonly number[]> => {
      const { api } = await serveFaulty(['status:40%=503', 'status:20%=429'], { seed });
      const seen: number[] = [];
      for (let count = 0; count < 40; count++) seen.push((await api.get('/status/a')).status);
      return seen;
    };
    const first = await codes(42);
    expect(await codes(42)).toEqual(first);
    expect(await codes(43)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([404, 429, 503]));
  });

  it('calls of workers and of test control have none', async () => {
    const { server, advance } = await serveFaulty(['*=503']);
    expect((await advance(1)).status).toBe(200);
    const poll = await fetch(`${server.url}/v2/test/ping/pod-1`, { headers: { authorization: 'k' } });
    expect(poll.status).toBe(200);
  });
});

describe('faults by the header of a request', () => {
  it('has the fault it asks for, and no rule applies', async () => {
    const { server, injected } = await serveFaulty(['status=500']);
    const status = async (fault: string): Promise<number | null> =>
      (await call(server.port, '/status/a', { fault })).status;
    expect(await status('')).toBe(500);
    expect(await status('none')).toBe(404);
    expect(await status('418')).toBe(418);
    expect(await status('lost-reply')).toBeNull();
    expect((await call(server.port, '/status/a', { fault: '+50ms' })).headers['x-runproof-fault']).toBe(
      '+50ms',
    );
    expect(injected.map(({ on, fault, rule }) => [on, fault, rule])).toEqual([
      ['status', '500', 'status=500'],
      ['status', '418', null],
      ['status', 'lost-reply', null],
      ['status', '+50ms', null],
    ]);
  });

  it.each(['503,504', 'crash', 'soon', '200'])('%s is refused, with what to write', async (fault) => {
    const { server } = await serveFaulty([]);
    const seen = await call(server.port, '/health', { fault });
    expect(seen.status).toBe(400);
    expect(JSON.parse(seen.text).error).toMatch(/^x-runproof-fault: .*write .*; none exempts this request$/);
  });

  it('beyond loopback it means nothing, and rules are refused', async () => {
    const server = await startServer({ host: '0.0.0.0', apiKeys: ['k'] });
    onTestFinished(() => server.close());
    expect((await call(server.port, '/health', { fault: '503' })).status).toBe(200);
    const refused = startServer({ host: '0.0.0.0', apiKeys: ['k'], faults: ['*=503'] });
    await expect(refused).rejects.toThrow(OptionsError);
    await expect(refused).rejects.toThrow(
      'faults are injected on loopback only, not when listening on 0.0.0.0',
    );
  });

  it('a wrong rule is refused before the server listens', async () => {
    await expect(startServer({ faults: ['status=200'] })).rejects.toThrow(OptionsError);
  });
});
