import { describe, expect, it } from 'vitest';
import { isOnThisMachine, parseAddress } from '../../src/target/http/address.js';
import { TargetError } from '../../src/target/errors.js';

describe('the address of a target', () => {
  it.each([
    ['http://h:1', undefined, 'http://h:1', '', null],
    ['http://h:1/', 'e', 'http://h:1', '', 'e'],
    ['https://h/v2/e', undefined, 'https://h', '', 'e'],
    ['https://h/v2/e/', 'e', 'https://h', '', 'e'],
    ['https://h/v2', 'e', 'https://h', '', 'e'],
    ['https://h/api/v2/e', undefined, 'https://h', '/api', 'e'],
    ['https://h/api/', 'e', 'https://h', '/api', 'e'],
    ['https://h/v2/v2/e', undefined, 'https://h', '/v2', 'e'],
    ['https://h/v2/a%20b', undefined, 'https://h', '', 'a b'],
  ])('%s with --endpoint %s', (url, endpoint, origin, prefix, id) => {
    expect(parseAddress(url, endpoint)).toEqual({ origin, prefix, endpoint: id });
  });

  it.each([
    ['localhost:8080', undefined],
    ['ftp://h', undefined],
    ['http://h/v2/one', 'other'],
  ])('refuses %s with --endpoint %s', (url, endpoint) => {
    expect(() => parseAddress(url, endpoint)).toThrow(TargetError);
  });

  it('knows this machine by its names and addresses', () => {
    expect(isOnThisMachine('http://127.0.0.1:1')).toBe(true);
    expect(isOnThisMachine('http://localhost')).toBe(true);
    expect(isOnThisMachine('http://[::1]:80')).toBe(true);
    expect(isOnThisMachine('https://api.example.com')).toBe(false);
  });
});
