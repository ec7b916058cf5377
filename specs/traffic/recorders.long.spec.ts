/** What real recorders write of an application's calls is read and judged: a browser's HAR, and mitmproxy's. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { Report } from '../../src/report/index.js';
import { startServer } from '../../src/server/index.js';
import { createFakeIo, type FakeIo } from '../cli/fake-io.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../server/page/browser.js';
import { until } from '../support/until.js';

/** An application: submits jobs, polls them, waits for one, cancels one. Runs in a browser, too. */
async function application(base: string): Promise<void> {
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ id?: string; status?: string }> => {
    const headers = { authorization: 'Bearer k', ...(body && { 'content-type': 'application/json' }) };
    const reply = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await reply.json()) as { id?: string; status?: string };
  };
  const plan = (ms: number): object => ({ input: { plan: [{ sleepMs: ms }, { return: { ok: ms } }] } });
  const jobs = await Promise.all([200, 300].map((ms) => call('POST', '/run', plan(ms))));
  for (const { id } of jobs)
    for (let status: string | undefined, polls = 0; status !== 'COMPLETED' && polls < 100; polls += 1) {
      ({ status } = await call('GET', `/status/${id}`));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  await call('POST', '/runsync', plan(50));
  const { id } = await call('POST', '/run', plan(60_000));
  await call('POST', `/cancel/${id}`);
  await call('GET', `/status/${id}`);
}

async function emulator(): Promise<string> {
  const server = await startServer({ clock: 'real', endpoints: ['app'], workers: 3, apiKeys: ['k'] });
  onTestFinished(() => server.close());
  return `${server.url}/v2/app`;
}

async function judged(io: FakeIo, file: string): Promise<Report> {
  const few = ['--world', 'closed', '--out', 'r', '--min-decided', '1'];
  expect(await runCli(['judge', file, ...few], io)).toBe(0);
  return JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
}

const passed = ({ requirements }: Report): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);

const SEEN = ['4.2/status-in-queue', '3/cancelled-stays', '4/operation-runsync', '4.3/shows-current-state'];

test.skipIf(CHROMIUM === null)(
  `the HAR of a browser${CHROMIUM === null ? `: ${NO_CHROMIUM}` : ''}`,
  { timeout: 60_000 },
  async () => {
    const base = await emulator();
    const io = createFakeIo();
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const recordHar = { path: join(io.cwd, 'browser.har'), content: 'embed' } as const;
    const context = await browser.newContext({ recordHar });
    const page = await context.newPage();
    await page.goto(new URL('/', base).href);
    await page.evaluate(application, base);
    await context.close();
    expect(passed(await judged(io, 'browser.har'))).toEqual(expect.arrayContaining(SEEN));
  },
);

/** As Express does: each answer to a GET has an `ETag`, and one that the browser has already is a 304 without a type. */
async function expressBefore(base: string): Promise<{ readonly base: string; notModified: number }> {
  const { origin, pathname } = new URL(base);
  const seen = { base: '', notModified: 0 };
  const server = createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      void (async () => {
        const { method = '', headers, url = '' } = request;
        const { authorization = '', 'content-type': type } = headers;
        const body = method === 'GET' ? undefined : Buffer.concat(pieces);
        const sent = { authorization, ...(type !== undefined && { 'content-type': type }) };
        const reply = await fetch(origin + url, { method, headers: sent, ...(body && { body }) });
        const bytes = Buffer.from(await reply.arrayBuffer());
        const digest = createHash('sha1').update(bytes).digest('base64').slice(0, 27);
        const etag = `W/"${bytes.length.toString(16)}-${digest}"`;
        response.setHeader('x-powered-by', 'Express').setHeader('etag', etag);
        if (reply.status === 200 && method === 'GET' && headers['if-none-match'] === etag) {
          seen.notModified += 1;
          response.writeHead(304).end();
          return;
        }
        const typed = {
          'content-type': reply.headers.get('content-type') ?? '',
          'content-length': bytes.length,
        };
        response.writeHead(reply.status, typed).end(bytes);
      })();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  seen.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return seen;
}

/** Sends a Blob, polls a job that does not change, and leaves a call unanswered when it ends. Runs in a browser. */
async function pollingPage(base: string): Promise<void> {
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
  const submission = { input: { plan: [{ sleepMs: 400 }, { return: { ok: 1 } }] } };
  const submit = async (body: string | Blob): Promise<string> => {
    const reply = await fetch(`${base}/run`, { method: 'POST', headers, body });
    return ((await reply.json()) as { id: string }).id;
  };
  await submit(new Blob([JSON.stringify(submission)], { type: 'application/json' }));
  const id = await submit(JSON.stringify(submission));
  for (let polls = 0; polls < 30; polls += 1) {
    await (await fetch(`${base}/status/${id}`, { headers })).json();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const controller = new AbortController();
  const body = JSON.stringify({ input: { plan: [{ sleepMs: 60_000 }] } });
  const waiting = fetch(`${base}/runsync`, { method: 'POST', headers, body, signal: controller.signal });
  setTimeout(() => controller.abort(), 300);
  await waiting.catch(() => undefined);
}

test.skipIf(CHROMIUM === null)(
  `the HAR of a page that polls a service with ETags, sends Blobs and is left${CHROMIUM === null ? `: ${NO_CHROMIUM}` : ''}`,
  { timeout: 60_000 },
  async () => {
    const service = await expressBefore(await emulator());
    const io = createFakeIo();
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const recordHar = { path: join(io.cwd, 'page.har'), content: 'embed' } as const;
    const context = await browser.newContext({ recordHar });
    const page = await context.newPage();
    await page.goto(new URL('/', service.base).href);
    await page.evaluate(pollingPage, service.base);
    await context.close();
    expect(service.notModified).toBeGreaterThan(3);
    const report = await judged(io, 'page.har');
    const shown = ['4.2/status-in-queue', '4.3/shows-current-state', '1/json-content-type-status'];
    expect(passed(report)).toEqual(expect.arrayContaining(shown));
    expect(report.warnings).toContain('left out: 1 submission without a recorded body');
    expect(report.warnings.join()).not.toContain('stopped answering');
  },
);

const MITMDUMP = (() => {
  try {
    return execFileSync('which', ['mitmdump'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
})();
const NO_MITMPROXY = 'needs mitmproxy, which is not on this machine';
/** Before mitmproxy 10 an example, since then an option of its own. */
const HAR_SCRIPT = '/usr/share/doc/mitmproxy/examples/contrib/har_dump.py';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test.skipIf(MITMDUMP === null)(
  `the HAR of mitmproxy${MITMDUMP === null ? `: ${NO_MITMPROXY}` : ''}`,
  { timeout: 60_000 },
  async () => {
    const base = await emulator();
    const io = createFakeIo();
    const port = await freePort();
    const file = join(io.cwd, 'proxy.har');
    const script = existsSync(HAR_SCRIPT) ? ['-s', HAR_SCRIPT] : [];
    const reverse = [
      '--mode',
      `reverse:${new URL(base).origin}`,
      '--listen-host',
      '127.0.0.1',
      '-p',
      `${port}`,
    ];
    const confdir = ['--set', `confdir=${join(io.cwd, 'mitmproxy')}`];
    const proxy = spawn(MITMDUMP!, ['-q', ...reverse, ...confdir, ...script, '--set', `hardump=${file}`], {
      stdio: 'ignore',
    });
    onTestFinished(() => void proxy.kill('SIGKILL'));
    const own = `http://127.0.0.1:${port}/v2/app`;
    await until(async () => (await fetch(`${own}/health`).catch(() => null)) !== null, 20_000);
    await application(own);
    proxy.kill('SIGINT');
    await once(proxy, 'exit');
    const report = await judged(io, 'proxy.har');
    expect(passed(report)).toEqual(expect.arrayContaining(SEEN));
    expect(report.warnings).toContainEqual(expect.stringMatching(/answered with 401/));
  },
);
