/** Anyone who reaches the server of campaigns can write there: one bad record harms nothing else. */
import { gzipSync } from 'node:zlib';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeHash } from '../../../src/features/campaign/chunks.js';
import { fileCampaign, recordOf } from '../../../src/features/campaign/campaigns.js';
import { connect, type Engine } from '../../../src/features/campaign/engine.js';
import { textOf } from '../../../src/features/campaign/json-text.js';
import { queueOfTarget } from '../../../src/features/campaign/check-target.js';
import {
  fileTargetCampaign,
  SEED_JOB,
  targetCampaign,
} from '../../../src/features/campaign/target-campaign.js';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo, filesBelow } from '../../cli/fake-io.js';
import { madeUpReport } from '../../report/sample-report.js';
import { NO_REDIS, startRedis } from './redis.js';

const STARTED = { code: codeHash(), runproof: '0', startedAt: '2001' };
const TARGET = 'http://127.0.0.1:9/v2/test';
const ESC = '\u001b[31m';

async function connected(): Promise<{ readonly engine: Engine; readonly url: string }> {
  const url = `redis://127.0.0.1:${await startRedis()}`;
  const engine = await connect(url, () => {});
  onTestFinished(() => engine.close());
  return { engine, url };
}

const add = (engine: Engine, queue: string, data: unknown, jobId: string): Promise<unknown> =>
  engine.queue(queue).add('campaign', data, { jobId });

const file = (engine: Engine, seed: number) =>
  fileCampaign(
    engine,
    recordOf(
      { seed, runs: 90, testBed: { edition: 'document', mutant: null } },
      codeHash(),
      `0${ESC}`,
      '2001',
    ),
  );

describe.skipIf(NO_REDIS !== null)(`damaged records (${NO_REDIS ?? 'with Redis'})`, () => {
  it('are left out, with a word, and hide no other', { timeout: 60_000 }, async () => {
    const { engine, url } = await connected();
    const good = await file(engine, 3);
    const { record } = good;
    await add(engine, 'campaigns', { text: '{' }, 'no-json');
    await add(engine, 'campaigns', {}, 'empty');
    await add(engine, 'campaigns', textOf({ ...record, name: 's4-ab', testBed: null }), 'no-test-bed');
    await add(engine, 'campaigns', textOf({ ...record, name: '../../../away', startedAt: '2999' }), 'away');
    await add(engine, 'campaigns', textOf({ ...record, name: 's5-ab', runs: 1e300 }), 'endless');
    await add(engine, 'target-campaigns', textOf({ name: 't1-ab', targets: 7 }), 'no-targets');
    await add(engine, 'checks', textOf({ check: {}, points: 'none', facts: null }), 'no-check');
    for (const command of [['list'], ['watch', '--once'], ['report', '--out', 'out']]) {
      const io = createFakeIo();
      const code = await runCli(['campaign', command[0]!, url, ...command.slice(1)], io);
      expect([command, code, io.complained()]).toEqual([command, expect.any(Number), io.complained()]);
      expect([0, 6, 7]).toContain(code);
      expect(io.complained()).toContain(
        'no-test-bed in the queue campaigns is damaged on the server: testBed',
      );
      if (command[0] !== 'report') expect(io.printed()).toContain(record.name);
      expect(io.printed()).not.toContain('\u001b');
    }
  });

  it('a name chooses no folder', { timeout: 60_000 }, async () => {
    const { engine, url } = await connected();
    const { record } = await file(engine, 3);
    await add(engine, 'campaigns', textOf({ ...record, name: '../../away', startedAt: '2999' }), 'away');
    const io = createFakeIo();
    expect(await runCli(['campaign', 'report', url, '../../away'], io)).toBe(2);
    expect(io.complained()).toContain('there is no campaign "../../away"');
    await runCli(['campaign', 'report', url], io);
    expect(
      [...filesBelow(io.cwd).keys()].every((name) => name.startsWith(`reports/campaign-${record.name}`)),
    ).toBe(true);
    expect(existsSync(join(io.cwd, '../away'))).toBe(false);
  });

  it('of one campaign stay with it: the list shows the others', { timeout: 60_000 }, async () => {
    const { engine, url } = await connected();
    const [bad, good] = [await file(engine, 3), await file(engine, 4)];
    await engine
      .queue(`campaign-${bad.record.name}-notes`)
      .add('epoch', textOf({ tally: { runs: 'many' }, aside: [], proofs: [] }), { jobId: 'epoch-0' });
    const io = createFakeIo();
    expect(await runCli(['campaign', 'list', url], io)).toBe(0);
    expect(io.printed()).toContain(`${good.record.name}  running  0 of 90 runs`);
    expect(io.printed()).toMatch(
      new RegExp(`${bad.record.name} {2}campaign .* is damaged on the server: tally`),
    );
    expect(await runCli(['campaign', 'watch', url, bad.record.name, '--once'], io)).toBe(2);
    expect(io.complained()).toContain(
      `campaign ${bad.record.name} is damaged on the server: tally.calls is missing`,
    );
  });

  it(
    'a damaged report of a worker is set aside, and a text in it obeyed by no terminal',
    { timeout: 60_000 },
    async () => {
      const { engine, url } = await connected();
      const campaign = targetCampaign({ targets: [TARGET], seed: 1, runs: 3, options: [] }, STARTED);
      await fileTargetCampaign(engine, campaign);
      const report = madeUpReport();
      const id = `${report.requirements[0]!.id}`;
      const answers = [
        'no base64 at all',
        pack({ ...report, totals: 7 }),
        pack({ ...report, verdict: `${ESC}x` }),
      ];
      const worker = engine.worker<{ seed: number }, string>(
        queueOfTarget(TARGET),
        async (job) => (expect(job.name).toBe(SEED_JOB), answers[job.data.seed - 1]!),
        { concurrency: 1 },
      );
      const io = createFakeIo();
      for (let tries = 0; tries < 100 && !io.printed().includes('1 of 3'); tries += 1)
        await runCli(['campaign', 'watch', url, '--once'], io);
      await worker.close();
      expect(await runCli(['campaign', 'report', url], io)).not.toBe(4);
      expect(io.printed()).toContain('set aside: seed 1: its report is damaged');
      expect(io.printed()).toContain(
        'set aside: seed 2: its report is damaged: totals must be of type object',
      );
      expect(io.printed()).toContain(`BROKEN ${id}`);
      expect(io.printed()).not.toContain('\u001b');
    },
  );

  it('an option that a worker sets itself reaches no check', { timeout: 60_000 }, async () => {
    const { engine, url } = await connected();
    const options = ['--config', '/tmp/evil.mjs'];
    const campaign = targetCampaign({ targets: [TARGET], seed: 1, runs: 1, options }, STARTED);
    await fileTargetCampaign(engine, campaign);
    const io = createFakeIo();
    expect(await runCli(['campaign', 'list', url], io)).toBe(0);
    expect(io.printed()).not.toContain(campaign.name);
    expect(io.complained()).toContain('is damaged on the server: options[0]');
  });
});

const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64');
