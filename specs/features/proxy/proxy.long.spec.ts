/** `proxy` as its user and the clients that call through it see it. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProxyState } from '../../../src/features/proxy/own-pages.js';
import { runCli } from '../../../src/shell/program.js';
import { forThisTest, listen } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const KEY = 'my-secret-key';

/** The emulator, with a fault if one is named; its address up to the endpoint. */
async function upstream(...args: readonly string[]): Promise<string> {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const ended = runCli(['serve', '--port', '0', '--endpoint', 'abc', ...args], io);
  await until(() => io.printed().includes('try:'));
  onTestFinished(async () => {
    io.interrupt();
    await ended;
  });
  return /serving (\S+)\/v2\/abc/.exec(io.printed())![1]!;
}

interface Proxied {
  readonly io: FakeIo;
  readonly url: string;
  /** The page. */
  readonly page: string;
  /** Ctrl-C; the exit code. */
  end(): Promise<number>;
}

async function proxied(upstreamUrl: string, args: readonly string[] = [], cwd?: string): Promise<Proxied> {
  const io = createFakeIo(cwd === undefined ? {} : { cwd });
  const ended = runCli(['proxy', '--upstream', upstreamUrl, '--listen', '127.0.0.1:0', ...args], io);
  await until(() => io.complained().includes('status page: '));
  const end = (): Promise<number> => {
    io.interrupt();
    return ended;
  };
  onTestFinished(() => void end());
  const [, url = ''] = /^(\S+) passes calls on/m.exec(io.complained())!;
  const [, page = ''] = /^status page: (\S+)$/m.exec(io.complained())!;
  return { io, url, page, end };
}

async function call(url: string, method: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** What an application does: two jobs, looked at until they are done. */
async function application(base: string): Promise<void> {
  for (let nth = 0; nth < 2; nth += 1) {
    const submitted = await call(`${base}/v2/abc/run`, 'POST', { input: { nth } });
    const { id } = (await submitted.json()) as { readonly id: string };
    for (let look = 0; look < 3; look += 1) await (await call(`${base}/v2/abc/status/${id}`, 'GET')).text();
  }
}

const stateOf = async ({ page }: Pick<Proxied, 'page'>): Promise<ProxyState> =>
  (await (await fetch(`${page}/state`)).json()) as ProxyState;

describe('proxy', { timeout: 60_000 }, () => {
  it('records what passes, for judge, without payloads and keys', async () => {
    const { io, url, page, end } = await proxied(await upstream(), [
      ...['--record', 'calls', '--min-decided', '1', '--out', 'r', '--format', 'json'],
    ]);
    await application(url);
    await until(async () => (await stateOf({ page })).live?.judged === 8);
    await end();
    expect(readdirSync(join(io.cwd, 'r'))).toEqual(['report.json']);
    expect(io.complained()).toContain('calls are recorded in calls, with digests instead of payloads');
    const [name] = readdirSync(join(io.cwd, 'calls')).filter((one) => one.endsWith('.ndjson'));
    expect(readFileSync(join(io.cwd, 'calls', name!), 'utf8')).not.toMatch(/my-secret-key|nth/u);
    const judging = createFakeIo({ cwd: io.cwd });
    const args = ['judge', `calls/${name!}`, '--world', 'closed', '--min-decided', '1'];
    expect(await runCli(args, judging)).toBe(0);
    expect(judging.printed()).toContain('8 recorded calls');
    expect(judging.printed() + judging.complained()).toContain('payloads are digests');
  });

  it.each([
    ['stands still until it is moved', ['--clock', 'controlled']],
    ['runs faster', ['--speed', '60', '--test-control']],
  ])('judges no time of a service whose clock %s', async (_, clock) => {
    const base = await upstream(...clock);
    const { io, url, end } = await proxied(base, ['--record', 'calls', '--out', 'r']);
    const job = { input: { plan: [{ hang: true }] }, policy: { executionTimeout: 5_000 } };
    const { id } = (await (await call(`${url}/v2/abc/run`, 'POST', job)).json()) as { readonly id: string };
    await call(`${base}/_control/clock/advance`, 'POST', { byMs: 6_000 });
    const status = async (): Promise<string> => (await call(`${url}/v2/abc/status/${id}`, 'GET')).text();
    await until(async () => (await status()).includes('TIMED_OUT'));
    expect(await end()).toBe(3);
    const told = 'test control moves the clock of the service, or it has a speed of its own';
    expect(io.printed()).toContain(`NOT JUDGED: ${told}`);
    expect(io.printed()).not.toContain('FAILED');
    const [name] = readdirSync(join(io.cwd, 'calls')).filter((one) => one.endsWith('.ndjson'));
    const judging = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['judge', `calls/${name!}`], judging)).toBe(2);
    expect(judging.complained()).toContain(told);
  });

  it('passes calls, judges them, and ends with a report of what a conformant service decides', async () => {
    const args = [
      '--out',
      'report',
      '--min-decided',
      '20',
      '--save-dialect',
      'dialect.json',
      '--state',
      'no/state.json',
    ];
    const { io, url, page: at, end } = await proxied(await upstream(), args);
    await application(url);
    await until(async () => (await stateOf({ page: at })).live?.judged === 8);
    const page = await (await fetch(`${at}/`)).text();
    expect(page).toContain('Nothing has failed.');
    const metrics = await (await fetch(`${at}/metrics`)).text();
    expect(metrics).toMatch(/^runproof_judged_calls_total 8$/m);
    expect(metrics).toMatch(/^runproof_judging 1$/m);
    expect(metrics).toMatch(/^runproof_calls_total\{operation="status",code="200"\} 6$/m);
    expect(metrics).toMatch(/^runproof_call_duration_seconds_bucket\{le="300",operation="run"\} 2$/m);
    expect(metrics).toMatch(/^runproof_calls_under_way 0$/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(await end()).toBe(0);
    expect(io.printed()).toContain('NOTHING FAILED');
    expect(readFileSync(join(io.cwd, 'dialect.json'), 'utf8')).toContain('2.4/id-shape');
    expect(io.complained()).toContain('--state no/state.json');
    const report = readFileSync(join(io.cwd, 'report/report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ exitCode: 0, totals: { calls: 8 } });
    expect(readFileSync(join(io.cwd, 'report/report.html'), 'utf8')).toContain(
      '<strong>8</strong><small>recorded',
    );
    expect(io.printed() + io.complained() + report + page + metrics).not.toContain(KEY);
  });

  it('tells a violation as it happens, to a command and an address as well, and knows it when it is started again', async () => {
    const url = await upstream('--mutant', 'answers-as-text');
    const posted: unknown[] = [];
    const receiver = forThisTest(
      await listen((request, response) => {
        void json(request).then((alert) => posted.push(alert));
        response.end();
      }),
    );
    const command = "grep -o '1/json-content-type-run\"' >> told.txt";
    const args = [
      ...['--state', 'state.json', '--on-violation', command, '--alert-url', `${receiver.url}/hook`],
      ...['--min-decided', '1'],
    ];
    const first = await proxied(url, args);
    await application(first.url);
    await until(() => first.io.printed().includes('FAILED 1/json-content-type-run:'));
    await until(() => existsSync(join(first.io.cwd, 'told.txt')));
    await until(() => posted.length > 0);
    expect(posted[0]).toMatchObject({
      kind: 'violation',
      finding: { requirement: '1/json-content-type-run', state: 'new' },
      upstream: `${url}/`,
      text: expect.stringMatching(/^FAILED 1\/json-content-type-run: .+\n {2}actual: /),
    });
    expect(await first.end()).toBe(1);
    const again = await proxied(url, args, first.io.cwd);
    await application(again.url);
    await until(async () => ((await stateOf(again)).live?.findings[0]?.times ?? 0) > 2);
    const metrics = await (await fetch(`${again.page}/metrics`)).text();
    expect(metrics).toMatch(/runproof_violations_total\{requirement="1\/json-content-type-run"\} \d/);
    expect(await again.end()).toBe(1);
    expect(again.io.printed()).not.toContain('FAILED 1/json-content-type-run:');
    expect(
      posted.filter((alert) => JSON.stringify(alert).includes('FAILED 1/json-content-type-run:')).length,
    ).toBe(1);
    const { findings } = JSON.parse(readFileSync(join(first.io.cwd, 'state.json'), 'utf8'));
    expect(findings[0]).toMatchObject({ state: 'ongoing' });
  });

  it('gives a script of the calls that failed, which fails again when it is replayed', async () => {
    const url = await upstream('--mutant', 'answers-as-text');
    const posted: Record<string, unknown>[] = [];
    const receiver = forThisTest(
      await listen((request, response) => {
        void json(request).then((alert) => posted.push(alert as Record<string, unknown>));
        response.end();
      }),
    );
    const {
      io,
      url: proxy,
      page,
      end,
    } = await proxied(url, [...['--out', 'report', '--min-decided', '1', '--alert-url', receiver.url]]);
    await application(proxy);
    await until(() => posted.length >= 2);
    const path = '/scripts/1%2Fjson-content-type-run.json';
    expect(posted[0]).toMatchObject({ kind: 'violation', script: path });
    expect(JSON.stringify(posted)).not.toContain('nth');
    expect(io.printed()).toContain(`  script:   ${page}${path}`);
    expect(await (await fetch(`${page}/`)).text()).toContain(
      `<a href="${path}" download="1-json-content-type-run.json">`,
    );
    expect((await fetch(`${page}/scripts/1%2Funknown.json`)).status).toBe(404);
    const script = await (await fetch(page + path)).text();
    expect(script).not.toContain(KEY);
    writeFileSync(join(io.cwd, 'page.json'), script);
    expect(await end()).toBe(1);
    const { requirements } = JSON.parse(readFileSync(join(io.cwd, 'report/report.json'), 'utf8'));
    const named: string = requirements.find(({ id }: { id: string }) => id === '1/json-content-type-run')
      .failures[0].script;
    expect(io.printed()).toContain(`runproof replay report/${named} ${url}/v2/abc`);
    for (const file of ['page.json', `report/${named}`]) {
      const again = createFakeIo({ cwd: io.cwd, env: { RUNPROOF_API_KEY: KEY } });
      expect(await runCli(['replay', file, `${url}/v2/abc`], again)).toBe(1);
      expect(again.printed()).toMatch(/^FAILED: .*1\/json-content-type-run/m);
    }
    const correct = createFakeIo({ cwd: io.cwd, env: { RUNPROOF_API_KEY: KEY } });
    expect(await runCli(['replay', 'page.json', `${await upstream()}/v2/abc`], correct)).toBe(0);
  });

  it('names the two calls that show that a reading has changed', async () => {
    let id = 'b8c4aff1-e67b-47da-b45e-87b256c04300';
    const service = forThisTest(
      await listen((request, response) => {
        request.resume();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id, status: 'IN_QUEUE' }));
      }),
    );
    const posted: unknown[] = [];
    const receiver = forThisTest(
      await listen((request, response) => {
        void json(request).then((alert) => posted.push(alert));
        response.end();
      }),
    );
    const { io, url, page: at } = await proxied(service.url, ['--alert-url', receiver.url]);
    await call(`${url}/v2/abc/run`, 'POST', { input: {} });
    await until(async () => (await stateOf({ page: at })).live?.readings['2.4/id-shape']?.[0] === 'uuid');
    id = 'job-2';
    await call(`${url}/v2/abc/run`, 'POST', { input: {} });
    await until(() => io.printed().includes('CHANGED 2.4/id-shape: other instead of uuid'));
    const lines = /CHANGED 2.4\/id-shape.*\n {2}before: {3}(.*)\n {2}now: {6}(.*)\n/.exec(io.printed())!;
    for (const line of lines.slice(1)) expect(line).toMatch(/^POST \/v2\/abc\/run, 200, 2\d{3}-.*Z$/);
    await until(() => posted.length > 0);
    const [before, now] = [{ method: 'POST' }, { method: 'POST' }];
    expect(posted).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'drift', question: '2.4/id-shape' },
        ...{ before: expect.objectContaining(before), now: expect.objectContaining(now) },
      }),
    );
    const page = await (await fetch(`${at}/`)).text();
    expect(page).toContain('changed <code>2.4/id-shape</code>');
    expect(page).toContain(`<li>before:   ${lines[1]}</li><li>now:      ${lines[2]}</li>`);
  });

  it('has webhooks called through itself, and those of earlier jobs when it is started again', async () => {
    const url = await upstream();
    const called: unknown[] = [];
    const receiver = forThisTest(
      await listen((request, response) => {
        called.push(request.url);
        request.resume();
        response.end();
      }),
    );
    const addresses = new Set<string>();
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request);
      for (const [address] of body.matchAll(/http:[^"]+\/_runproof\/webhook\/[^"]+/g)) addresses.add(address);
      const { method = '', url: path, headers } = request;
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: headers.authorization ?? '' },
        ...(method === 'POST' && { body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    const between = forThisTest(await listen((request, response) => void pass(request, response)));
    const args = ['--rewrite-webhooks', '--state', 'state.json', '--min-decided', '1'];
    const first = await proxied(between.url, args);
    await call(`${first.url}/v2/abc/run`, 'POST', { input: {}, webhook: `${receiver.url}/hook` });
    await until(() => called.length === 1);
    expect([...addresses]).toEqual([expect.stringContaining(first.url)]);
    await until(async () => (await stateOf(first)).live?.webhooks['2xx'] === 1);
    const metrics = await (await fetch(`${first.page}/metrics`)).text();
    expect(metrics).toContain('runproof_webhook_calls_total{answer="2xx"} 1');
    expect(await (await fetch(`${first.page}/`)).text()).toContain('1 answered 2xx');
    await first.end();
    const again = await proxied(between.url, ['--state', 'state.json'], first.io.cwd);
    const { pathname } = new URL([...addresses][0]!);
    await fetch(again.url + pathname, { method: 'POST' });
    expect(called).toEqual(['/hook', '/hook']);
    expect(statSync(join(first.io.cwd, 'state.json')).mode & 0o077).toBe(0);
  });

  it('says that it cannot judge where no answer can be judged', async () => {
    const { io, url, end } = await proxied('http://127.0.0.1:9');
    for (let nth = 0; nth < 25; nth += 1)
      expect((await call(`${url}/v2/abc/status/x${nth}`, 'GET')).status).toBe(502);
    await until(() => io.printed().includes('NOT JUDGED: none of the last calls could be judged'));
    expect(await end()).toBe(3);
  });
});
