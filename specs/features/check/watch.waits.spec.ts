/** `check --watch`: what a developer leaves running beside the server that is being written. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { checkOnRestart } from '../../../src/features/check/watch.js';
import { CHECK_CONFIG } from '../../../src/features/check/options.js';
import type { CheckSettings } from '../../../src/features/check/index.js';
import { defaultsOf } from '../../../src/cli/options/option.js';
import { runCli } from '../../../src/shell/program.js';
import { knownFault } from '../../../src/cli/known-fault.js';
import { startServer } from '../../../src/server/index.js';
import { until } from '../../support/until.js';
import { createFakeIo } from '../../cli/fake-io.js';

const KEY = 'key-of-the-spec';

it(
  'checks again when the server is restarted: what failed, and then everything',
  { timeout: 240_000 },
  async () => {
    const options = { clock: 'controlled', apiKeys: [KEY] } as const;
    const { rules } = await knownFault('ttl-spares-running');
    const faulty = await startServer({ ...options, rules });
    const port = Number(new URL(faulty.url).port);
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: KEY } });
    const seen = (what: RegExp): Promise<void> =>
      until(() => what.test(io.printed() + io.complained()), 100_000);
    const where = [faulty.url, '--control', faulty.controlUrl ?? ''];
    const scope = [
      '--only',
      '2.2/ttl-removes-running',
      '--runs',
      '1',
      '--seed',
      '2',
      '--out',
      'r',
      '--format',
      'json',
    ];
    const ended = runCli(['check', ...where, ...scope, '--watch'], io);
    await seen(/DOES NOT CONFORM.*\n/);
    await faulty.close();
    await seen(/has stopped\n/);
    const fixed = await startServer({ ...options, port });
    await seen(/DOES NOT CONFORM.*\nFIXED.*\nSELECTION CONFORMS.*\n/);
    await until(() => (io.complained().match(/waiting until/g) ?? []).length === 2);
    io.interrupt();
    expect(await ended).toBe(0);
    await fixed.close();
    expect(io.complained().match(/answers again/g)).toHaveLength(1);
  },
);

it('requires a server', async () => {
  const io = createFakeIo();
  expect(await runCli(['check', '--watch'], io)).toBe(2);
  expect(io.complained()).toContain('--watch requires the URL of a server');
});

it('checks everything, too, where what failed is not decided by itself', async () => {
  const listen = (port: number): Promise<Server> =>
    new Promise((done) => {
      const server = createServer((socket) => socket.end()).listen(port, '127.0.0.1', () => done(server));
    });
  const first = await listen(0);
  const { port } = first.address() as AddressInfo;
  const io = createFakeIo();
  const codes = [1, 6, 0] as const;
  const asked: boolean[] = [];
  const check = ({ lastFailed }: CheckSettings) => Promise.resolve(codes[asked.push(lastFailed) - 1]!);
  const ended = checkOnRestart(
    { ...defaultsOf(CHECK_CONFIG), url: `http://127.0.0.1:${port}/v2/test` },
    io,
    check,
  );
  await until(() => io.complained().includes('waiting until'));
  await new Promise((done) => first.close(done));
  await until(() => io.complained().includes('has stopped'));
  const second = await listen(port);
  await until(() => (io.complained().match(/waiting until/g) ?? []).length === 2);
  io.interrupt();
  expect(await ended).toBe(0);
  expect(asked).toEqual([false, true, false]);
  second.close();
});
