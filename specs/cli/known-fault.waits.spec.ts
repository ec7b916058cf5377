/** `--mutant`: the embedded endpoint, or the emulator, with one fault of `list mutants`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { Report } from '../../src/report/index.js';
import { drawScript } from '../../src/scenario/draw.js';
import { named } from '../../scenarios/index.js';
import { until } from '../support/until.js';
import { createFakeIo } from './fake-io.js';

const HEALTH = ['--only', '2.7', '--seed', '1', '--runs', '1', '--out', 'out'];

const SCRIPT = drawScript(named[0]!, 1, { graceMs: 0, marginMs: 1, maxWaitMs: 70_000, maxWorkers: 4 });

describe('check --mutant', () => {
  it('finds the fault, says which one is planted, and how to replay the failure', async () => {
    const io = createFakeIo();
    expect(await runCli(['check', ...HEALTH, '--mutant', 'health-without-retried'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;
    expect(report.causes?.map(({ requirement }) => requirement)).toEqual(['2.7/jobs-retried']);
    expect(report.target.name).toBe(
      'the embedded endpoint with the planted bug health-without-retried (the health record lacks jobs.retried)',
    );
    const replay = /npx runproof replay (\S+) (--mutant \S+)$/m.exec(io.printed());
    expect(replay?.[2]).toBe('--mutant health-without-retried');
    const again = createFakeIo({ cwd: io.cwd });
    expect(await runCli(['replay', replay![1]!, ...replay![2]!.split(' ')], again)).toBe(1);
    expect(await runCli(['replay', replay![1]!, '--mutant', 'none'], again)).toBe(0);
  });

  it('keeps what a dialect says of everything else', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'dialect.json'), '{ "5/key-forms": "bearer-only" }');
    const options = ['--mutant', 'health-without-retried', '--dialect', 'dialect.json'];
    expect(await runCli(['check', ...HEALTH, ...options], io)).toBe(1);
    const { causes, dialect: held } = JSON.parse(
      readFileSync(join(io.cwd, 'out/report.json'), 'utf8'),
    ) as Report;
    expect(causes?.map(({ requirement }) => requirement)).toEqual(['2.7/jobs-retried']);
    expect(held?.drift).toEqual([]);
  });

  it.each(['check', 'serve'])('%s suggests what a wrong name may mean', async (command) => {
    const io = createFakeIo();
    expect(await runCli([command, '--mutant', 'ttl-spares-runing'], io)).toBe(2);
    expect(io.complained()).toBe(
      'runproof: there is no planted bug "ttl-spares-runing". Did you mean ttl-spares-running, ttl-spares-runsync or ttl-spares-ended? "npx runproof list mutants" lists them\n',
    );
  });

  it.each(['check', 'replay'])('%s of a URL says how to get such a server', async (command) => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    writeFileSync(join(io.cwd, 'script.json'), JSON.stringify(SCRIPT));
    const file = command === 'replay' ? ['script.json'] : [];
    const url = 'http://127.0.0.1:1/v2/test';
    expect(await runCli([command, ...file, url, '--mutant', 'ttl-spares-running'], io)).toBe(2);
    expect(io.complained()).toContain(
      'omit the URL, or start a faulty server by "npx runproof serve --mutant ttl-spares-running" and check its address',
    );
  });
});

it('serve --mutant has the fault', async () => {
  const io = createFakeIo();
  const args = ['serve', '--port', '0', '--clock', 'controlled', '--mutant', 'health-without-retried'];
  const ended = runCli(args, io);
  await until(() => io.printed().includes('try:'));
  expect(io.printed()).toContain(
    'planted bug health-without-retried: the health record lacks jobs.retried\n',
  );
  const url = /serving (\S+)/.exec(io.printed())?.[1] ?? '';
  const health = await fetch(`${url}/health`, { headers: { authorization: 'runproof-local' } });
  const { jobs } = (await health.json()) as { readonly jobs: object };
  expect(Object.keys(jobs).sort()).toEqual(['completed', 'failed', 'inProgress', 'inQueue']);
  io.interrupt();
  expect(await ended).toBe(0);
});
