/** A failure of a target is made small on the simulator, where a known fault shows the same, and confirmed on the target. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { Report } from '../../src/report/index.js';
import { type Naive } from '../naive/server.js';
import { createFakeIo, filesBelow } from '../cli/fake-io.js';
import { serveNaive } from '../support/naive.js';

const at = (naive: Naive): readonly string[] => [naive.url, '--control', naive.controlUrl];
const ID = '2.2/ttl-removes-running';

it(
  'check --shrink tells the smaller script, how surely it fails, and replays it',
  { timeout: 120_000 },
  async () => {
    const faulty = await serveNaive('ttl-ignored-while-running');
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const scope = ['--only', ID, '--seed', '1', '--runs', '1', '--out', 'out', '--min-decided', '1'];
    expect(await runCli(['check', ...at(faulty), ...scope, '--shrink'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;
    const failures = report.requirements.find(({ id }) => id === ID)!.failures;
    const [told] = failures.flatMap(({ confirmed }) => confirmed ?? []);
    // The smallest script fails with either.
    const fault = expect.stringMatching(/^ttl-(?:spares-running|in-seconds)$/) as string;
    expect(told).toMatchObject({ failed: 3, plays: 3, fault });
    expect(told!.steps).toBeLessThan(told!.of);
    expect([...filesBelow(join(io.cwd, 'out')).keys()]).toContain(told!.script);
    expect(io.printed()).toContain('failed in 3 of 3 more runs');

    const line = io
      .printed()
      .split('\n')
      .find((one) => one.includes('.small.json'))!;
    expect(line).toMatch(
      /runproof replay out\/failures\/\S+\.small\.json http\S+ --control \S+ {2}# failed in 3 of 3$/,
    );
    const file = line.trim().split(' ')[3]!;
    expect(await runCli(['replay', file, ...at(faulty)], io)).toBe(1);
    expect(await runCli(['replay', file, ...at(await serveNaive())], io)).toBe(0);
  },
);

it('shrink FILE URL tries the simulator before it costs the target calls', { timeout: 120_000 }, async () => {
  const faulty = await serveNaive('ttl-ignored-while-running');
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const scope = ['--only', ID, '--seed', '1', '--runs', '1', '--out', 'out', '--min-decided', '1'];
  expect(await runCli(['check', ...at(faulty), ...scope], io)).toBe(1);
  const file = [...filesBelow(join(io.cwd, 'out')).keys()].find((name) => /failures\/.*\.json$/.test(name))!;
  expect(await runCli(['shrink', `out/${file}`, ...at(faulty), '--out', 'small.json'], io)).toBe(1);
  expect(io.printed()).toMatch(/shrunk on the simulator with [a-z-]+; fails in 3 of 3 runs/);
  expect(await runCli(['replay', 'small.json', ...at(faulty)], io)).toBe(1);
});

it('what no known fault shows is confirmed as it is', { timeout: 120_000 }, async () => {
  const faulty = await serveNaive('retry-completed');
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const scope = ['--only', '4.6/no-effect-on-completed', '--seed', '1', '--runs', '1', '--min-decided', '1'];
  expect(await runCli(['check', ...at(faulty), ...scope, '--out', 'out', '--shrink'], io)).toBe(1);
  expect(io.printed()).toMatch(/failed in [1-3] of 3 more runs/);
});
