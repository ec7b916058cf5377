/** A page of another site with a host name that leads here (DNS rebinding) gets nothing. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { LOCAL_API_KEY, OptionsError, startServer, type ServerOptions } from '../../src/server/index.js';
import { serve as serveForTest } from '../support/servers.js';

const PATHS = ['/', '/v2/test/health', '/_control/keys', '/metrics', '/%6Detrics', '/_page/state', '/none'];

const serve = async (options: ServerOptions = {}): Promise<number> =>
  (await serveForTest({ metrics: true, apiKeys: [LOCAL_API_KEY], ...options })).port;

/** `fetch` does not let a program say which host it means. */
function ask(
  port: number,
  path: string,
  host: string,
  authorization = LOCAL_API_KEY,
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const call = request({ port, path, headers: { host, authorization } }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += String(chunk)));
      reply.on('end', () => resolve([reply.statusCode ?? 0, text]));
    });
    call.on('error', reject).end();
  });
}

describe('with the published key', () => {
  it.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'a@127.0.0.1',
    '127.0.0.1:80@evil.example',
    '0.0.0.0',
    '192.168.0.7',
    '[::2]',
    'xlocalhost',
  ])('who calls it %j is refused everywhere, and told what to do', async (host) => {
    const port = await serve();
    for (const path of PATHS) {
      const [status, text] = await ask(port, path, host);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('--allow-host NAME');
      expect(text).toContain('--api-key-file FILE');
    }
  });

  it.each([
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    'emulator.localhost:1',
    '127.0.0.1:8080',
    '127.9.9.9',
    '[::1]',
    '[::1]:80',
  ])('who calls it %s is answered', async (host) => {
    const port = await serve();
    for (const path of PATHS.slice(1, 5)) expect((await ask(port, path, host))[0]).toBe(200);
  });

  it('a path other than run or runsync submits nothing', async () => {
    const port = await serve();
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', authorization: LOCAL_API_KEY };
      const call = request({ port, method: 'POST', path: '/v2/test/run', headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      });
      call.on('error', reject).end('{"input":{}}');
    });
    expect(status).toBe(403);
    const [, health] = await ask(port, '/v2/test/health', 'localhost');
    expect(JSON.parse(health)).toMatchObject({ jobs: { inQueue: 0, inProgress: 0, completed: 0 } });
  });

  it('a name that was allowed is answered, and no other', async () => {
    const port = await serve({ allowedHosts: ['Emulator'] });
    expect((await ask(port, '/v2/test/health', 'emulator:8080'))[0]).toBe(200);
    expect((await ask(port, '/v2/test/health', 'evil.example'))[0]).toBe(403);
  });

  it('the published key stays published when given explicitly', async () => {
    const port = await serve({ apiKeys: ['mine', LOCAL_API_KEY], host: '0.0.0.0' });
    expect((await ask(port, '/v2/test/health', 'emulator'))[0]).toBe(403);
  });

  it('an invalid name cannot be allowed', async () => {
    for (const name of ['http://emulator', 'emulator:8080', '*', ''])
      await expect(startServer({ allowedHosts: [name] })).rejects.toThrow(OptionsError);
  });
});

describe('with a private key', () => {
  it('every name is answered, except for metrics on loopback, which need no key', async () => {
    const port = await serve({ apiKeys: ['mine'] });
    expect((await ask(port, '/v2/test/health', 'emulator', 'mine'))[0]).toBe(200);
    for (const path of ['/metrics', '/metrics?x', '/%6Detrics']) {
      const [status, text] = await ask(port, path, 'emulator');
      expect(status).toBe(403);
      expect(text).toContain('--allow-host NAME');
    }
    expect((await ask(port, '/metrics', 'localhost'))[0]).toBe(200);
  });

  it('metrics of a server that others can reach are answered under every name', async () => {
    const port = await serve({ apiKeys: ['mine'], host: '0.0.0.0' });
    expect((await ask(port, '/metrics', 'emulator'))[0]).toBe(200);
  });
});
