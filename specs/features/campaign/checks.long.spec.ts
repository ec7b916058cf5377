/** Deployed targets are checked with many seeds, or around the clock: what changes is told within one period. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { queueOfTarget } from '../../../src/features/campaign/check-target.js';
import { connect } from '../../../src/features/campaign/engine.js';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { freePort, NO_REDIS, startRedis } from './redis.js';

/** Longer than a check takes. */
const PERIOD_S = 15;

describe.skipIf(NO_REDIS !== null)(`checks of deployed targets (${NO_REDIS ?? 'with Redis'})`, () => {
  it(
    'tell within one period what changed: on the terminal, as metrics, on a page, and to a command',
    { timeout: 120_000 },
    async () => {
      const url = `redis://127.0.0.1:${await startRedis()}`;
      const target = await changeable();
      const io = createFakeIo({
        env: { ...process.env, RUNPROOF_API_KEY: 'k' },
        timestamp: () => new Date().toISOString(),
      });
      const check = '--check=--only 2.7 --profile quick --dedicated --seed 5';
      const schedule = [
        'campaign',
        'schedule',
        url,
        '--target',
        target.url,
        '--every',
        `${PERIOD_S}s`,
        check,
      ];
      expect(await runCli(schedule, io)).toBe(0);
      const port = await freePort();
      const told = join(io.cwd, 'told.txt');
      const working = runCli(
        [
          'campaign',
          'work',
          url,
          '--checks',
          '--listen',
          `127.0.0.1:${port}`,
          '--on-change',
          `cat > ${told}`,
        ],
        io,
      );

      await vi.waitFor(() => expect(io.printed()).toMatch(/exit 0, 0 failed, \d+ passed/), {
        timeout: 3 * PERIOD_S * 1_000,
      });
      expect(io.printed()).not.toContain('CHANGED');
      target.breakIt();
      const brokenAtMs = Date.now();
      await vi.waitFor(() => expect(io.printed()).toContain('CHANGED 2.7/jobs-retried: pass → fail'), {
        timeout: 3 * PERIOD_S * 1_000,
      });
      // The first check that began after the change tells it, and it began within one period.
      const points = [...io.printed().matchAll(/^(\S+) \S+: exit \d.*\n( {2}CHANGED)?/gm)];
      const later = points.filter(([, at]) => Date.parse(at!) > brokenAtMs);
      const [[, toldAt, changed] = []] = later;
      expect(changed).toBeDefined();
      expect(Date.parse(toldAt!) - brokenAtMs).toBeLessThan((PERIOD_S + 1) * 1_000);
      await vi.waitFor(() =>
        expect(existsSync(told) && readFileSync(told, 'utf8')).toContain('2.7/jobs-retried: pass → fail'),
      );
      const [metrics, page] = await Promise.all(
        ['metrics', ''].map(async (path) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text()),
      );
      expect(metrics).toMatch(new RegExp(`runproof_check_failed\\{target="${target.url}"\\} [1-9]`));
      expect(page).toContain('2.7/jobs-retried: pass → fail');
      io.interrupt();
      expect(await working).toBe(130);

      const listed = createFakeIo();
      await runCli(['campaign', 'list', url], listed);
      expect(listed.printed()).toMatch(
        new RegExp(
          `every ${PERIOD_S} s {2}exit 1, .*\\n {2}last changed at .*2\\.7/jobs-retried: pass → fail`,
        ),
      );
      expect(
        await runCli(['campaign', 'schedule', url, '--target', target.url, '--every', 'never'], listed),
      ).toBe(0);
      const empty = createFakeIo();
      await runCli(['campaign', 'list', url], empty);
      expect(empty.printed()).not.toContain(target.url);
    },
  );

  it(
    'explore several targets with many seeds, one check at a time at each, and stop and go on',
    { timeout: 240_000 },
    async () => {
      const url = `redis://127.0.0.1:${await startRedis()}`;
      const sound = await changeable();
      const faulty = await changeable();
      faulty.breakIt();
      const io = createFakeIo({ env: { ...process.env, RUNPROOF_API_KEY: 'k' } });
      const campaign = (...args: readonly string[]): Promise<number> =>
        runCli(['campaign', args[0]!, url, ...args.slice(1)], io);
      const targets = ['--target', sound.url, '--target', faulty.url];
      const check = '--check=--only 2.7 --profile quick --dedicated --min-decided 1';
      expect(await campaign('start', ...targets, '--seed', '7', '--runs', '2', check)).toBe(0);
      const name = io.printed().trim();

      expect(await campaign('remove', name)).toBe(2);
      expect(await campaign('stop', name)).toBe(0);
      expect(await campaign('watch', '--once')).toBe(0);
      expect(io.printed()).toContain(`${name} stopped: `);
      expect(await campaign('report', name, '--out', 'early')).toBe(6);
      expect(await campaign('resume', name)).toBe(0);
      const work = ['work', '--checks', '--once'];
      // A worker that is interrupted in the middle of a check gives it back; it does not count as a try.
      const interrupted = campaign(...work);
      await vi.waitFor(() => expect(io.complained()).toContain('checking '), { timeout: 10_000 });
      await sleep(500);
      io.interrupt();
      expect(await interrupted).toBe(130);
      expect(io.complained()).toContain('ending the check at hand; a worker will do it again');
      expect(await Promise.all([campaign(...work), campaign(...work)])).toEqual([0, 0]);

      const engine = await connect(url, () => {});
      for (const target of [sound.url, faulty.url]) {
        const jobs = await engine.queue(queueOfTarget(target)).getJobs(['completed']);
        expect(new Set(jobs.map(({ id }) => id))).toEqual(new Set([`${name}-7`, `${name}-8`]));
        expect(jobs.map(({ attemptsMade }) => attemptsMade)).toEqual([1, 1]);
        const [first, second] = jobs.sort((a, b) => a.processedOn! - b.processedOn!);
        expect(second!.processedOn).toBeGreaterThanOrEqual(first!.finishedOn!);
      }
      await engine.close();

      expect(await campaign('report', name, '--out', 'out')).toBe(1);
      expect(io.printed()).toContain('BROKEN 2.7/jobs-retried, with 2 seeds, first 7');
      const verdicts = readdirSync(join(io.cwd, 'out')).map((folder) => {
        const path = join(io.cwd, 'out', folder, 'report.json');
        const { target, requirements } = JSON.parse(readFileSync(path, 'utf8')) as Report;
        const { verdict, decided } = requirements.find(({ id }) => id === '2.7/jobs-retried')!;
        expect(decided).toBeGreaterThanOrEqual(2);
        return [target.url, verdict];
      });
      expect(Object.fromEntries(verdicts)).toEqual({
        [new URL(sound.url).origin]: 'pass',
        [new URL(faulty.url).origin]: 'fail',
      });
      expect(await campaign('remove', name)).toBe(0);
      const listed = createFakeIo();
      await runCli(['campaign', 'list', url], listed);
      expect(listed.printed()).toContain('no campaign yet');
    },
  );

  it('that three tries could not make are set aside', { timeout: 120_000 }, async () => {
    const url = `redis://127.0.0.1:${await startRedis()}`;
    const io = createFakeIo({ env: { ...process.env, RUNPROOF_API_KEY: 'k' } });
    const target = `http://127.0.0.1:${await freePort()}/v2/test`;
    const start = ['campaign', 'start', url, '--target', target, '--seed', '1', '--runs', '2'];
    expect(await runCli(start, io)).toBe(0);
    expect(await runCli(['campaign', 'work', url, '--checks', '--once'], io)).toBe(0);
    expect(await runCli(['campaign', 'report', url], io)).toBe(6);
    expect(io.printed()).toMatch(/set aside: seeds 1, 2: the target does not answer: .*127\.0\.0\.1/);
  });

  it.each([
    [['--seed', '1'], /requires --seed and --runs/],
    [['--seed', '1', '--runs', '5000'], /--runs requires an integer/],
    [['--seed', '1', '--runs', '5', '--mutant', 'all'], /--mutant does not apply to --target/],
    [['--seed', '1', '--runs', '5', '--check=--seed 3'], /--check takes no --seed/],
  ])('refuse a campaign over targets with %s', async (options, message) => {
    const url = `redis://127.0.0.1:${await startRedis()}`;
    const io = createFakeIo();
    const start = ['campaign', 'start', url, '--target', 'http://127.0.0.1:1', ...options];
    expect(await runCli(start, io)).toBe(2);
    expect(io.complained()).toMatch(message);
  });

  it.each([
    [[], /campaign schedule requires one --target/],
    [['--target', 'http://127.0.0.1:1', '--target', 'http://127.0.0.1:2'], /requires one --target/],
    [['--target', 'nowhere'], /--target requires an http or https address/],
    [['--target', 'http://127.0.0.1:1', '--every', '1s'], /--every requires at least 5 s/],
    [
      ['--target', 'http://127.0.0.1:1', '--check=--api-key geheim'],
      /--check takes no --api-key: keys stay with the workers/,
    ],
    [
      ['--target', 'http://127.0.0.1:1', '--every', 'never'],
      /no check of http:\/\/127\.0\.0\.1:1 is scheduled/,
    ],
  ])('refuse %s', async (options, message) => {
    const url = `redis://127.0.0.1:${await startRedis()}`;
    const io = createFakeIo();
    expect(await runCli(['campaign', 'schedule', url, ...options], io)).toBe(2);
    expect(io.complained()).toMatch(message);
    expect(io.complained()).not.toContain('geheim');
  });
});

/** An emulator behind a proxy that can begin to leave a counter out of the health record. */
async function changeable(): Promise<{ readonly url: string; breakIt(): void }> {
  const server = await startServer({ apiKeys: ['k'], endpoints: ['test'] });
  onTestFinished(() => server.close());
  let isBroken = false;
  const pass = (answer: IncomingMessage, body: string, path: string, to: ServerResponse): void => {
    const isHealth = isBroken && path.endsWith('/health') && answer.statusCode === 200;
    const text = isHealth ? body.replace(/,?"retried":\d+/, '') : body;
    const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers;
    to.writeHead(answer.statusCode ?? 502, kept).end(text);
  };
  const proxy = createServer((from, to) => {
    const { url = '', method, headers } = from;
    const onward = request({ host: '127.0.0.1', port: server.port, path: url, method, headers }, (answer) => {
      void answer.toArray().then((chunks) => pass(answer, Buffer.concat(chunks).toString(), url, to));
    });
    from.pipe(onward);
    onward.on('error', () => to.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v2/test`,
    breakIt: () => void (isBroken = true),
  };
}
