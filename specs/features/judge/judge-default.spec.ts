/** The default `executionTimeout` of an endpoint does not show in its traffic: who states it has it judged. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { JOB, LIFE, line, ndjson, type Told } from '../../traffic/recordings.js';
import { createFakeIo } from '../../cli/fake-io.js';

const MINUTE_MS = 60_000;

/** It runs for twelve minutes, and completes. */
const LONG: readonly Told[] = [
  LIFE[0]!,
  ...Array.from({ length: 12 }, (_, minute) => ({ ...LIFE[1]!, atMs: (minute + 1) * MINUTE_MS })),
  {
    ...{ atMs: 13 * MINUTE_MS, op: `status/${JOB}` },
    reply: { id: JOB, status: 'COMPLETED', delayTime: 500, executionTime: 12 * MINUTE_MS, output: {} },
  },
];

test('a job that outlives the stated default fails, and not where none was stated', async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'calls.ndjson'), ndjson(LONG.map((one) => line(one))));
  const judged = (...options: readonly string[]): Promise<number> =>
    runCli(
      ['judge', 'calls.ndjson', '--min-decided', '1', '--crashes', 'no', '--world', 'closed', ...options],
      io,
    );
  expect(await judged()).toBe(0);
  expect(await judged('--execution-timeout-default', '20m')).toBe(0);
  expect(await judged('--execution-timeout-default', '10m')).toBe(1);
  expect(io.printed()).toContain('2.2/execution-timeout-default-enforced');
});
