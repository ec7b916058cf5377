import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/cli/options/address.js';
import { durationMs, headers, hostAndPort, minDecided, shareOfAll } from '../../src/cli/options/values.js';

describe('an address', () => {
  it.each([
    ['http://h:80', 'http://h', null],
    ['http://h:8080/', 'http://h:8080', null],
    ['http://h:8080/v2', 'http://h:8080', null],
    ['http://h:8080/v2/', 'http://h:8080', null],
    ['https://h/v2/ep', 'https://h', 'ep'],
    ['https://h/v2/ep/', 'https://h', 'ep'],
    ['https://h/api/gateway/v2/ep', 'https://h/api/gateway', 'ep'],
    ['https://h/v2/a%20b', 'https://h', 'a b'],
    ['http://[::1]:9/x', 'http://[::1]:9/x', null],
  ])('%s', (text, baseUrl, endpoint) => expect(parseAddress(text)).toEqual({ baseUrl, endpoint }));
});

it.each([
  ['500ms', 500],
  ['2s', 2_000],
  ['1.5s', 1_500],
  ['3m', 180_000],
  ['3min', 180_000],
  ['1h', 3_600_000],
  ['7', 7_000],
])('a duration of %s', (text, ms) => expect(durationMs('x', text)).toBe(ms));

it.each([
  ['12', { count: 12 }, null],
  [' 40% ', { percent: 40 }, { ofAll: 40 }],
  ['', null, { ofAll: 100 }],
  ['101%', null, null],
  ['-1', null, null],
  ['x', null, null],
])('a share of decisions %j', (text, least, ofAll) => {
  for (const [read, meaning] of [
    [minDecided, least],
    [shareOfAll, ofAll],
  ] as const)
    if (meaning === null) expect(() => read(text, 'x')).toThrow('--x ');
    else expect(read(text, 'x')).toEqual(meaning);
});

it('headers have lower-case names and keep their values', () => {
  expect(headers(['X-Team: a: b ', 'x-empty:'])).toEqual({ 'x-team': 'a: b', 'x-empty': '' });
});

it.each([
  ['8080', { host: '127.0.0.1', port: 8080 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['[::1]:9', { host: '::1', port: 9 }],
])('a place to listen: %s', (text, place) => expect(hostAndPort('x', text)).toEqual(place));
