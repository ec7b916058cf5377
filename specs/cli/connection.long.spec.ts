/** A target behind TLS of one's own, behind a proxy, behind a gateway that wants a header: from the command line. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttp,
  request as requestTo,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { startServer } from '../../src/server/index.js';
import { createFakeIo, filesBelow, type FakeIo } from './fake-io.js';

const KEY = 'key-of-the-spec';
/** Self-signed for `localhost` and 127.0.0.1, for a hundred years. */
const CERT = join(import.meta.dirname, 'tls/cert.pem');
const SCOPE = [
  '--only',
  '2.7/*',
  '5/missing-key*',
  '--profile',
  'quick',
  '--worker',
  'scripted',
  '--seed',
  '1',
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The endpoint behind a gateway that passes everything on, and shows what came by. */
async function gatewayTo(
  seen: IncomingMessage[],
  make: (listener: (request: IncomingMessage, response: ServerResponse) => void) => Server,
  pathBehind: (path: string) => string = (path) => path,
): Promise<number> {
  const behind = await startServer({ apiKeys: [KEY], endpoints: ['test'], workers: 4 });
  closers.push(() => behind.close());
  const gateway = make((request, response) => {
    seen.push(request);
    const { method = 'GET', url = '/', headers } = request;
    const onward = requestTo(behind.url + pathBehind(url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return listening(gateway);
}

const overTls = (seen: IncomingMessage[]): Promise<number> =>
  gatewayTo(seen, (listener) =>
    createHttps(
      { cert: readFileSync(CERT), key: readFileSync(join(import.meta.dirname, 'tls/key.pem')) },
      listener,
    ),
  );

/** A proxy that knows CONNECT and nothing else, and notes where it was sent. */
async function tunnel(asked: string[]): Promise<string> {
  const sockets = new Set<Socket>();
  const proxy = createHttp((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? '');
    // Every name is this machine: only the proxy finds names that nobody else knows.
    const onward = connect(Number((request.url ?? '').split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => end.destroy());
    }
  });
  closers.push(() => sockets.forEach((socket) => socket.destroy()));
  return `http://127.0.0.1:${await listening(proxy)}`;
}

const withKey = (): FakeIo => createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });

describe('check over a connection of one’s own', () => {
  it('trusts a certificate that it is given, or any when told so, and else none that it does not know', async () => {
    const url = `https://127.0.0.1:${await overTls([])}/v2/test`;
    const stranger = withKey();
    expect(await runCli(['check', url, ...SCOPE], stranger)).toBe(3);
    expect(stranger.complained()).toMatch(/certificate/i);
    for (const trust of [['--cacert', CERT], ['--insecure']]) {
      const io = withKey();
      expect(await runCli(['check', url, ...SCOPE, ...trust], io), io.printed() + io.complained()).toBe(0);
    }
  });

  it('goes through a proxy, with and without TLS', async () => {
    const asked: string[] = [];
    const proxy = await tunnel(asked);
    const [plain, tls] = [await gatewayTo([], (listener) => createHttp(listener)), await overTls([])];
    for (const [url, ...more] of [
      [`http://127.0.0.1:${plain}/v2/test`],
      [`https://127.0.0.1:${tls}/v2/test`, '--cacert', CERT],
    ] as const) {
      const io = withKey();
      const all = ['check', url, ...SCOPE, ...more, '--proxy', proxy];
      expect(await runCli(all, io), io.printed() + io.complained()).toBe(0);
    }
    expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${plain}`, `127.0.0.1:${tls}`]));
  });

  it('honours the proxies of the environment, but for this machine and the hosts that need none', async () => {
    const asked: string[] = [];
    const proxy = await tunnel(asked);
    const [plain, tls] = [await gatewayTo([], (listener) => createHttp(listener)), await overTls([])];
    const check = async (env: { [name: string]: string }, ...args: string[]): Promise<[number, FakeIo]> => {
      const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY, ...env } });
      return [await runCli(['check', ...args, ...SCOPE], io), io];
    };
    const elsewhere = `http://target.invalid:${plain}/v2/test`;
    for (const [env, ...args] of [
      [{ HTTP_PROXY: proxy }, elsewhere],
      [
        { https_proxy: proxy, HTTPS_PROXY: 'http://127.0.0.1:9' },
        `https://target.invalid:${tls}/v2/test`,
        '--insecure',
      ],
    ] as const) {
      const [code, io] = await check(env, ...args);
      expect(code, io.printed() + io.complained()).toBe(0);
    }
    expect(new Set(asked)).toEqual(new Set([`target.invalid:${plain}`, `target.invalid:${tls}`]));
    const [code] = await check({ HTTP_PROXY: 'http://127.0.0.1:9' }, `http://127.0.0.1:${plain}/v2/test`);
    expect(code).toBe(0);
    const [alone, withoutProxy] = await check({ HTTP_PROXY: proxy, NO_PROXY: '.invalid' }, elsewhere);
    expect(alone).toBe(3);
    expect(withoutProxy.complained()).toContain('--proxy');
    const bare = { HTTP_PROXY: new URL(proxy).host };
    expect((await check(bare, elsewhere))[0], 'http is meant where no scheme is said').toBe(0);
    const socks = { HTTP_PROXY: 'socks5://me:geheim@proxy.invalid:1080' };
    const [odd, oddly] = await check(socks, elsewhere);
    expect(odd).toBe(2);
    expect(oddly.complained()).toMatch(/^runproof: HTTP_PROXY is not an http or https address/);
    expect(oddly.complained()).not.toContain('geheim');
    expect((await check(socks, `http://127.0.0.1:${plain}/v2/test`))[0], 'none is needed').toBe(0);
  });

  it('checks operations that have no /v2/<endpoint_id> before them', async () => {
    const seen: IncomingMessage[] = [];
    const port = await gatewayTo(
      seen,
      (listener) => createHttp(listener),
      (path) => (path.startsWith('/api/') ? `/v2/test${path.slice('/api'.length)}` : '/nowhere'),
    );
    const io = withKey();
    const where = [`http://127.0.0.1:${port}`, '--base-path', '/api/'];
    const scope = [...SCOPE, '--only', '2.4/id-in-run', '7/unknown-endpoint-run', '9/*'];
    expect(await runCli(['check', ...where, ...scope, '--out', 'out'], io), io.complained()).toBe(0);
    expect(seen.filter(({ url }) => !url!.startsWith('/api/')).map(({ url }) => url)).toEqual(['/_control']);
    const createdJobs = readFileSync(join(io.cwd, 'out/jobs.ndjson'), 'utf8');
    expect(createdJobs).toContain('"basePath":"/api"');
    expect(io.printed() + io.complained()).toContain('--base-path');
    const named = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    expect(await runCli(['check', `${where[0]!}/v2/test`, '--base-path', '/'], named)).toBe(2);
    expect(named.complained()).toContain('the URL must not contain');
  });

  it('a failure of such a target names the path in its curl line and the option in its replay line', async () => {
    const port = await listening(
      createHttp((request, response) => {
        const isKnown = request.headers.authorization?.replace('Bearer ', '') === KEY;
        response.writeHead(isKnown || request.url === '/health' ? 200 : 401, {
          'content-type': 'application/json',
        });
        response.end('{"jobs": {}, "workers": {}}');
      }),
    );
    const io = withKey();
    const scope = ['--only', '5/missing-key-health', '--worker', 'opaque', '--profile', 'quick'];
    const where = [`http://127.0.0.1:${port}`, '--base-path', '/'];
    expect(await runCli(['check', ...where, ...scope, '--seed', '1', '--out', 'out'], io)).toBe(1);
    expect(io.printed()).toContain(`curl -sS -i http://127.0.0.1:${port}/health`);
    expect(io.printed()).toMatch(/replay out\/failures\/\S+ http:\S+ --base-path \/ --worker opaque/);
    const file = /out\/failures\/\S+\.json/.exec(io.printed())![0];
    expect(await runCli(['replay', file, ...where, '--worker', 'opaque'], io), io.complained()).toBe(1);
  });

  it('says that a proxy is not there', async () => {
    const port = await gatewayTo([], (listener) => createHttp(listener));
    const io = withKey();
    const proxy = ['--proxy', 'http://127.0.0.1:9'];
    expect(await runCli(['check', `http://127.0.0.1:${port}/v2/test`, ...SCOPE, ...proxy], io)).toBe(3);
  });

  it('sends headers of the user with every call, and writes none of their values', async () => {
    const seen: IncomingMessage[] = [];
    const port = await gatewayTo(seen, (listener) => createHttp(listener));
    const io = withKey();
    const header = ['--header', 'X-Gateway-Token: very-secret-42', '--out', 'out'];
    expect(await runCli(['check', `http://127.0.0.1:${port}/v2/test`, ...SCOPE, ...header], io)).toBe(0);
    expect(seen.length).toBeGreaterThan(5);
    for (const { headers } of seen) expect(headers['x-gateway-token']).toBe('very-secret-42');
    const written = [...filesBelow(io.cwd).values(), io.printed(), io.complained()].join('\n');
    expect(written).not.toContain('very-secret-42');
    // The lines that repeat the run name the header, and leave its value to the user.
    expect(written).toContain('X-Gateway-Token: VALUE');
  });
});
