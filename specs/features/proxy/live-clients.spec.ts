/** Clients of calls that pass: judged while they pass, on the page, in the metrics, and in the report. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { pageOf } from '../../../src/features/proxy/live-page.js';
import type { ProxyState } from '../../../src/features/proxy/own-pages.js';
import { createProxyMetrics } from '../../../src/features/proxy/proxy-metrics.js';
import { OPEN, type Exchange, type Message } from '../../../src/history/exchange.js';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { Callers } from '../../../src/proxy/callers.js';
import { BEGAN_MS, ordinary, type Caller } from '../../client/ordinary-traffic.js';
import { settings } from './support.js';

const NAME = 'app/1.0, 10.0.0.4, key a1b2c3';

const bytes = ({ body }: Message): Uint8Array | null =>
  typeof body === 'string' ? new TextEncoder().encode(body) : null;

/** As the proxy tells it, twice. */
function passed({ exchanges }: Caller): readonly Exchange<Uint8Array>[] {
  return exchanges.flatMap(({ outcome, ...exchange }) => {
    const target = exchange.request.target.replace('https://api.example.com', '');
    const request = { ...exchange.request, target, body: bytes(exchange.request) };
    const over = outcome.kind === 'answer' ? { ...outcome, body: bytes(outcome) } : outcome;
    return [
      { ...exchange, request, byMs: null, outcome: OPEN },
      { ...exchange, request, outcome: over },
    ] as readonly Exchange<Uint8Array>[];
  });
}

function judged(caller: Caller, by?: string): LiveJudge {
  const judge = new LiveJudge(settings({ beganMs: BEGAN_MS, clients: { by } }));
  for (const exchange of passed(caller)) judge.take(exchange);
  judge.look(BEGAN_MS + 600_000);
  return judge;
}

function careless(): Caller {
  const caller = ordinary();
  for (const _ of [1, 2, 3, 4]) caller.read('a', 'COMPLETED');
  return caller;
}

const stateOf = (judge: LiveJudge): ProxyState => ({
  ...{ upstream: 'https://api.example.com', beganMs: BEGAN_MS, nowMs: BEGAN_MS, passed: 0, trouble: null },
  ...{ lag: { waiting: 0, behindMs: 0, missed: 0 }, live: judge.state, calls: [] },
});

test('a client that breaks a rule is on the page, in the metrics and in the report', async () => {
  const judge = judged(careless());
  const [client] = judge.state.clients!;
  expect(client).toMatchObject({ client: NAME, calls: 66, jobs: 14 });
  expect(client!.violated).toMatchObject([{ rule: 'client/stops-at-completed', times: 1 }]);
  const page = pageOf(stateOf(judge), new Map());
  expect(page).toContain(NAME);
  expect(page).toContain('it was told COMPLETED and read the job 4 more times');
  const metrics = await (await createProxyMetrics()).text(stateOf(judge));
  expect(metrics).toContain(
    `runproof_client_violations_total{rule="client/stops-at-completed",client="${NAME}"} 1`,
  );
  for (const _ of judge.finish(BEGAN_MS + 600_000));
  expect(judge.finished!.report.clients).toEqual(judge.state.clients);
});

test('a correct client is not accused, and clients are not judged unless asked for', async () => {
  const { clients } = judged(ordinary()).state;
  expect(clients).toMatchObject([{ client: NAME, violated: [] }]);
  const unasked = new LiveJudge(settings({ beganMs: BEGAN_MS }));
  for (const exchange of passed(careless())) unasked.take(exchange);
  unasked.look(BEGAN_MS + 600_000);
  expect(unasked.state.clients).toBeUndefined();
  expect(pageOf(stateOf(unasked), new Map())).not.toContain('id="clients"');
  expect(await (await createProxyMetrics()).text(stateOf(unasked))).not.toContain('client_violations');
});

const asked = (socket: object, headers: IncomingMessage['headers'], url = '/v2/abc/run'): IncomingMessage =>
  ({ socket, headers, url }) as IncomingMessage;

test('callers are told apart, and a key cannot be found from what is told', () => {
  const callers = new Callers('x-worker');
  const socket = { remoteAddress: '::ffff:10.0.0.4' };
  const first = callers.of(asked(socket, { authorization: 'Bearer secret', 'x-worker': 'w1' }));
  expect(first).toMatchObject({ address: '10.0.0.4', name: 'w1' });
  expect(first.key).toMatch(/^[0-9a-f]{6}$/u);
  expect(callers.of(asked(socket, { authorization: 'secret' }))).toEqual({ ...first, name: undefined });
  const other = callers.of(asked({ remoteAddress: '10.0.0.4' }, {}, '/v2/abc/run?key=secret'));
  expect(other.key).toBeNull();
  expect(other.connection).not.toBe(first.connection);
  expect(new Callers().of(asked(socket, { authorization: 'secret' })).key).not.toBe(first.key);
});

test('a key in the query is noticed, and a connection that a gateway shares is none', () => {
  const callers = new Callers();
  const both = callers.of(
    asked({}, { authorization: 'secret', via: '1.1 gate' }, '/v2/abc/run?api_key=secret'),
  );
  expect(both).toEqual({ key: expect.any(String), isKeyInQuery: true });
});
