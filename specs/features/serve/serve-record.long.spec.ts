/** `serve --record`: what a client called is played again, on a faulty endpoint too, and shrunk. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Script } from '../../../src/scenario/index.js';
import { serve } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const KEY = 'my-secret-key';

type Call = (method: string, path: string, body?: string) => Promise<{ id?: string }>;

/** Starts `serve --record calls.json`, calls it, and ends it as Ctrl-C does. */
async function recorded(
  client: (call: Call, io: FakeIo) => Promise<void>,
  more: readonly string[] = [],
): Promise<FakeIo> {
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
  const ended = runCli(['serve', '--port', '0', '--record', 'calls.json', ...more], io);
  await until(() => io.printed().includes('try:'));
  const url = /serving (\S+)/.exec(io.printed())![1]!;
  await client(async (method, path, body) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const reply = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    return (await reply.json()) as { id?: string };
  }, io);
  io.interrupt();
  expect(await ended).toBe(0);
  return io;
}

const read = (io: FakeIo): Script => JSON.parse(readFileSync(join(io.cwd, 'calls.json'), 'utf8')) as Script;

/** Cancels a running job, among other calls. */
async function session(call: Call): Promise<void> {
  const hangs = await call(
    'POST',
    '/run',
    JSON.stringify({ input: { plan: [{ hang: true }], note: `not ${KEY}` } }),
  );
  const done = await call('POST', '/runsync', '{"input":{"prompt":"hello"}}');
  await call('GET', `/status/${hangs.id}`);
  await call('POST', '/run', '{"input":');
  await call('GET', `/stream/${done.id}`);
  await call('POST', `/cancel/${hangs.id}`);
  await call('GET', `/status/${hangs.id}`);
}

async function printedBy(
  args: readonly string[],
  cwd: string,
): Promise<readonly [code: number, text: string]> {
  const io = createFakeIo({ cwd });
  return [await runCli(args, io), io.printed()];
}

describe('serve --record', () => {
  it('saves a script that replay plays and shrink shrinks, without the key', async () => {
    const io = await recorded(session);
    expect(io.printed()).toMatch(
      /^7 calls recorded by the emulator\nsaved as calls\.json; to make the calls again: npx runproof replay calls\.json\n$/m,
    );
    const text = readFileSync(join(io.cwd, 'calls.json'), 'utf8');
    expect(text).not.toContain(KEY);
    expect(statSync(join(io.cwd, 'calls.json')).mode & 0o777).toBe(0o600);
    expect(read(io).steps.map(({ do: does }) => does)).toEqual([
      'run',
      'runsync',
      'status',
      'raw',
      'stream',
      'cancel',
      'status',
    ]);

    expect(await printedBy(['replay', 'calls.json'], io.cwd)).toEqual([
      0,
      'PASSED: nothing failed  (exit 0)\n',
    ]);
    const [code, told] = await printedBy(['replay', 'calls.json', '--mutant', 'cancel-only-queued'], io.cwd);
    expect([code, told]).toEqual([1, expect.stringMatching(/^FAILED: .*3\/cancel-running/m)]);
    const [shrunk, how] = await printedBy(['shrink', 'calls.json', '--mutant', 'cancel-only-queued'], io.cwd);
    expect([shrunk, how]).toEqual([
      1,
      expect.stringMatching(/: 7 steps → 4 steps\n {4}run a\n {4}status a\n {4}cancel a\n/),
    ]);
    expect(await printedBy(['replay', 'calls.small.json', '--mutant', 'none'], io.cwd)).toEqual([
      0,
      expect.stringMatching(/^FIXED: /m),
    ]);
    expect(await printedBy(['shrink', 'calls.json', '--out', 'none.json'], io.cwd)).toEqual([
      0,
      'PASSED: nothing fails here  (exit 0)\n',
    ]);
  });

  it('is played in real time, on a server that nothing else uses where that matters', async () => {
    const recording = await recorded(async (call) => {
      await session(call);
      await call('GET', '/health');
    });
    const server = await serve({ clock: 'real', apiKeys: [KEY], workers: 2 });
    const replay = async (...more: readonly string[]): Promise<readonly [code: number, io: FakeIo]> => {
      const io = createFakeIo({ cwd: recording.cwd, env: recording.env });
      return [await runCli(['replay', 'calls.json', `${server.url}/v2/test`, ...more], io), io];
    };
    const [refused, told] = await replay();
    expect([refused, told.complained()]).toEqual([
      2,
      expect.stringContaining('this script needs an endpoint that nothing else uses (--dedicated)'),
    ]);
    const [code, io] = await replay('--dedicated');
    expect([code, io.printed()]).toEqual([0, 'PASSED: nothing failed  (exit 0)\n']);
  });

  it('writes while calls come, so that a kill loses little', async () => {
    await recorded(async (call, io) => {
      await call('GET', '/health');
      await until(() => existsSync(join(io.cwd, 'calls.json')));
      expect(read(io).steps).toEqual([{ do: 'health' }]);
    });
  });

  it('keeps the time of the endpoint, and names the edition', async () => {
    const io = await recorded(
      async (call) => {
        await call('GET', '/health');
        await new Promise((resolve) => setTimeout(resolve, 50));
        await call('GET', '/health');
      },
      ['--speed', '1000', '--edition', 'runpod', '--workers', '2'],
    );
    expect(io.printed()).toContain('runproof replay calls.json --edition runpod\n');
    const { steps, workers } = read(io);
    expect(workers).toBe(2);
    expect((steps[1]!.at as { waitMs: number }).waitMs).toBeGreaterThan(40_000);
  });

  it('writes nothing where nothing was called', async () => {
    const io = await recorded(() => Promise.resolve());
    expect(io.complained()).toContain('nothing was called, so there is no calls.json\n');
    expect(existsSync(join(io.cwd, 'calls.json'))).toBe(false);
  });

  it.each([
    ['there.json', 'there.json exists already: choose another file with --record'],
    ['no/where.json', '--record no/where.json: the folder no does not exist'],
  ])('refuses %s', async (name, message) => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'there.json'), 'mine');
    expect(await runCli(['serve', '--port', '0', '--record', name], io)).toBe(2);
    expect(io.complained()).toContain(message);
    expect(readFileSync(join(io.cwd, 'there.json'), 'utf8')).toBe('mine');
  });
});
