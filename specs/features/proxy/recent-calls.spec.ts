import { expect, it } from 'vitest';
import { LOST, OPEN, type Exchange } from '../../../src/history/exchange.js';
import { namesAt } from '../../../src/traffic/index.js';
import { RecentCalls } from '../../../src/features/proxy/recent-calls.js';

const begin = (id: number, target: string, webhook?: string): Exchange => ({
  ...{
    id,
    fromMs: 100,
    byMs: null,
    outcome: OPEN,
    names: namesAt('GET', `http://host${target}`, 'document'),
  },
  request: { method: 'GET', target, headers: {}, body: undefined },
  ...(webhook !== undefined && { webhook }),
});
const end = (id: number, status: number | null): Exchange => ({
  ...{ ...begin(id, '/v2/a/health'), byMs: 130 },
  outcome: status === null ? LOST : { kind: 'answer', status, headers: {}, body: undefined },
});

it('tells the last calls, without queries, which may hold a key', () => {
  const recent = new RecentCalls();
  recent.take(begin(0, '/v2/a/status/x?key=secret'));
  recent.take(begin(1, '/webhook/signed', 'https://app.test/hook?token=secret'));
  recent.take(end(0, 404));
  recent.take(end(7, 200));
  expect(JSON.stringify(recent.all)).not.toContain('secret');
  expect(recent.all.map(({ path, isWebhook, end: over }) => [path, isWebhook, over])).toEqual([
    ['app.test/hook', true, null],
    ['/v2/a/status/x', false, { status: 404, tookMs: 30 }],
  ]);
  recent.take(end(1, null));
  expect(recent.all[0]!.end).toEqual({ status: null, tookMs: 30 });
});

it('forgets the oldest, so that memory does not grow', () => {
  const recent = new RecentCalls();
  for (let call = 0; call < 1_000; call += 1) recent.take(begin(call, '/v2/a/health'));
  expect(recent.all).toHaveLength(300);
  expect(recent.all[0]!.call).toBe(999);
});
