import { describe, expect, it } from 'vitest';
import { withinBudget, type Candidate } from '../../src/schedule/within-budget.js';
import type { Script } from '../../src/scenario/index.js';

function candidate(
  scenario: string,
  exercises: readonly string[],
  workMs: number,
  lastsMs = workMs,
): Candidate {
  const script = { scenario, steps: [] } as unknown as Script;
  return { script, exercises, workMs, lastsMs };
}

const namesOf = (scripts: readonly Script[]): readonly string[] => scripts.map(({ scenario }) => scenario);

describe('a budget', () => {
  it('holds everything when there is room', () => {
    const { chosen, leftOut } = withinBudget(
      [candidate('a', ['1'], 500), candidate('b', ['1'], 500)],
      1_000,
      1,
    );
    expect(namesOf(chosen)).toEqual(['a', 'b']);
    expect(leftOut).toEqual([]);
  });

  it('prefers what exercises something new for its worker time, and keeps the order', () => {
    const costly = candidate('costly', ['1', '2'], 900);
    const again = candidate('again', ['3'], 600);
    const cheap = candidate('cheap', ['3'], 400);
    const { chosen, leftOut } = withinBudget([costly, again, cheap], 1_400, 1);
    expect(namesOf(chosen)).toEqual(['costly', 'cheap']);
    expect(namesOf(leftOut)).toEqual(['again']);
  });

  it('counts worker time over all workers, and waiting alone for nothing but its length', () => {
    const works = ['a', 'b', 'c', 'd'].map((name) => candidate(name, [name], 1_000));
    const waits = candidate('waits', ['w'], 10, 1_000);
    const tooLong = candidate('too long', ['l'], 10, 1_001);
    expect(namesOf(withinBudget([...works, waits, tooLong], 1_000, 4).chosen)).toContain('waits');
    expect(withinBudget([...works, waits, tooLong], 1_000, 4).chosen).toHaveLength(4);
    expect(namesOf(withinBudget([tooLong], 1_000, 4).leftOut)).toEqual(['too long']);
  });
});
