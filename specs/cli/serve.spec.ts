import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import { createFakeIo } from './fake-io.js';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('serve', () => {
  it('serves until Ctrl-C and never tells the key', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'my-secret-key' } });
    const args = ['serve', '--port', '0', '--endpoint', 'mine', '--workers', '2', '--clock', 'controlled'];
    const ended = runCli(args, io);
    await until(() => io.printed().includes('try:'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const health = await fetch(`${url}/health`, { headers: { authorization: 'my-secret-key' } });
    expect(await health.json()).toMatchObject({ workers: { idle: 2, running: 0 } });
    expect((await fetch(`${url}/health`)).status).toBe(401);
    expect(io.printed()).toContain('test control at http://127.0.0.1:');
    io.interrupt();
    expect(await ended).toBe(0);
    expect(io.printed() + io.complained()).not.toContain('my-secret-key');
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

  it('a second Ctrl-C ends it at once; the same one coming twice does not', async () => {
    let nowMs = 0;
    const io = createFakeIo({ monotonicMs: () => nowMs });
    const receiver = createServer(() => undefined).listen(0);
    const ended = runCli(['serve', '--port', '0'], io);
    await until(() => io.printed().includes('try:'));
    const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await fetch(`${url}/run`, {
      method: 'POST',
      headers: { authorization: 'runproof-local' },
      body: JSON.stringify({ input: {}, webhook }),
    });
    io.interrupt();
    io.interrupt();
    const early = new Promise((resolve) => setTimeout(() => resolve('still there'), 200));
    expect(await Promise.race([ended, early])).toBe('still there');
    nowMs = 1_000;
    io.interrupt();
    expect(await ended).toBe(130);
    receiver.closeAllConnections();
    receiver.close();
  });

  it('says so when the port is taken', async () => {
    const first = createFakeIo();
    const running = runCli(['serve', '--port', '0'], first);
    await until(() => first.printed().includes('try:'));
    const port = /:(\d+)\/v2/.exec(first.printed())?.[1] ?? '';
    const second = createFakeIo();
    expect(await runCli(['serve', '--port', port], second)).toBe(2);
    expect(second.complained()).toBe(
      `runproof: port ${port} is taken: choose another with --port, or 0 for any free one\n`,
    );
    first.interrupt();
    await running;
  });
});
