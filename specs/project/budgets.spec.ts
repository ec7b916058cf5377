import { describe, expect, it } from 'vitest';
import { overBudget, SLACK, STOREYS } from './budgets.js';
import { sourcesIn } from './sources.js';

describe('budgets', () => {
  it('are kept by every storey of src', () => {
    const edit =
      'take lines out, or change the number in specs/project/budgets.ts and say in the commit what for';
    expect(overBudget(sourcesIn('src')), edit).toEqual([]);
  });

  it('find a storey with too many lines, one with a budget too large, and a room that is in none', () => {
    const storeys = [
      { name: 'below', rooms: ['a'], lines: SLACK + 10 },
      { ...STOREYS.at(-1)!, rooms: ['b'], lines: 2 },
    ];
    const lines = (count: number): string => 'x\n'.repeat(count);
    const found = overBudget(
      [
        { path: 'src/a/one.ts', text: lines(9) },
        { path: 'src/b/two.ts', text: lines(2) },
        { path: 'src/index.ts', text: lines(1) },
        { path: 'src/c/three.ts', text: lines(1) },
      ],
      storeys,
    );
    expect(found).toEqual([
      'c/ is in no storey',
      `below (a): 9 lines, lower its ${SLACK + 10}`,
      expect.stringContaining('(b): 3 lines, 1 too many'),
    ]);
  });
});
