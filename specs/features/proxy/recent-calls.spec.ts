import { expect, it } from 'vitest';
import type { Seen } from '../../../src/proxy/seen.js';
import { RecentCalls } from '../../../src/features/proxy/recent-calls.js';

const begin = (call: number, target: string, webhook?: string): Seen => ({
  ...{ kind: 'begin', call, atMs: 100, method: 'GET', target },
  ...(webhook !== undefined && { webhook }),
});
const end = (call: number, status: number | null): Seen => ({
  ...{ kind: 'end', call, atMs: 130, request: { headers: [], body: null }, isAbandoned: false },
  reply: status === null ? null : { status, headers: [], body: null },
});

it('tells the last calls, without queries, which may hold a key', () => {
  const recent = new RecentCalls();
  recent.onSeen(begin(0, '/v2/a/status/x?key=secret'));
  recent.onSeen(begin(1, '/webhook/signed', 'https://app.test/hook?token=secret'));
  recent.onSeen(end(0, 404));
  recent.onSeen(end(7, 200));
  expect(JSON.stringify(recent.all)).not.toContain('secret');
  expect(recent.all.map(({ path, isWebhook, end: over }) => [path, isWebhook, over])).toEqual([
    ['app.test/hook', true, null],
    ['/v2/a/status/x', false, { status: 404, tookMs: 30 }],
  ]);
  recent.onSeen(end(1, null));
  expect(recent.all[0]!.end).toEqual({ status: null, tookMs: 30 });
});

it('forgets the oldest, so that memory does not grow', () => {
  const recent = new RecentCalls();
  for (let call = 0; call < 1_000; call += 1) recent.onSeen(begin(call, '/v2/a/health'));
  expect(recent.all).toHaveLength(300);
  expect(recent.all[0]!.call).toBe(999);
});
