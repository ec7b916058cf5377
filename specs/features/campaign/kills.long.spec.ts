/** Workers that are killed, and connections that are cut, change nothing of what a campaign finds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../../src/time/random.js';
import { filesBelow } from '../../cli/fake-io.js';
import { partOfCommit } from '../../run/parts.js';
import { WHOLE } from '../../support/whole.js';
import { cuttable, NO_REDIS, startRedis } from './redis.js';

/** `WHOLE=1` kills twenty times. When and whom, the commit draws. */
const KILLS = WHOLE ? 20 : 3;
const SEED = partOfCommit(1_000);
/** Kills before which connections are cut. */
const CUTS = [Math.floor(KILLS / 4), Math.floor((3 * KILLS) / 4)];
const WORKERS = 4;
const FIRST_SEED = 5;
const campaignOf = (seed: number): readonly string[] => [
  '--seed',
  String(seed),
  '--runs',
  '500',
  '--mutant',
  'ttl-after-its-wait',
];
const PROGRAM = 'bin/runproof.js';

describe.skipIf(NO_REDIS !== null)(`a campaign of four processes (${NO_REDIS ?? 'with Redis'})`, () => {
  it(
    `reports what one process does, though two of them are killed ${KILLS} times (seed ${SEED})`,
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'runproof-campaign-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const { url, cut } = await cuttable(await startRedis());
      const names: string[] = [];
      const start = async (): Promise<void> => {
        const { code, printed } = await run(
          'campaign',
          'start',
          url,
          ...campaignOf(FIRST_SEED + names.length),
        );
        expect(code).toBe(0);
        names.push(printed.trim());
      };
      await start();

      const random = createRandom(SEED);
      const workers = Array.from({ length: WORKERS }, () => startWorker(url));
      onTestFinished(() => workers.forEach((worker) => void worker.kill('SIGKILL')));
      for (let kill = 0; kill < KILLS; kill++) {
        await new Promise((resolve) => setTimeout(resolve, random.intBetween(100, 1_500)));
        if (CUTS.includes(kill)) await cut(1_000);
        const first = random.intBetween(0, WORKERS - 1);
        for (const index of [first, (first + random.intBetween(1, WORKERS - 1)) % WORKERS]) {
          // On a fast machine, a campaign may have ended before.
          if (workers[index]!.exitCode !== null) await start();
          workers[index]!.kill('SIGKILL');
          workers[index] = startWorker(url);
        }
      }
      await Promise.all(
        workers.map((worker) => (worker.exitCode === null ? once(worker, 'exit') : Promise.resolve())),
      );
      expect(workers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);

      for (const [index, name] of names.entries()) {
        const alone = join(folder, `alone-${index}`);
        const together = join(folder, `together-${index}`);
        const reported = await run('campaign', 'report', url, name, '--out', together);
        expect(reported.printed).not.toMatch(/ALARM|set aside/);
        const campaign = campaignOf(FIRST_SEED + index);
        const explored = await run('explore', ...campaign, '--out', alone, '--progress', 'none');
        expect([reported.code, explored.code]).toEqual([1, 1]);
        expect(filesBelow(alone).size).toBeGreaterThan(2);
        expect([...filesBelow(together)]).toEqual([...filesBelow(alone)]);
      }
    },
  );
});

function startWorker(url: string): ChildProcess {
  const args = [PROGRAM, 'campaign', 'work', url, '--once', '--threads', '1', '--lease', '2s'];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
}
