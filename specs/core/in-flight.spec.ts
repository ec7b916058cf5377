/** Section 8, the column Concurrency: from when to when a call counts. */
import { describe, expect, it } from 'vitest';
import type { CoreReply } from '../../src/core/api.js';
import type { Dialect } from '../../src/core/rules.js';
import { createService } from '../../src/core/service.js';

const KEY = 'k';
/** Of /cancel, which takes the fewest at once. */
const LIMIT = 20;

class Clients {
  readonly service;
  #calls = 0;

  constructor(dialect: Dialect = {}) {
    this.service = createService({ keys: [KEY], endpoints: [{ id: 'ep', workers: 0 }], dialect });
  }

  #request(path: string, body: string | null, key = KEY) {
    const headers = { authorization: key, 'content-type': 'application/json' };
    return {
      method: 'POST',
      path: `/v2/ep${path}`,
      query: {},
      headers,
      body,
      bodyBytes: body?.length ?? 0,
    };
  }

  /** Sends the header fields alone. */
  begin(path: string, key = KEY): number {
    const callId = ++this.#calls;
    this.service.apply(0, { kind: 'arrival', callId, request: this.#request(path, null, key) });
    return callId;
  }

  /** Sends the rest, or all of a new call; null for a call that waits. */
  end(path: string, body: string | null, callId = ++this.#calls, key = KEY): CoreReply | null {
    return this.service.apply(0, { kind: 'request', callId, request: this.#request(path, body, key) }).reply;
  }

  goAway(callId: number): void {
    this.service.apply(0, { kind: 'hang-up', callId });
  }
}

const some = (count: number, begin: () => number): number[] => Array.from({ length: count }, begin);

describe('calls whose body has not arrived', () => {
  it('count from the arrival of their header fields; one above the limit is refused whenever it completes', () => {
    const clients = new Clients();
    const calls = some(LIMIT, () => clients.begin('/cancel/none'));
    const late = clients.begin('/cancel/none');
    expect(clients.end('/cancel/none', null)?.status).toBe(429);
    for (const call of calls) expect(clients.end('/cancel/none', null, call)?.status).toBe(404);
    expect(clients.end('/cancel/none', null, late)?.status).toBe(429);
    expect(clients.end('/cancel/none', null)?.status).toBe(404);
  });

  it('do not count in the reading that counts complete calls', () => {
    const clients = new Clients({ '8/concurrency-meaning': 'calls-received' });
    const calls = some(LIMIT + 1, () => clients.begin('/cancel/none'));
    for (const call of calls) expect(clients.end('/cancel/none', null, call)?.status).toBe(404);
  });

  it('do not count with another operation, a wrong key or a wrong path', () => {
    const clients = new Clients();
    some(2 * LIMIT, () => clients.begin('/run'));
    some(2 * LIMIT, () => clients.begin('/cancel/none', 'wrong'));
    some(2 * LIMIT, () => clients.begin('/nowhere'));
    expect(clients.end('/cancel/none', null)?.status).toBe(404);
  });
});

describe('a call stops counting', () => {
  const ways: readonly (readonly [string, (clients: Clients, call: number) => void])[] = [
    ['by an answer', (clients, call) => clients.end('/run', '{"input":{}}', call)],
    ['by a refusal of the body', (clients, call) => clients.end('/run', '{', call)],
    ['by a client that goes away', (clients, call) => clients.goAway(call)],
    ['by a body that is too large', (clients, call) => clients.end('/run', 'x'.repeat(11_000_000), call)],
    ['by a key that is taken back meanwhile', (clients, call) => clients.end('/run', '{}', call, 'wrong')],
    [
      'when its endpoint is created again',
      (clients) => clients.service.apply(0, { kind: 'create-endpoint', endpoint: 'ep', workers: 0 }),
    ],
  ];

  it.each(ways)('%s', (_, way) => {
    const clients = new Clients();
    for (const call of some(200, () => clients.begin('/run'))) way(clients, call);
    const more = some(200, () => clients.begin('/run'));
    expect(clients.end('/run', '{"input":{}}')?.status).toBe(429);
    for (const call of more) expect(clients.end('/run', '{"input":{}}', call)?.status).toBe(200);
    expect(clients.end('/run', '{"input":{}}')?.status).toBe(200);
  });

  it('when it has waited, at the end of its wait', () => {
    const clients = new Clients();
    for (const call of some(400, () => clients.begin('/runsync')))
      expect(clients.end('/runsync', '{"input":{}}', call)).toBeNull();
    expect(clients.end('/runsync', '{"input":{}}')?.status).toBe(429);
    clients.service.apply(90_000, { kind: 'settle' });
    const later = { kind: 'request' as const, callId: 1_000 };
    const request = { method: 'POST', path: '/v2/ep/runsync', query: {}, headers: { authorization: KEY } };
    const { reply } = clients.service.apply(90_000, {
      ...later,
      request: { ...request, body: '{"input":{}}', bodyBytes: 12 },
    });
    expect(reply).toBeNull();
  });
});

describe('8/failed-calls-count=no', () => {
  it.each([
    ['an odd content type', '/run', { 'content-type': 'text/plain' }, '{"input":{}}', 1_000],
    ['a body that is too large', '/run', {}, 'x'.repeat(11_000_000), 1_000],
    ['a body that makes no sense', '/run', {}, '{', 1_000],
    ['an unknown job', '/cancel/none', {}, null, 100],
  ])('%s takes nothing from the rate', (_, path, headers, body, limit) => {
    const service = createService({
      keys: [KEY],
      endpoints: [{ id: 'ep', workers: 0 }],
      dialect: { '8/failed-calls-count': 'no', '1/request-content-type-other': 'refused-415' },
    });
    const codes = Array.from({ length: limit + 1 }, (__, callId) => {
      const authorization = { authorization: KEY, 'content-type': 'application/json', ...headers };
      const request = { method: 'POST', path: `/v2/ep${path}`, query: {}, headers: authorization };
      const whole = { ...request, body, bodyBytes: body?.length ?? 0 };
      return service.apply(0, { kind: 'request', callId, request: whole }).reply?.status;
    });
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).not.toBe(429);
    expect(codes[0]).toBeGreaterThanOrEqual(400);
  });
});
