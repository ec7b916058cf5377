/** The page of the proxy marks the calls on the job of a failure, and no others. */
import { expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { pageOf } from '../../../src/features/proxy/live-page.js';
import { RecentCalls } from '../../../src/features/proxy/recent-calls.js';
import { AT, read, run, seen, settings } from './support.js';

test.each([
  ['1', '2'],
  ['a b/1', 'a b/11'],
])('of the job %s, whatever its proof says, and not of %s', (failing, other) => {
  const path = (id: string): string => encodeURIComponent(id);
  const told = [
    ...[run(0, failing), { ...read(1_000, failing, 'COMPLETED'), path: `status/${path(failing)}` }],
    ...[run(1_500, other), { ...read(2_000, other, 'IN_QUEUE'), path: `status/${path(other)}` }],
    { ...read(3_000, failing, 'IN_QUEUE'), path: `status/${path(failing)}` },
  ];
  const judge = new LiveJudge(settings({ others: false }));
  const recent = new RecentCalls();
  for (const one of told.flatMap(seen)) {
    judge.take(one);
    recent.take(one);
  }
  judge.look(AT + 60_000);
  const page = pageOf(
    {
      ...{ upstream: 'https://api.example.com/', beganMs: AT, nowMs: AT + 60_000, passed: 5, trouble: null },
      ...{ lag: { waiting: 0, behindMs: 0, missed: 0 }, live: judge.state, calls: recent.all },
    },
    new Map(),
  );
  const rows = [...page.matchAll(/<tr data-kinds="([^"]*)"[^>]*><td>[^<]*<\/td><td>GET ([^ <]*)/gu)];
  expect(rows.map(([, kinds, called]) => [called, kinds])).toEqual([
    [`/v2/abc/status/${path(failing)}`, 'failing'],
    [`/v2/abc/status/${path(other)}`, ''],
    [`/v2/abc/status/${path(failing)}`, 'failing'],
  ]);
});
