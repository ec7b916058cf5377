/** The command that replays a failure names the script that fails. */
import { expect, it } from 'vitest';
import { forReader, replayLine } from '../../src/report/replay-line.js';
import type { ConfirmedScript } from '../../src/report/report.js';
import { madeUpReport } from './sample-report.js';

const PROGRAM = 'npx runproof';
const SMALL = 'failures/2.2-ttl-removes-0.small.json';

/** @param script the smaller one */
function lineOf(script: string | null, failed: number): string | null {
  const report = forReader(madeUpReport(), { program: PROGRAM, directory: 'r' });
  const [failure] = report.requirements[0]!.failures;
  const confirmed: ConfirmedScript = { script, steps: 2, of: 7, fault: null, failed, plays: 3 };
  return replayLine({ ...failure!, confirmed }, report, PROGRAM);
}

it.each([
  ['the smaller one, where it failed again', SMALL, 2, SMALL, '  # failed in 2 of 3'],
  ['the whole one, where the smaller one did not', SMALL, 0, 'r/failures/policy-ttl-0.json', ''],
  ['the only one', null, 0, 'r/failures/policy-ttl-0.json', '  # failed in 0 of 3'],
])('%s', (_, script, failed, file, rate) => {
  expect(lineOf(script, failed)).toBe(`npx runproof replay ${file} http://127.0.0.1:8080/v2/test${rate}`);
});
