/** Clients judged by recorded calls alone. */
import { expect, test } from 'vitest';
import { SeenClients, type SeenClient, type SeenSettings } from '../../src/client/seen-clients.js';
import type { Exchange } from '../../src/history/exchange.js';
import { Caller, ordinary, BEGAN_MS } from './ordinary-traffic.js';

type Calls = readonly (Exchange | { readonly exchange: Exchange; readonly file: number })[];

function found(calls: Calls, settings: Partial<SeenSettings> = {}): readonly SeenClient[] {
  const seen = new SeenClients({ edition: 'document', isWhole: 'perhaps', ...settings });
  for (const one of calls)
    if ('file' in one) seen.take(one.exchange, one.file);
    else seen.take(one);
  return seen.found;
}

const stateOf = ([client]: readonly SeenClient[], rule: string): string =>
  client!.verdicts.find((verdict) => verdict.rule.id === rule)!.state;

const violatedIn = (clients: readonly SeenClient[]): readonly string[] =>
  clients.flatMap(({ verdicts }) =>
    verdicts.filter(({ state }) => state === 'violated').map(({ rule }) => rule.id),
  );

const without = (exchange: Exchange): Exchange => {
  const { client: _, ...others } = exchange;
  return others;
};

test('ordinary calls decide at least 20 rules, and break none', () => {
  const [client, ...others] = found(ordinary().exchanges);
  expect(others).toEqual([]);
  expect(client).toMatchObject({ name: 'app/1.0, 10.0.0.4, key a1b2c3', calls: 62, jobs: 14 });
  expect(violatedIn([client!])).toEqual([]);
  expect(client!.verdicts.filter(({ state }) => state === 'kept').length).toBeGreaterThanOrEqual(20);
  for (const { state, why } of client!.verdicts) expect(why === null).toBe(state !== 'open');
});

test('clients are told apart by key, program and address', () => {
  const other = new Caller('other/2.0', 'c.2').job('z').exchanges;
  expect(found([...ordinary().exchanges, ...other]).map(({ name }) => name)).toEqual([
    'app/1.0, 10.0.0.4, key a1b2c3',
    'other/2.0, 10.0.0.4, key a1b2c3',
  ]);
});

/** Rules that a recording shows to be broken, and a process that breaks each. */
const BROKEN: { readonly [rule: string]: (caller: Caller) => unknown } = {
  'client/poll-pause': (caller) => times(40, () => caller.read('n', 'IN_PROGRESS', { pauseMs: 3 })),
  'client/stops-at-completed': (caller) => times(5, () => caller.read('a', 'COMPLETED')),
  'client/gone-is-gone': (caller) =>
    caller.run('p').read('p', 'IN_QUEUE') &&
    times(6, () => caller.read('p', '', { code: 404, told: {}, pauseMs: 5_000 })),
  'client/honours-retry-after': (caller) => {
    caller.run('x', { code: 429, told: {}, retryAfter: '5' }).run('x');
  },
  'client/retry-only-ended': (caller) => caller.ask('retry/a', { code: 400, told: {} }),
  'client/cancel-only-live': (caller) => caller.ask('cancel/a', { told: {} }),
  'client/retries-few-times': (caller) =>
    times(6, () => caller.read('k', 'FAILED').ask('retry/k', { told: { id: 'k', status: 'IN_QUEUE' } })),
  'client/one-job': (caller) => caller.run('x', { code: 504, told: null }).run('x').run('y'),
  'client/no-repeat-of-refused': (caller) => times(6, () => caller.run('x', { code: 400, told: {} })),
  'client/backs-off': (caller) =>
    caller.run('p') &&
    times(10, () => caller.read('p', '', { code: 429, told: {}, pauseMs: 400 })) &&
    caller.read('p', 'COMPLETED'),
  'client/input-object': (caller) => caller.ask('run', { body: { prompt: 1 }, code: 400, told: {} }),
  'client/wait-in-range': (caller) =>
    caller.ask('runsync?wait=1', { body: { input: {} }, code: 400, told: {} }),
  'client/method': (caller) => caller.ask('status/a', { method: 'POST', code: 405, told: {} }),
};

const times = (count: number, act: () => unknown): boolean => {
  for (let at = 0; at < count; at += 1) act();
  return true;
};

test.each(Object.entries(BROKEN))('%s is found broken', (rule, act) => {
  const caller = ordinary();
  act(caller);
  expect(violatedIn(found(caller.exchanges))).toEqual([rule]);
});

test.each(Object.entries(BROKEN))('%s is not found broken where several processes may do it', (rule, act) => {
  const caller = ordinary();
  act(caller);
  // Each call over a connection of its own, as of many processes with one key on one machine.
  const apart = caller.exchanges.map((exchange) => ({
    ...exchange,
    client: { ...exchange.client!, connection: `c.${exchange.id}` },
  }));
  const shownByAnyone = ['poll-pause', 'one-job', 'input-object', 'wait-in-range', 'method'];
  expect(violatedIn(found(apart))).toEqual(
    shownByAnyone.includes(rule.slice('client/'.length)) ? [rule] : [],
  );
});

test('a header by which the user tells processes apart is as good as a connection', () => {
  const caller = ordinary();
  BROKEN['client/stops-at-completed']!(caller);
  const named = caller.exchanges.map((exchange) => without(withHeader(exchange, 'x-worker', 'w1')));
  expect(violatedIn(found(named))).toEqual([]);
  const [client] = found(named, { by: 'x-worker' });
  expect(client).toMatchObject({ name: 'w1', calls: 67 });
  expect(violatedIn([client!])).toEqual(['client/stops-at-completed']);
});

const withHeader = (exchange: Exchange, name: string, value: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request, headers: { ...exchange.request.headers, [name]: value } },
});

test('rules that need exact times are open where a clock shows seconds, or there are several', () => {
  const caller = ordinary();
  BROKEN['client/poll-pause']!(caller);
  const coarse = caller.exchanges.map((exchange) => ({
    ...exchange,
    fromMs: Math.floor(exchange.fromMs / 1_000) * 1_000,
    byMs: Math.ceil(exchange.byMs! / 1_000) * 1_000,
  }));
  expect(stateOf(found(coarse), 'client/poll-pause')).toBe('open');
  expect(stateOf(found(caller.exchanges, { isOneClock: false }), 'client/poll-pause')).toBe('open');
  expect(stateOf(found(caller.exchanges), 'client/poll-pause')).toBe('violated');
});

test('where calls may be missing, what depends on all of them is open', () => {
  const caller = ordinary();
  BROKEN['client/one-job']!(caller);
  expect(stateOf(found(caller.exchanges, { isWhole: 'no' }), 'client/one-job')).toBe('open');
  expect(stateOf(found(ordinary().exchanges, { isWhole: 'no' }), 'client/poll-pause')).toBe('open');
});

test('a logger that replaces what is secret accuses nobody', () => {
  const exchange = new Caller().run('a').exchanges[0]!;
  const replaced = { ...without(exchange), request: { ...exchange.request, body: '{"input":"[hidden]"}' } };
  expect(violatedIn(found([replaced]))).toEqual([]);
});

test('a key is missing only where the service has refused the call', () => {
  const noKey = (code: number): Exchange => {
    const exchange = new Caller().read('a', 'IN_QUEUE', { code }).exchanges[0]!;
    return { ...exchange, client: { ...exchange.client!, key: null } };
  };
  expect(violatedIn(found([noKey(200)]))).toEqual([]);
  expect(violatedIn(found([noKey(401)]))).toEqual(['client/key-in-header']);
});

test('a client of many calls is judged in parts', () => {
  const caller = new Caller();
  times(1_500, () => caller.job(`j${caller.exchanges.length}`));
  times(5, () => caller.read('j0', 'COMPLETED'));
  const [client] = found(caller.exchanges);
  expect(client).toMatchObject({ calls: 6_005, jobs: 1_500 });
  expect(violatedIn([client!])).toEqual(['client/stops-at-completed']);
});

test('the answer to a webhook is that of the client whose job it is about', () => {
  const caller = ordinary();
  const webhook = (status: number): Exchange => ({
    ...{
      id: 'w',
      fromMs: BEGAN_MS + 9_000,
      byMs: BEGAN_MS + 9_100,
      names: null,
      webhook: 'https://app.example.com/done',
    },
    request: { method: 'POST', target: '/done', headers: {}, body: '{"id":"j","status":"COMPLETED"}' },
    outcome: { kind: 'answer', status, headers: {}, body: null },
  });
  expect(violatedIn(found([...caller.exchanges, webhook(500)]))).toEqual(['client/webhook-answers-200']);
  expect(violatedIn(found([...caller.exchanges, webhook(502)]))).toEqual([]);
  expect(stateOf(found([...caller.exchanges, webhook(200)]), 'client/webhook-answers-200')).toBe('kept');
});
