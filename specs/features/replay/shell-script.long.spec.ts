/** The shell scripts of failures: they show the failure on a faulty server, and another answer on a right one. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import type { FaultId } from '../../naive/faults/index.js';
import { startNaive, type Naive } from '../../naive/server.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';
import { forThisTest, listen } from '../../support/servers.js';

const MISSING = ['bash', 'curl', 'grep', 'sed', 'mktemp'].find((program) => {
  try {
    execFileSync('which', [program]);
    return false;
  } catch {
    return true;
  }
});

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function naive(fault?: FaultId): Promise<Naive> {
  const server = await startNaive({ clock: 'controlled', ...(fault === undefined ? {} : { fault }) });
  closers.push(() => server.close());
  return server;
}

async function checked(server: Naive, ...only: readonly string[]): Promise<FakeIo> {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: server.apiKey } });
  const where = [`${server.url}/v2/${server.endpointId}`, '--control', server.controlUrl];
  expect(
    await runCli(['check', ...where, '--only', ...only, '--seed', '1', '--runs', '1', '--out', 'r'], io),
  ).toBe(1);
  return io;
}

const PADDING = '-'.repeat(280);

/** Forwards calls to the server; what it refuses, it answers with the key at the end of a long text. */
async function echoing({ url, apiKey }: Naive): Promise<string> {
  const proxy = await listen((request, response) => {
    void (async () => {
      const { method = 'GET', url: path = '/', headers } = request;
      const body = method === 'GET' ? null : Buffer.concat(await request.toArray());
      const { authorization = '', 'content-type': type = 'application/json' } = headers;
      const answer = await fetch(url + path, {
        method,
        body,
        headers: { authorization, 'content-type': type },
      });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.ok ? text : JSON.stringify({ error: PADDING + apiKey }));
    })();
  });
  return forThisTest(proxy).url;
}

function played(
  file: string,
  { url, controlUrl, apiKey }: Naive,
): Promise<{ readonly code: number; readonly out: string }> {
  const env = { ...process.env, BASE_URL: url, CONTROL_URL: controlUrl, RUNPROOF_API_KEY: apiKey };
  return new Promise((done) => {
    execFile('bash', [file], { env, timeout: 30_000 }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr }),
    );
  });
}

const scriptsIn = (io: FakeIo): readonly string[] =>
  readdirSync(join(io.cwd, 'r/failures'))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => join(io.cwd, 'r/failures', name));

describe.skipIf(MISSING !== undefined)(`a failure as a shell script (needs bash, curl, grep, sed)`, () => {
  it.each<[FaultId, readonly string[]]>([
    ['ttl-ignored-while-running', ['2.2/ttl-default-of-a-running-job', '2.2/ttl-of-a-retried-job']],
    ['cancel-finds-nothing', ['4.5/*']],
  ])(
    '%s: shows it again on a fresh server, and another answer on a right one',
    async (fault, only) => {
      const io = await checked(await naive(fault), ...only);
      const scripts = scriptsIn(io);
      expect(scripts).not.toEqual([]);
      const [faulty, right] = [await naive(fault), await naive()];
      for (const script of scripts) {
        const again = await played(script, faulty);
        expect(again, again.out).toMatchObject({ code: 1 });
        expect(again.out).toContain('The same code and status as in the recorded failure.');
        const name = /ENDPOINT:-([^}]+)/.exec(readFileSync(script, 'utf8'))![1]!;
        const headers = { authorization: faulty.apiKey };
        expect((await fetch(`${faulty.controlUrl}/endpoints/${name}`, { headers })).status).toBe(404);
        const other = await played(script, right);
        expect(other, other.out).toMatchObject({ code: 0 });
        expect(other.out).toContain('The answers differ from the recorded failure; the failure is fixed, or');
      }
    },
    60_000,
  );

  it('is named by the report, never contains the key, and ends with 2 and a word without one', async () => {
    const server = await naive('ttl-ignored-while-running');
    const io = await checked(server, '2.2/ttl-default-of-a-running-job');
    const report = JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
    const { shell } = report.requirements.find(({ verdict }) => verdict === 'fail')!.failures[0]!;
    expect(shell).toMatch(/^failures\/.*\.sh$/);
    expect(io.printed()).toContain(`bash r/${shell}`);
    expect(existsSync(join(io.cwd, 'r', shell!))).toBe(true);
    expect(readFileSync(join(io.cwd, 'r', shell!), 'utf8')).not.toContain(server.apiKey);
    const { code, out } = await played(scriptsIn(io)[0]!, { ...server, apiKey: '' });
    const told = 'set RUNPROOF_API_KEY to the API key (that of the emulator: runproof-local)\n';
    expect({ code, out }).toEqual({ code: 2, out: told });
  });

  it('contains no part of a key that an answer repeats where the answer is cut short', async () => {
    const server = await naive('cancel-finds-nothing');
    const proxy = await echoing(server);
    const io = await checked({ ...server, url: proxy }, '4.5/*', '--no-shrink');
    const scripts = scriptsIn(io);
    expect(scripts).not.toEqual([]);
    for (const script of scripts) {
      const text = readFileSync(script, 'utf8');
      expect(text).toContain(PADDING);
      expect(text).not.toContain(server.apiKey.slice(0, 6));
    }
  });

  it('is not written where the harness itself has to receive calls', async () => {
    const io = await checked(await naive('webhook-never'), '6/called-at-completion', '--no-shrink');
    expect(scriptsIn(io)).toEqual([]);
  });
});
