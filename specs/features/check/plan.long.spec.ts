import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { type RunningServer } from '../../../src/server/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';
import { serve as serveForTest } from '../../support/servers.js';

const KEY = 'key-of-the-spec';
const SCOPE = ['--only', '4.5', '2.2/ttl-removes-running', '--profile', 'quick', '--seed', '1'];

async function serve(workers = 4): Promise<RunningServer> {
  return serveForTest({ apiKeys: [KEY], clock: 'real', endpoints: ['test'], workers });
}

const withKey = (more: Partial<FakeIo> = {}): FakeIo =>
  createFakeIo({ env: { RUNPROOF_API_KEY: KEY }, ...more });

async function jobs(
  server: RunningServer,
): Promise<{ inProgress: number; inQueue: number; completed: number }> {
  const reply = await fetch(`${server.url}/v2/test/health`, { headers: { authorization: KEY } });
  return ((await reply.json()) as { jobs: { inProgress: number; inQueue: number; completed: number } }).jobs;
}

describe('plan', () => {
  it('counts the scripts of random calls that are played as well', async () => {
    const io = createFakeIo();
    expect(await runCli(['plan', '--only', '9', '--explore', '7', '--seed', '1', '-v'], io)).toBe(0);
    expect(io.printed()).toMatch(/^ {2}explore \(7 scripts\)$/m);
    expect(await runCli(['plan', '--explore', 'all'], createFakeIo())).toBe(2);
    const { url } = await serve();
    const plain = withKey();
    expect(await runCli(['plan', `${url}/v2/test`, ...SCOPE, '--explore', '7'], plain)).toBe(0);
    expect(plain.printed()).toMatch(/^left out random calls \(--explore\): needs a known number of workers/m);
  });

  it('tells calls, time and side effects of the embedded endpoint', async () => {
    const io = createFakeIo();
    const scope = ['--only', '2.2', '--runs', '1', '--seed', '1'];
    expect(await runCli(['plan', ...scope], io)).toBe(0);
    expect(io.printed()).toMatch(/^target the embedded endpoint, controlled clock$/m);
    expect(io.printed()).toMatch(/^seed 1: \d+ scripts of \d+ scenarios, about \d+ calls, no waiting/m);
    expect(io.printed()).toMatch(/^calls: status \d+, .*run \d+/m);
    expect(io.printed()).toContain('leaves nothing behind');
    expect(io.printed()).toMatch(/^-v names the scenarios$/m);
    expect(io.printed()).not.toContain('2.2/ttl-removes-a-running-job');
    const whole = createFakeIo();
    expect(await runCli(['plan', ...scope, '-v'], whole)).toBe(0);
    expect(whole.printed()).toMatch(/^ {2}2\.2\/ttl-removes-a-running-job$/m);
    expect(whole.printed()).not.toContain('explore');
  });

  it('prints itself as JSON', async () => {
    const io = createFakeIo();
    expect(await runCli(['plan', '--only', '9', '--seed', '1', '--format', 'json'], io)).toBe(0);
    const planned = JSON.parse(io.printed()) as { scripts: number; scenarios: { scripts: number }[] };
    expect(planned).toMatchObject({ clock: 'controlled', seed: 1, wallMs: null, limitMs: null });
    expect(planned.scripts).toBeGreaterThan(0);
    expect(planned.scenarios.reduce((sum, { scripts }) => sum + scripts, 0)).toBe(planned.scripts);
  });

  it('sends a deployed one nothing but probes', async () => {
    const server = await serve();
    const io = withKey();
    expect(await runCli(['plan', `${server.url}/v2/test`, ...SCOPE], io)).toBe(0);
    expect(io.printed()).toMatch(/real clock$/m);
    expect(io.printed()).toMatch(/, about \d.* s$/m);
    const { inProgress, inQueue, completed } = await jobs(server);
    expect(inProgress + inQueue).toBe(0);
    expect(completed).toBeLessThanOrEqual(3);
  });

  it('says in a few lines what is left out, and with -v of each scenario why', async () => {
    const server = await serve();
    const target = [`${server.url}/v2/test`, '--profile', 'quick', '--seed', '1'];
    const leftOut = (io: FakeIo): readonly string[] =>
      io.printed().match(/^(?:left out|  \d+:? ).*$/gm) ?? [];
    const plain = withKey();
    expect(await runCli(['plan', ...target], plain)).toBe(0);
    expect(plain.printed()).toMatch(/^left out \d{2,} scenarios, by what they need \(-v names them\):$/m);
    expect(plain.printed()).toMatch(/^ {2}\d+: an endpoint that nothing else uses \(--dedicated\)$/m);
    expect(plain.printed()).toMatch(/^ {2}\d+: longer waits \(--profile\)$/m);
    expect(leftOut(plain).length).toBeLessThanOrEqual(8);
    const whole = withKey();
    expect(await runCli(['plan', ...target, '-v'], whole)).toBe(0);
    expect(whole.printed()).toMatch(/^left out 4\.2\/retention-after-a-retry: needs a wait of \d/m);
    expect(leftOut(whole).length).toBeGreaterThan(50);
  });

  it('leaves out what a budget has no room for', async () => {
    const server = await serve(1);
    const io = withKey();
    const budget = ['--budget', '4s'];
    expect(await runCli(['plan', `${server.url}/v2/test`, ...SCOPE, ...budget], io)).toBe(0);
    expect(io.printed()).toMatch(/^left out \d+ scenarios?: no room in the budget of 4 s$/m);
    expect(io.printed()).not.toContain('  2.2/ttl-removes-a-running-job');
  });
});

describe('the file of created jobs', () => {
  it('lets clean end what an interrupted run could not, once', async () => {
    const server = await serve(1);
    const io = withKey();
    const submit = async (): Promise<string> => {
      const reply = await fetch(`${server.url}/v2/test/run`, {
        method: 'POST',
        headers: { authorization: KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ input: { plan: [{ hang: true }] } }),
      });
      return ((await reply.json()) as { id: string }).id;
    };
    const [left, ended] = [await submit(), await submit()];
    const lines = [
      { schema: 'runproof-jobs/1', url: server.url, auth: 'bare' },
      { endpoint: 'test', job: left, event: 'created' },
      { endpoint: 'test', job: ended, event: 'created' },
      { endpoint: 'test', job: ended, event: 'ended' },
    ];
    writeFileSync(join(io.cwd, 'jobs.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(0);
    expect(io.printed()).toBe('1 job ended\n');
    // The other one was none of its business, and has the worker now.
    expect(await jobs(server)).toMatchObject({ inProgress: 1, inQueue: 0 });
    expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(0);
    expect(io.printed()).toContain('nothing to end');
  });

  it('says which jobs it could not end, and rejects other files', async () => {
    const io = withKey();
    const lines = [
      { schema: 'runproof-jobs/1', url: 'http://127.0.0.1:1', auth: 'bare' },
      { endpoint: 'test', job: 'a', event: 'created' },
    ];
    writeFileSync(join(io.cwd, 'jobs.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await runCli(['clean', 'jobs.ndjson'], io)).toBe(3);
    expect(io.complained()).toContain('test/a');
    writeFileSync(join(io.cwd, 'other.ndjson'), '{"kind":"run"}\n');
    expect(await runCli(['clean', 'other.ndjson'], io)).toBe(2);
    expect(io.complained()).toContain('other.ndjson:1');
  }, 60_000);

  it('tells after an interrupted run that every job was ended', async () => {
    const server = await serve();
    const io: FakeIo = withKey({ timestamp: () => (setTimeout(() => io.interrupt(), 1_500), 'now') });
    const args = ['check', `${server.url}/v2/test`, ...SCOPE, '--out', 'out', '--format', 'json'];
    expect(await runCli(args, io)).toBe(130);
    const createdJobs = readFileSync(join(io.cwd, 'out', 'jobs.ndjson'), 'utf8');
    const count = (event: string): number => createdJobs.split(`"event":"${event}"`).length - 1;
    expect(count('created')).toBeGreaterThan(0);
    expect(count('ended')).toBe(count('created'));
    expect(await jobs(server)).toMatchObject({ inProgress: 0, inQueue: 0 });
    expect(existsSync(join(io.cwd, 'out', 'report.json'))).toBe(true);
  }, 60_000);
});
