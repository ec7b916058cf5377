/** What was played once and kept is judged as if it had just been played. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryPrecision, type PrecisionTask } from '../../proof/precision/precision-trial.js';
import { tryVariant, type VariantTask } from '../../proof/trials/variant-trial.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const onlyFile = (): number => {
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return statSync(join(folder, name)).mtimeMs;
};

it.each<readonly [fault: string | null, scenarios: readonly string[]]>([
  ['health-without-retried', ['2.7/health-record']],
  [null, ['2.7/health-record', '4.2/answers-at-once']],
])('a faulty endpoint: %s', async (fault, scenarios) => {
  const history = join(folder, 'fault.ndjson.gz');
  const task: PrecisionTask = {
    ...{ kind: 'precision', server: 'mutant', fault, mode: 'simulator', profile: 'quick', seed: 1 },
    ...{ selection: { scenarios, history }, playOnly: false },
  };
  const played = await tryPrecision(task);
  const writtenMs = onlyFile();
  const again = await tryPrecision(task);
  expect({ ...again, wallMs: 0 }).toEqual({ ...played, wallMs: 0 });
  expect(onlyFile()).toBe(writtenMs);
  expect(played.failed.length > 0).toBe(fault !== null);
  rmSync(history);
});

it('a correct endpoint', async () => {
  const history = join(folder, 'variant.ndjson.gz');
  const task: VariantTask = {
    ...{
      kind: 'variant',
      name: 'document 4.5/cancel-twice=refused-404',
      clock: 'simulator',
      seed: 1,
      combined: 0,
    },
    ...{ runs: 1, scenarios: { names: ['4.5/cancel-twice', '4.2/answers-at-once'] }, history },
  };
  const played = await tryVariant(task);
  const writtenMs = onlyFile();
  expect(await tryVariant(task)).toEqual(played);
  expect(onlyFile()).toBe(writtenMs);
  expect(played.decided).toBeGreaterThan(5);
});
