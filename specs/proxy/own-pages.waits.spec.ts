/** What the proxy tells of itself is for clients on this machine, by its names, or for those that have the token. */
import { expect, it, onTestFinished } from 'vitest';
import { startStatus } from '../../src/proxy/status-server.js';
import { rawClient, wire } from './raw.js';

async function status(token: string | null, host = '127.0.0.1'): Promise<URL> {
  const answer = (asked: Request) => new Response(`own ${new URL(asked.url).pathname}`);
  const { localUrl: url, close } = await startStatus({ host, port: 0, token, answer });
  onTestFinished(() => close(0));
  return new URL(url);
}

const askedAs = async (host: string, { port }: URL): Promise<string> =>
  (await rawClient(Number(port), wire(['GET /state HTTP/1.1', `host: ${host}`, 'connection: close']))).all;

it.each(['localhost', 'LOCALHOST:8090', '127.0.0.1', '127.1.2.3:1', '[::1]', '[::1]:8090'])(
  'as %j it answers',
  async (host) => {
    expect(await askedAs(host, await status(null))).toContain('own /state');
  },
);

it.each([
  ...['evil.example', 'evil.example:8090', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]'],
  ...['192.168.0.1', 'evil.example@127.0.0.1', '127.0.0.1:80:80', ''],
])('as %j it does not: a page from elsewhere may lead its name here', async (host) => {
  const answer = await askedAs(host, await status(null));
  expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(answer).not.toContain('own /state');
});

it('knows where clients on this machine find it, whatever it listens on', async () => {
  const { href } = await status(null, '0.0.0.0');
  expect(await (await fetch(`${href}metrics`)).text()).toBe('own /metrics');
});

it('with a token it answers those that have it, under any name', async () => {
  const url = await status('the:token');
  const asked = async (authorization?: string): Promise<number> =>
    (await fetch(url, { headers: authorization === undefined ? {} : { authorization } })).status;
  expect(await asked('Bearer the:token')).toBe(200);
  expect(await asked(`Basic ${btoa('me:the:token')}`)).toBe(200);
  for (const wrong of [
    undefined,
    'Bearer the',
    'the:token',
    `Basic ${btoa('the:token')}`,
    'Basic %',
    'Bearer',
  ])
    expect(await asked(wrong)).toBe(401);
});
