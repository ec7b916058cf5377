/** A run that was asked about a part of the document never conforms where it saw a violation elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { rulesFor } from '../../src/core/rules.js';
import { checkTarget, simulatorTarget, type SimulatorTarget } from '../../src/index.js';
import { MUTANTS } from '../../src/mutants/index.js';
import type { Report } from '../../src/report/index.js';
import { createFakeIo } from '../cli/fake-io.js';

/** Of a purge that removes the failed jobs as well. */
const BROKEN = '4.7/keeps-finished';

function faulty(): SimulatorTarget {
  const mutant = MUTANTS.find(({ id }) => id === 'purge-removes-failed')!;
  return simulatorTarget({ seed: 1, graceMs: 2_000, rules: mutant.rules(rulesFor({}, 'document')) });
}

const failing = ({ requirements }: Report): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'runproof-selection-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a purge that removes failed jobs as well', () => {
  it.each([[[]], [['4.7']]])(
    'is named by what the purge did: --only %j',
    async (only) => {
      const { report } = await checkTarget(faulty(), { seed: 1, runs: 1, only });
      expect(failing(report)).toEqual([BROKEN]);
      expect(report.exitCode).toBe(1);
    },
    120_000,
  );

  it('fails a run that was asked about something else', async () => {
    const out = join(folder, 'outside');
    const formats = ['json', 'junit', 'markdown'] as const;
    const only = ['4.7/keeps-running'];
    const { report, conforms } = await checkTarget(faulty(), { seed: 1, runs: 1, only, out, formats });
    expect(conforms).toBe(false);
    expect(report.exitCode).toBe(1);
    expect(report.verdict).toMatch(
      /^DOES NOT CONFORM: a requirement outside the selection failed \(4\.7\/keeps-finished\), 1 of 1 required rules/,
    );
    expect(report.causes?.map(({ requirement }) => requirement)).toEqual([BROKEN]);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="1"');

    // What was not asked about is not undecided.
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toMatch(/^\| 4\.7 .*\| 1 \| 1 \| 0 \| 0 \| 0 \|$/m);
    expect(readFileSync(join(out, 'report.md'), 'utf8')).not.toMatch(/^\| 2\.2 /m);

    const io = createFakeIo({ cwd: folder });
    expect(await runCli(['judge', join(out, 'history.ndjson'), '--format', 'terminal'], io)).toBe(1);
    expect(io.printed()).toContain(
      'a requirement outside the selection failed (4.7/keeps-finished), 1 of 1 required rules',
    );
    expect(io.printed()).toMatch(/4\.7\/keeps-finished .*outside the selection/);
    const whole = createFakeIo({ cwd: folder });
    expect(
      await runCli(['judge', join(out, 'history.ndjson'), '--only', '*', '--format', 'terminal'], whole),
    ).toBe(1);
    expect(whole.printed()).toMatch(/DOES NOT CONFORM: [0-9]+ failed, /);
  }, 60_000);

  it('does not fail a run that leaves it out by name, which says so', async () => {
    const skip = [BROKEN, '2.6'];
    const { report, conforms } = await checkTarget(faulty(), { seed: 1, runs: 1, only: ['4.7'], skip });
    expect(conforms).toBe(true);
    expect(report.verdict).toMatch(
      /^NOTHING FAILED: .*; skipped, although (it|they) failed: 4\.7\/keeps-finished/,
    );
    expect(report.exitCode).toBe(0);
  }, 60_000);
});
