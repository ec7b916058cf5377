/** "Run failed" on the page of `--ui`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultsOf } from '../../../../src/cli/options/option.js';
import type { CheckResult } from '../../../../src/checking/check-target.js';
import type { Beside } from '../../../../src/features/check/check-command.js';
import { CHECK_CONFIG } from '../../../../src/features/check/options.js';
import type { Row } from '../../../../src/features/check/ui/rows.js';
import { Runs } from '../../../../src/features/check/ui/runs.js';
import { createFakeIo } from '../../../cli/fake-io.js';
import { until } from '../../../support/until.js';
import { FINDINGS, madeUpReport } from '../../../report/sample-report.js';

const FIRST = '2.2/ttl-removes';
const SECOND = '4.6/retry-failed';
const rows = [FIRST, SECOND].map((id): Row => ({
  ...{ kind: 'rules', selector: id, name: id, section: id.slice(0, 3), text: id },
  ...{ rules: [id], scenarios: [] },
}));

/** A run in which only this rule failed, with its report in the folder. */
function failed(id: string, folder: string, cwd: string): CheckResult {
  const sample = FINDINGS.requirements[0]!;
  const requirements = [
    { ...sample, id, failures: sample.failures.map((one) => ({ ...one, requirement: id })) },
  ];
  const findings = { ...FINDINGS, requirements };
  const report = { ...madeUpReport(findings), seed: Number(folder.slice(-1)) };
  mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, folder, 'report.json'), JSON.stringify(report));
  return { findings, report, folder } as unknown as CheckResult;
}

it('repeats all that failed, and counts as a repetition of the newest run', async () => {
  const io = createFakeIo();
  const results = [failed(SECOND, 'r-7', io.cwd), failed(FIRST, 'r-8', io.cwd)];
  let last: Beside['last'] = null;
  const once = (_: unknown, __: unknown, beside: Beside): Promise<1> => {
    const result = results.shift();
    if (result !== undefined) beside.onlooker!.onResult!(result);
    last = beside.last;
    return Promise.resolve(1);
  };
  const fail = (error: unknown): void => expect.unreachable(String(error));
  const runs = new Runs(defaultsOf(CHECK_CONFIG), rows, io, once, fail);
  for (const start of [() => runs.start(null), () => runs.start(null), () => runs.startFailed()]) {
    expect(start()).toBe(true);
    await until(() => !runs.isBusy);
  }
  expect(last).toMatchObject({ folder: 'r-8', seed: 8, requirements: [FIRST, SECOND] });
});
