/** Calls without a key are refused where all others have one: the proxy sees what was sent. */
import { expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { AT, read, run, seen, sentTo, settings, watch, type Told } from './support.js';

const AT_MS = 60_000;

/** What was decided of `5/missing-key-*`: how often, and how often it failed. */
function decided(
  withKey: number,
  without: Told,
  target?: string,
): { readonly [id: string]: readonly number[] } {
  const judge = new LiveJudge(settings());
  watch(judge, run(0, 'a'));
  for (let nth = 1; nth < withKey; nth += 1) watch(judge, read(nth * 1_000, 'a', 'IN_QUEUE'));
  for (const one of seen({ headers: {}, ...without }))
    judge.take(target === undefined ? one : sentTo(one, target));
  judge.look(AT + AT_MS + 1_000);
  for (const _ of judge.finish(AT + AT_MS + 2_000)) continue;
  const found = judge.finished!.report.requirements.filter((one) => one.decided > 0);
  const ofKeys = found.filter(({ id }) => id.startsWith('5/missing-key-'));
  return Object.fromEntries(ofKeys.map((one) => [one.id, [one.decided, one.failed]]));
}

const look = read(AT_MS, 'a', 'IN_QUEUE');
const refused = { error: 'unauthorized' };

test('let in, the requirement fails', () => {
  expect(decided(20, look)).toEqual({ '5/missing-key-status': [1, 1] });
  expect(decided(20, run(AT_MS, 'b'))).toEqual({ '5/missing-key-run': [1, 1] });
});

test('refused, it passes', () => {
  expect(decided(20, { ...look, reply: refused, status: 401 })).toEqual({ '5/missing-key-status': [1, 0] });
});

test.each([
  ['fewer calls had a key', 19, look],
  ['it was refused for another reason', 20, { ...look, reply: refused, status: 403 }],
  ['it failed', 20, { ...look, reply: refused, status: 503 }],
  ['it was not answered', 20, { ...look, reply: null }],
  ['it has a key', 20, { ...look, headers: { authorization: '***' } }],
  ['it has a key of another kind', 20, { ...look, headers: { 'x-api-key': '***' } }],
  ['it has a cookie', 20, { ...look, headers: { cookie: '***' } }],
])('nothing is decided where %s', (_, withKey, call) => {
  expect(decided(withKey, call)).toEqual({});
});

test('nothing is decided where the key is a parameter', () => {
  expect(decided(20, look, '/v2/abc/status/a?api_key=1')).toEqual({});
});
