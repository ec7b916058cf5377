/** Nobody takes "too many explanations" for "no explanation". */
import { describe, expect, it } from 'vitest';
import { Contradicted, Explained, Unknown, type Explanations } from '../../src/oracle/model/explanations.js';
import { flattenings } from './oracle-explanations.js';
import { sourcesIn } from './sources.js';

const breachesOf = (text: string, path = 'src/oracle/effects/planted.ts') => flattenings({ path, text });

describe('what is known of a life', () => {
  it('is flattened nowhere in the oracle', () => {
    const sources = sourcesIn('src/oracle');
    expect(sources.length).toBeGreaterThan(100);
    const edit = 'keep explained, unknown and contradicted apart: see specs/project/oracle-explanations.ts';
    expect(sources.flatMap(flattenings), edit).toEqual([]);
  });

  it.each([
    ['a list of explanations', `const lives: readonly Hypothesis[] = [];`],
    ['a list by another name', `function f(lives: ReadonlyArray<Hypothesis>): void {}`],
    ['a map to lists', `const lives = new Map<string, readonly Hypothesis[]>();`],
    ['an empty list for what is unknown', `const lives = context.explanationsOf(job).all ?? [];`],
    ['following a life by oneself', `import { linearize } from '../model/linearize.js';`],
    ['following a life by its case', `import { checkJob } from '../proof/violation.js';`],
    ['a life made up', `const life = Explained.of([]);`],
    ['a life called unknown', `const life = new Unknown('no matter');`],
  ])('finds %s', (_, text) => {
    expect(breachesOf(text)).not.toEqual([]);
  });

  it('lets the engine have its lists, and everybody one explanation at a time', () => {
    const list = `export function thin(lives: readonly Hypothesis[]): Hypothesis[] {}`;
    expect(breachesOf(list, 'src/oracle/model/planted.ts')).toEqual([]);
    expect(breachesOf(`const over = ({ state }: Hypothesis): boolean => state === 'deleted';`)).toEqual([]);
  });

  it('cannot be asked for bounds before it is known to be explained', () => {
    const asked = (explanations: Explanations): number => {
      // @ts-expect-error: an unknown life has none
      const unasked = (): number => explanations.least(() => 0);
      return explanations.kind === 'explained' ? explanations.least(() => 0) : unasked.length;
    };
    expect(asked(new Unknown('many'))).toBe(0);
    // @ts-expect-error: its explanations are its own
    expect(Object.keys(new Contradicted().explanations ?? {})).toEqual([]);
  });
});

describe('a life that is not explained', () => {
  it.each([new Unknown('too many calls at once'), new Contradicted()])(
    'proves nothing: $kind',
    (explanations) => {
      expect(explanations.mustBe(() => true)).toBe(false);
      expect(explanations.mayBe(() => false)).toBe(true);
    },
  );

  it('is never made of an empty list', () => {
    expect(() => Explained.of([]).mustBe(() => true)).toThrow('without an explanation');
  });
});
