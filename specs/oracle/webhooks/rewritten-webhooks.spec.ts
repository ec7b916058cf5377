/** A webhook that is called at a rewritten address is called: at the wrong address, which is all that is wrong. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const AT_ONCE = [{ return: 1 }];
const WRONG_ADDRESS = ['6/called-at-given-url'];

const completed = (webhook: string): TraceBuilder =>
  new TraceBuilder()
    .submitted(0, 'a', AT_ONCE, undefined, { webhook })
    .seen(10, 'a', 'COMPLETED', { output: 1 });

test.each([
  ['http://here/hook/1', 'http://here/hook/1/'],
  ['http://here/hook/1/', 'http://here/hook/1'],
  ['http://Here/hook/1', 'http://here/hook/1'],
  ['http://here:80/hook/1', 'http://here/hook/1'],
  ['http://here/hook/a%20b', 'http://here/hook/a b'],
  ['http://here/hook/a%2Fb', 'http://here/hook/a/b'],
  ['http://here/hook/%7Ea', 'http://here/hook/~a'],
  ['http://here/hook/1?of=1&and=a%20b', 'http://here/hook/1'],
  ['http://here/hook/1?of=1&and=a%20b', 'http://here/hook/1?of=1&and=a+b'],
])('%s as %s', (given, called) => {
  const findings = completed(given).webhook(15, called, 200).judged(90_000);
  expect(failed(findings)).toEqual(WRONG_ADDRESS);
  expect(verdictOf(findings, '6/called-on-completion-run')).toBe('pass');
});

test('another address is none of them', () => {
  const findings = completed('http://here/hook/1').webhook(15, 'http://here/hook/2', 200).judged(90_000);
  expect(failed(findings)).toEqual(['6/called-on-completion-run']);
});

test('its attempts are judged like those at the right address', () => {
  const trace = completed('http://here/hook/1').webhook(15, 'http://here/hook/1/', 500);
  expect(failed(trace.judged(90_000))).toEqual([...WRONG_ADDRESS, '6/retries-after-error-status']);
});

describe('without the query, by which alone the addresses of two jobs differ', () => {
  const two = (): TraceBuilder =>
    completed('http://here/hook?of=a')
      .submitted(20, 'b', AT_ONCE, undefined, { webhook: 'http://here/hook?of=b' })
      .seen(30, 'b', 'COMPLETED', { output: 1 });

  test('each call may be meant for either', () => {
    const trace = two().webhook(35, 'http://here/hook', 200).webhook(36, 'http://here/hook', 200);
    expect(failed(trace.judged(90_000))).toEqual(WRONG_ADDRESS);
  });

  test('one that names its job is meant for it', () => {
    const trace = two().webhook(35, 'http://here/hook', 200, { id: 'a', status: 'COMPLETED' });
    expect(failed(trace.judged(90_000))).toEqual(['6/called-on-completion-run', ...WRONG_ADDRESS]);
  });
});
