import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  checkTarget,
  fetchTarget,
  fromInject,
  fromNodeHandler,
  type FetchHandler,
  type FreshEndpoint,
  type HandlerInstance,
  type InjectApp,
  type NodeHandler,
} from '../../src/index.js';
import { named } from '../../scenarios/index.js';
import { plain } from './support.js';

/** A listener for node:http around a fetch handler, so that the bridge goes there and back. */
function listenerOf({ fetch }: HandlerInstance): NodeHandler {
  return async (incoming, response) => {
    const reply = await fetch(await requestOf(incoming));
    // The headers are given in one go, the body in two, as programs do.
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    const text = await reply.text();
    response.write(text.slice(0, 5));
    response.end(text.slice(5));
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = '', url = '', headers } = incoming;
  const chunks: Buffer[] = await Readable.from(incoming).toArray();
  const body = method === 'GET' ? null : Buffer.concat(chunks);
  return new Request(`http://node${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  });
}

/** What Fastify's `inject` does, around a fetch handler. */
function injectable({ fetch }: HandlerInstance): InjectApp {
  return {
    async inject({ method, url, headers, payload }) {
      const reply = await fetch(
        new Request(`http://inject${url}`, {
          method,
          headers,
          ...(payload === undefined ? {} : { body: new Uint8Array(payload) }),
        }),
      );
      const rawPayload = Buffer.from(await reply.arrayBuffer());
      return { statusCode: reply.status, headers: Object.fromEntries(reply.headers), rawPayload };
    },
  };
}

const BRIDGES: readonly [string, (instance: HandlerInstance) => FetchHandler | HandlerInstance][] = [
  ['a Hono app', ({ fetch }) => new Hono().all('*', (c) => fetch(c.req.raw))],
  ['a listener for node:http', (instance) => fromNodeHandler(listenerOf(instance))],
  ['an app with inject', (instance) => fromInject(injectable(instance))],
];

/** Every operation, waiting calls, large replies, refusals. */
const SCENARIOS = named.filter(({ name }) =>
  [
    '1/every-operation-with-a-scripted-worker',
    '2.4/output-large',
    '4.1/wait-elapses',
    '4.4/stream-while-it-runs',
    '5/bare-and-bearer',
    '7/malformed-bodies',
    '7/unknown-job',
    '8/rate-of-purge',
  ].includes(name),
);

async function verdictsOf(
  fresh: (wanted: FreshEndpoint) => FetchHandler | HandlerInstance,
): Promise<readonly string[]> {
  const target = fetchTarget({ fresh }, { worker: 'scripted' });
  const result = await checkTarget(target, { seed: 1, runs: 1, scenarios: SCENARIOS });
  await target.close();
  return result.findings.requirements.map(({ id, verdict, decided }) => `${id} ${verdict} ${decided}`);
}

describe('a bridge', () => {
  it.each(BRIDGES)('leads to %s', async (_, bridge) => {
    const bridged = await verdictsOf((wanted) => bridge(plain(wanted)));
    expect(bridged.filter((line) => line.includes(' fail '))).toEqual([]);
    expect(bridged).toEqual(await verdictsOf(plain));
  });
});

describe('a listener for node:http', () => {
  const ask = async (handler: NodeHandler, init: RequestInit = {}): Promise<Response> =>
    fromNodeHandler(handler)(new Request('http://node/a?b=c', init));

  it('finds method, path, headers and body, and is found to have ended', async () => {
    const reply = await ask(
      async (request, response) => {
        const body = Buffer.concat(await Readable.from(request).toArray()).toString();
        const { method, url, headers } = request;
        response.statusCode = 201;
        response.setHeader('Content-Type', 'application/json');
        response.setHeader('set-cookie', ['a=1', 'b=2']);
        response.end(JSON.stringify({ method, url, type: headers['content-type'], body }));
      },
      { method: 'POST', headers: { 'content-type': 'text/x' }, body: 'čž' },
    );
    expect(reply.status).toBe(201);
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await reply.json()).toEqual({ method: 'POST', url: '/a?b=c', type: 'text/x', body: 'čž' });
  });

  it('reads bodies of megabytes', async () => {
    const body = 'x'.repeat(20_000_000);
    const reply = await ask(
      async (request, response) => response.end(String(Buffer.concat(await request.toArray()).length)),
      { method: 'POST', body },
    );
    expect(await reply.text()).toBe(String(body.length));
  });

  it('may answer without a body', async () => {
    const reply = await ask((_, response) => response.writeHead(204).end());
    expect([reply.status, await reply.text()]).toEqual([204, '']);
  });

  it('is heard when it throws', async () => {
    const failing = (): never => {
      throw new Error('no');
    };
    await expect(ask(failing)).rejects.toThrow('no');
  });

  it('is told when the client hangs up', async () => {
    const client = new AbortController();
    let heard = false;
    const reply = ask((_, response) => void response.on('close', () => (heard = true)), {
      signal: client.signal,
    });
    await new Promise((resolve) => setImmediate(resolve));
    client.abort();
    await expect(reply).rejects.toThrow('closed');
    expect(heard).toBe(true);
  });
});
