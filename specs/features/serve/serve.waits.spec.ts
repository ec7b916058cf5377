import { until } from '../../support/until.js';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo } from '../../cli/fake-io.js';

describe('serve', () => {
  it('serves until Ctrl-C and never prints the key', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'my-secret-key' } });
    const args = ['serve', '--port', '0', '--endpoint', 'mine', '--workers', '2', '--clock', 'controlled'];
    const ended = runCli(args, io);
    await until(() => io.printed().includes('try:'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const health = await fetch(`${url}/health`, { headers: { authorization: 'my-secret-key' } });
    expect(await health.json()).toMatchObject({ workers: { idle: 2, running: 0 } });
    expect((await fetch(`${url}/health`)).status).toBe(401);
    expect(io.printed()).toContain('test control at http://127.0.0.1:');
    expect(io.printed()).toContain(
      'official clients such as runpod-sdk need: npx runproof serve --edition runpod',
    );
    expect(io.printed()).toMatch(/live page at http:\/\/127\.0\.0\.1:\d+\/\n/);
    io.interrupt();
    expect(await ended).toBe(0);
    expect(io.printed() + io.complained()).not.toContain('my-secret-key');
  });

  it('prints lines for a worker that hold with the key of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runproof-key-'));
    writeFileSync(join(folder, "owner's key.txt"), 'key-of-a-file\n');
    const io = createFakeIo({ cwd: folder });
    const ended = runCli(['serve', '--port', '0', '--pull', '--api-key-file', "owner's key.txt"], io);
    await until(() => io.printed().includes('RUNPOD_AI_API_KEY'));
    const line = /^export RUNPOD_AI_API_KEY=.*$/m.exec(io.printed())![0];
    const { stdout } = spawnSync('sh', ['-c', `${line}; printf %s "$RUNPOD_AI_API_KEY"`]);
    expect(String(stdout)).toBe('key-of-a-file');
    io.interrupt();
    expect(await ended).toBe(0);
    expect(io.printed() + io.complained()).not.toContain('key-of-a-file');
    rmSync(folder, { recursive: true });
  });

  it('--speed 60 says so, and logs the time of the endpoint', async () => {
    const io = createFakeIo();
    const ended = runCli(['serve', '--port', '0', '--speed', '60', '--log'], io);
    await until(() => io.printed().includes('try:'));
    expect(io.printed()).toContain('time runs 60 times as fast: an hour takes 1 min\n');
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    expect(io.printed()).toContain(`to check it: npx runproof check ${url} --speed 60\n`);
    await fetch(`${url}/health`, { headers: { authorization: 'runproof-local' } });
    await until(() => io.printed().includes('GET  /v2'));
    // Not the time of day, as the endpoint has just begun: this test does not take an hour.
    expect(io.printed()).toMatch(/^0[0-5]:\d\d:\d\d\.\d{3} GET {2}\/v2\/test\/health 200/m);
    io.interrupt();
    expect(await ended).toBe(0);
  });

  it.each([
    [['--speed', '0.05'], '--speed requires a number from 0.1 to 10000, such as 60, not "0.05"'],
    [['--speed', 'fast'], '--speed requires a number from 0.1 to 10000, such as 60, not "fast"'],
    [['--speed', '60', '--clock', 'controlled'], 'leave out --clock controlled'],
  ])('refuses %j', async (args, message) => {
    const io = createFakeIo();
    expect(await runCli(['serve', '--port', '0', ...args], io)).toBe(2);
    expect(io.complained()).toContain(message);
  });

  it('without --pull it prints no variables for workers', async () => {
    const io = createFakeIo();
    const ended = runCli(['serve', '--port', '0'], io);
    await until(() => io.printed().includes('your own worker: "npx runproof serve --pull"'));
    expect(io.printed()).not.toContain('export ');
    expect(io.printed()).not.toContain('to check it');
    const base = /serving (\S+)\/v2/.exec(io.printed())?.[1] ?? '';
    const ready = await fetch(`${base}/_ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, emulator: 'runproof', edition: 'document', speed: 1 },
    ]);
    const lost = await fetch(`${base}/test/health`, { headers: { authorization: 'runproof-local' } });
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining('begin with /v2/')]);
    io.interrupt();
    expect(await ended).toBe(0);
  });

  it('--edition runpod tells official clients their address', async () => {
    const io = createFakeIo();
    const ended = runCli(['serve', '--port', '0', '--edition', 'runpod'], io);
    await until(() => io.printed().includes('your own worker'));
    expect(io.printed()).toContain('(edition runpod, real clock)');
    const base = /serving (\S+\/v2)/.exec(io.printed())?.[1] ?? '';
    expect(io.printed()).toContain(
      `official clients: baseUrl '${base}' (JavaScript), RUNPOD_ENDPOINT_BASE_URL=${base} (Python)\n`,
    );
    io.interrupt();
    expect(await ended).toBe(0);
  });

  it('starts and stops workers as needed', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const scaled = [
      '--workers',
      '0..2',
      '--cold-start',
      '2s',
      '--idle-timeout',
      '5s',
      '--jobs-per-worker',
      '2',
    ];
    const args = ['serve', '--port', '0', '--clock', 'controlled', '--edition', 'runpod', ...scaled];
    const ended = runCli([...args, '--scaler', 'queue-delay:4s'], io);
    await until(() => io.printed().includes('try:'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const control = /test control at (\S+)/.exec(io.printed())?.[1] ?? '';
    const ask = async (address: string, body?: unknown): Promise<unknown> => {
      const headers = { authorization: 'k', 'content-type': 'application/json' };
      const method = body === undefined ? 'GET' : 'POST';
      return (await fetch(address, { method, headers, body: JSON.stringify(body) })).json();
    };
    const pass = async (byMs: number): Promise<unknown> => {
      await ask(`${control}/clock/advance`, { byMs });
      return ((await ask(`${url}/health`)) as { workers: unknown }).workers;
    };
    const low = { input: { n: 1 }, policy: { lowPriority: true } };
    await ask(`${url}/run`, low);
    expect(await pass(3_600_000)).toMatchObject({ initializing: 0, idle: 0, running: 0 });
    const plan = [{ sleepMs: 10_000 }];
    for (let count = 0; count < 3; count++) await ask(`${url}/run`, { input: { plan } });
    expect(await pass(4_000)).toMatchObject({ initializing: 2, idle: 0, running: 0 });
    expect(await pass(2_000)).toMatchObject({ initializing: 0, idle: 0, running: 2 });
    expect(await pass(14_999)).toMatchObject({ initializing: 0, idle: 2, running: 0 });
    expect(await pass(1)).toMatchObject({ initializing: 0, idle: 0, running: 0 });
    expect(await ask(`${url}/health`)).toMatchObject({ jobs: { completed: 4, inQueue: 0 } });
    io.interrupt();
    await ended;
  });

  it.each([
    ['--workers many', '--workers requires a number such as 2, or a range such as 0..3, not "many"'],
    ['--workers 3..1', '--workers requires MIN..MAX with MIN no more than MAX, not "3..1"'],
    ['--workers 1..', '--workers requires an integer from 0 to 10000, not ""'],
    ['--workers 0..3 --scaler often', '--scaler is queue-delay:4s or request-count:4, with numbers of yours'],
    ['--workers 0..3 --scaler request-count:0', '--scaler requires an integer from 1 to 10000, not "0"'],
    ['--cold-start 2s', '--cold-start requires workers that are started and stopped, such as --workers 0..3'],
    ['--jobs-per-worker 0', '--jobs-per-worker requires an integer from 1 to 1000, not "0"'],
    ['--data ', '--data requires the name of a folder'],
    ['--fault status:5=503', 'the fault "status:5=503": the share "5" is not known; write 5% or 0.5%'],
    ['--fault 503', 'must have the form WHAT:SHARE=EFFECT, such as status:5%=503'],
    ['--seed x', '--seed requires an integer from 0 to 2147483647, not "x"'],
    ['--salvage', '--salvage requires the damaged folder: add --data DIR'],
  ])('serve %s: %s', async (args, complaint) => {
    const io = createFakeIo();
    expect(await runCli(['serve', '--port', '0', ...args.split(' ')], io)).toBe(2);
    expect(io.complained()).toContain(complaint);
  });

  it('says of a webhook that it does not call why, without its address', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const ended = runCli(['serve', '--port', '0'], io);
    await until(() => io.printed().includes('try:'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const webhook = 'http://169.254.169.254/hook?token=secret';
    await fetch(`${url}/runsync`, {
      method: 'POST',
      headers: { authorization: 'k' },
      body: JSON.stringify({ input: {}, webhook }),
    });
    await until(() => io.complained() !== '');
    expect(io.complained()).toMatch(
      /^webhooks to 169\.254\.169\.254 are not called: .*--allow-private-webhooks/,
    );
    expect(io.complained()).not.toContain('secret');
    io.interrupt();
    await ended;
  });

  it('refuses damaged data by name, and continues with the intact jobs when asked to', async () => {
    const data = mkdtempSync(join(tmpdir(), 'runproof-serve-'));
    const serving = async (
      ...more: string[]
    ): Promise<{ code: number | null; said: string; ids: string[] }> => {
      const io = createFakeIo();
      const ended = runCli(['serve', '--port', '0', '--workers', '0', '--data', data, ...more], io);
      const code = await Promise.race([ended, until(() => io.printed().includes('try:')).then(() => null)]);
      const ids: string[] = [];
      if (code === null) {
        const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
        for (const text of ['first', 'second']) {
          const headers = { authorization: 'runproof-local' };
          const body = JSON.stringify({ input: { text } });
          const reply = await fetch(`${url}/run`, { method: 'POST', headers, body });
          ids.push(((await reply.json()) as { id: string }).id);
        }
        io.interrupt();
        await ended;
      }
      return { code, said: io.complained(), ids };
    };
    const { ids } = await serving();
    const file = join(data, 'jobs.db');
    // Byte by byte: not all of them are text.
    writeFileSync(file, readFileSync(file, 'latin1').replaceAll('"first"', '"farst"'), 'latin1');
    const refused = await serving();
    expect(refused.code).toBe(2);
    expect(refused.said).toContain(
      `the data folder ${data} is damaged: jobs.db: the checksum of job ${ids[0]} is wrong`,
    );
    expect(refused.said).toContain(`1 job can be read completely. Lost: jobs (1): ${ids[0]}.`);
    expect(refused.said).toContain('add --salvage');
    const salvaged = await serving('--salvage');
    expect(salvaged.code).toBe(null);
    expect(salvaged.said).toContain('The damaged file is kept as jobs.db.damaged-1.');
    expect(readFileSync(`${file}.damaged-1`, 'latin1')).toContain('"farst"');
    expect((await serving('--salvage')).said).toContain('is not damaged');
    rmSync(data, { recursive: true });
  });

  it('--pull leaves the jobs to workers from outside, and tells the environment to start one in', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'my-secret-key' } });
    const ended = runCli(['serve', '--port', '0', '--endpoint', 'mine', '--pull'], io);
    await until(() => io.printed().includes('RUNPOD_SKIP_GPU_CHECK'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const exports = io
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('export '));
    const told = spawnSync('sh', ['-c', `${exports.join('\n')}\nenv`], {
      env: { PATH: process.env['PATH'], RUNPROOF_API_KEY: 'my-secret-key' },
      encoding: 'utf8',
    }).stdout;
    const variables = Object.fromEntries(
      told.split('\n').map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]),
    );
    expect(variables).toMatchObject({
      RUNPOD_POD_ID: 'pod-1',
      RUNPOD_WEBHOOK_GET_JOB: `${url}/job-take/pod-1?gpu=SIM`,
      RUNPOD_WEBHOOK_POST_OUTPUT: `${url}/job-done/$RUNPOD_POD_ID/$ID?gpu=SIM`,
      RUNPOD_WEBHOOK_POST_STREAM: `${url}/job-stream/$RUNPOD_POD_ID/$ID?gpu=SIM`,
      RUNPOD_WEBHOOK_PING: `${url}/ping/$RUNPOD_POD_ID`,
      RUNPOD_AI_API_KEY: 'my-secret-key',
      RUNPOD_PING_INTERVAL: '10000',
      RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
      RUNPOD_SKIP_GPU_CHECK: 'true',
    });
    const headers = { authorization: 'my-secret-key' };
    expect(await (await fetch(`${url}/health`, { headers })).json()).toMatchObject({
      workers: { idle: 0, running: 0 },
    });
    const run = await fetch(`${url}/run`, { method: 'POST', headers, body: '{"input":{"a":1}}' });
    const { id } = (await run.json()) as { id: string };
    const taken = await fetch(`${variables['RUNPOD_WEBHOOK_GET_JOB']}&job_in_progress=0`, { headers });
    expect(await taken.json()).toEqual({ id, input: { a: 1 } });
    io.interrupt();
    expect(await ended).toBe(0);
    expect(io.printed() + io.complained()).not.toContain('my-secret-key');
  });

  it('says so when the port is taken', async () => {
    const first = createFakeIo();
    const running = runCli(['serve', '--port', '0'], first);
    await until(() => first.printed().includes('try:'));
    const port = /:(\d+)\/v2/.exec(first.printed())?.[1] ?? '';
    const second = createFakeIo();
    expect(await runCli(['serve', '--port', port], second)).toBe(2);
    expect(second.complained()).toBe(
      `runproof: port ${port} is in use: choose another with --port, or 0 for any free port\n`,
    );
    first.interrupt();
    await running;
  });
});
