import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conforms, CORPUS } from '../../proof/corpus-histories.js';
import { recordHistory } from '../../proof/trials/corpus-trial.js';
import { falseAlarms } from '../../proof/findings.js';
import { compared, comparisonText } from '../../proof/findings-diff.js';
import { judgeKept, type JudgedHistory } from '../../proof/trials/findings-trial.js';

describe('the corpus', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('names each history once, as one of an endpoint that conforms', () => {
    const names = CORPUS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !conforms(name) || !/^[A-Za-z0-9.=-]+$/.test(name))).toEqual([]);
    expect(['naive-none', 'naive-queue-of-one'].map(conforms)).toEqual([true, false]);
  });

  it.each([
    'scenario-late-4.3-ttl-shortens-a-life',
    'explored-document-000',
    'conformant-crowded-002',
    'variant-document-4.5-cancel-twice=refused-404',
  ])('records %s, keeps it, and nothing of it fails', async (name) => {
    const task = { kind: 'corpus', name, seed: 3, folder } as const;
    const recorded = await recordHistory(task);
    expect(recorded).toMatchObject({ kept: false });
    expect(recorded.calls).toBeGreaterThan(2);
    expect(await recordHistory(task)).toEqual({ ...recorded, kept: true });
    expect(readdirSync(folder)).toContain(`${name}.ndjson.gz`);
    const judged = judgeKept({ kind: 'findings', path: join(folder, `${name}.ndjson.gz`) });
    expect(judged).toMatchObject({ history: expect.stringContaining(`/${name}`), thrown: null });
    expect(Object.keys(judged.requirements).length).toBeGreaterThan(3);
    expect(falseAlarms([judged])).toEqual([]);
  });

  it('records anew what is there of another seed', async () => {
    const task = { kind: 'corpus', name: 'scenario-late-4.3-ttl-shortens-a-life', folder } as const;
    await recordHistory({ ...task, seed: 3 });
    expect(await recordHistory({ ...task, seed: 4 })).toMatchObject({ kept: false });
  });
});

const ID = '4.3/ttl-shortens-life';
const found = (history: string, decided: number, failed = 0): JudgedHistory => ({
  history,
  requirements: {
    [ID]: {
      decided,
      failed,
      level: 'must',
      verdict: failed > 0 ? 'fail' : 'pass',
      ...(failed > 0 ? { calls: [[1, 2]] } : {}),
    },
  },
  readings: {},
  warnings: [],
  lateness: {},
  thrown: null,
});

describe('findings', () => {
  it('that are the same differ in nothing; histories of one side alone are left out', () => {
    const before = [found('a/one', 2), found('a/two', 2)];
    expect(compared(before, [found('a/two', 2), found('a/three', 1)])).toEqual({
      compared: 1,
      different: 0,
      differences: [],
    });
  });

  it('are compared id by id: counts, failures, verdicts, warnings', () => {
    const before = [found('a/one', 2), found('a/two', 2), found('a/three', 2)];
    const after = [found('a/one', 3), found('a/two', 2, 1), { ...found('a/three', 2), warnings: ['late'] }];
    const comparison = compared(before, after);
    expect(comparison).toMatchObject({ compared: 3, different: 3 });
    expect(comparison.differences).toMatchObject([
      { id: ID, histories: 2, failed: 1, verdicts: 1 },
      { id: 'warnings', histories: 1, failed: 0, verdicts: 0 },
    ]);
    expect(comparisonText(comparison, 1)).toBe(
      [
        `${ID}: differs in 2 histories, the verdict in 1, the failures counted in 1`,
        '    a/one: {"decided":2,"failed":0,"level":"must","verdict":"pass"} -> {"decided":3,"failed":0,"level":"must","verdict":"pass"}',
        'warnings: differs in 1 histories, the verdict in 0, the failures counted in 0',
        '    a/three: [] -> ["late"]',
        '3 histories compared, 3 differ',
      ].join('\n'),
    );
  });

  it('of endpoints that conform hold no failed must', () => {
    const name = 'corpus/explored-document-000';
    expect(falseAlarms([found(name, 2, 1), found('faults/naive-queue-of-one', 2, 1)])).toEqual([
      `${ID} in ${name}, calls [[1,2]]`,
    ]);
  });
});
