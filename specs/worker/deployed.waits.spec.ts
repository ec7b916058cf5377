/**
 * `handler.py` as a separate worker, started with the environment variables that `serve` prints, and with a
 * fake SDK.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { startServer, workerEnvironment, type RunningServer } from '../../src/server/index.js';
import { createCaller, type Caller } from '../server/caller.js';

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PYTHON = spawnSync('python3', ['--version']).status === 0;
const PATIENCE = { timeout: 30_000, interval: 20 };

describe.skipIf(!PYTHON)('a deployed handler.py (needs python3)', () => {
  let server: RunningServer;
  let api: Caller;
  let worker: ChildProcess;
  let said = '';

  beforeAll(async () => {
    server = await startServer({ apiKeys: ['k'], workers: 0 });
    api = createCaller(`${server.url}/v2/test`, 'k');
    const environment = { url: server.url, endpoint: 'test', workerId: 'pod-1', quotedKey: "'k'" };
    const start = `exec python3 '${pathTo('../../scenarios/worker/handler.py')}'`;
    worker = spawn('sh', ['-c', [...workerEnvironment(environment), start].join('\n')], {
      env: {
        PATH: process.env['PATH'],
        PYTHONPATH: pathTo('stand-in-sdk'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    worker.stderr!.on('data', (chunk) => (said += chunk));
  });
  afterAll(async () => {
    const over = once(worker, 'exit');
    worker.kill('SIGTERM');
    await over;
    await server.close();
  }, 30_000);

  const submit = async (input: object, more: object = {}): Promise<string> =>
    (await api.post('/run', { input, ...more })).json.id as string;
  const status = async (id: string) => (await api.get(`/status/${id}`)).json;
  async function ended(id: string) {
    await expect.poll(async () => (await status(id)).status, PATIENCE).not.toMatch(/^IN_/);
    return status(id);
  }
  const work = async (plan: Json, more: object = {}) => ended(await submit({ plan }, more));

  it('executes plans', async () => {
    expect(await work([{ sleepMs: 20 }, { return: { a: 'é' } }])).toMatchObject({
      status: 'COMPLETED',
      output: { a: 'é' },
    });
    const odd = { error: 'none', refresh_worker: true, id: 'mine' };
    expect(await work([{ return: odd }])).toMatchObject({ status: 'COMPLETED', output: odd });
    expect(await work([{ return: {} }])).toMatchObject({ status: 'COMPLETED', output: {} });
    expect((await work([{ returnBytes: 2_000_000 }])).output.data).toHaveLength(2_000_000);
    expect(await work([{ fail: 'no luck' }])).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('no luck'),
    });
    const s3Config = { accessId: 'a', bucketName: 'b' };
    expect(await work([{ s3Config: true }], { s3Config })).toMatchObject({ output: { s3Config } });
    expect(said).toBe('');
  }, 60_000);

  it('streams while it works, and splits long strings', async () => {
    const id = await submit({ plan: [{ stream: { n: 1 } }, { streamBytes: 600_000 }, { hang: true }] });
    const chunks: { output: Json }[] = [];
    await expect
      .poll(async () => {
        chunks.push(...((await api.get(`/stream/${id}`)).json as { output: Json }[]));
        return chunks
          .slice(1)
          .map(({ output }) => output)
          .join('').length;
      }, PATIENCE)
      .toBe(600_000);
    expect(chunks[0]).toEqual({ output: { n: 1 } });
    expect((await status(id)).status).toBe('IN_PROGRESS');
    // The worker is stopped, and free again.
    await api.post(`/cancel/${id}`);
    expect(await work([{ return: 'next' }])).toMatchObject({ output: 'next' });
    expect((await status(id)).status).toBe('CANCELLED');
  }, 60_000);

  it('remembers which jobs it has run, and is replaced when it dies', async () => {
    const id = await submit({ plan: [{ fail: 'once' }], planOnRetry: [{ return: 'again' }] });
    expect((await ended(id)).status).toBe('FAILED');
    const crash = await submit({ plan: [{ crash: true }] });
    expect(await work([{ return: 'fresh' }])).toMatchObject({ output: 'fresh' });
    // The death of a worker shows only after the heartbeat timeout.
    expect((await status(crash)).status).toBe('IN_PROGRESS');
    await api.post(`/retry/${id}`);
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', output: 'again' });
  }, 60_000);
});
