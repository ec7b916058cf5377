import { describe, expect, it } from 'vitest';
import {
  isLoopback,
  isLoopbackUrl,
  isPrivate,
  isPrivateUrl,
  localNameOf,
  nameInHeader,
  urlOf,
} from '../../src/util/address.js';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const LOOPBACK = words(`
  localhost LOCALHOST localhost. emulator.localhost 127.0.0.1 127.1.2.3 127.1 2130706433 0x7f.0.0.1 127.0.0.1.
  ::1 [::1] 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 [::ffff:127.0.0.1] ::ffff:7f00:1 ::1%lo
`);
const PRIVATE = words(`
  10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 [::ffff:10.0.0.1] ::ffff:192.168.1.1
  fc00::1 fdff::1 [fd12:3456::1] fe80::1 febf::1 fe80::1%eth0
`);
const NEITHER = words(`
  127.example.com 10.example.com localhost.example.com notlocalhost example.com 192.168.example.com 128.0.0.1 126.255.255.255
  127.999.0.1 1.127.0.1 11.0.0.1 172.15.255.255 172.32.0.1 192.167.0.1 169.253.0.1 0.0.0.0 :: ::2 [::ffff:8.8.8.8] fbff::1 fec0::1
  2001:db8::1 fc::1 evil@localhost localhost:80 localhost/x localhost%2e [localhost ::ffff:0:127.0.0.1
`);

describe('a host', () => {
  it.each(LOOPBACK)('%s is loopback, and private', (host) => {
    expect([isLoopback(host), isPrivate(host)]).toEqual([true, true]);
  });

  it.each(PRIVATE)('%s is private, and not loopback', (host) => {
    expect([isLoopback(host), isPrivate(host)]).toEqual([false, true]);
  });

  it.each([...NEITHER, ''])('%s is neither', (host) => {
    expect([isLoopback(host), isPrivate(host)]).toEqual([false, false]);
  });
});

it.each([
  ['http://127.0.0.1:8080/x', true, true],
  ['HTTPS://LocalHost', true, true],
  ['http://user:key@[::ffff:127.0.0.1]:1/', true, true],
  ['http://10.0.0.1/hook', false, true],
  ['http://10.example.com/hook', false, false],
  ['http://example.com/?at=127.0.0.1', false, false],
  ['http://127.0.0.1@example.com/', false, false],
  ['ftp://127.0.0.1/', false, false],
  ['127.0.0.1', false, false],
  ['http://', false, false],
])('of %s the host counts', (url, loopback, isIn) => {
  expect([isLoopbackUrl(url), isPrivateUrl(url)]).toEqual([loopback, isIn]);
});

it.each([
  ['Emulator:8080', 'emulator'],
  ['[::1]:80', '::1'],
  ['127.0.0.1', '127.0.0.1'],
  ['a@127.0.0.1', null],
  ['127.0.0.1:80:80', null],
  ['', null],
])('in the header %j the name is %s', (header, name) => {
  expect(nameInHeader(header)).toBe(name);
});

it('a host that means every interface is reached at loopback', () => {
  expect(['0.0.0.0', '::', 'h'].map((host) => urlOf('http', localNameOf(host), 1))).toEqual([
    'http://127.0.0.1:1',
    'http://[::1]:1',
    'http://h:1',
  ]);
});
