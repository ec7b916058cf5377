import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.js';
import { GENERATED } from './generate/files.js';
import { entriesAsTheyAre, exercisesOfScenarios } from './generate/scenario-exercises.js';
import { scenarioIndex } from './generate/scenario-index.js';

// `specs/requirements/` compares docs/requirements.md, and `specs/proof/figures.waits.spec.ts` README.md.
const ELSEWHERE: readonly string[] = ['docs/requirements.md', 'README.md'];
const held = GENERATED.filter(({ path }) => !ELSEWHERE.includes(path));

describe('generated files', () => {
  it.each(held)('$path is what `npm run generate` writes', async ({ path, text }) => {
    const asItIs = readFileSync(join(ROOT, path), 'utf8');
    expect(asItIs === (await text()), `${path} is not up to date: run \`npm run generate\``).toBe(true);
  });
});

describe('the list of scenarios', () => {
  it('has each file', () => {
    expect(scenarioIndex(['4.2/answers-at-once', '4/2-odd'])).toContain(`
import s4_2AnswersAtOnce from './4.2/answers-at-once.js';
import s42Odd from './4/2-odd.js';

export const named = namedScenarios(
  {
    '4.2/answers-at-once': s4_2AnswersAtOnce,
    '4/2-odd': s42Odd,
  },
  exercises,
);
`);
  });
});

describe('what scenarios exercise', () => {
  it('is found out for one that has no entry, and for no other', { timeout: 60_000 }, async () => {
    const name = '2.2/ttl-removes-a-cancelled-job';
    const { [name]: was, ...others } = entriesAsTheyAre();
    const made = JSON.parse(await exercisesOfScenarios({ ...others, 'of a scenario that is gone': [] }));
    expect(made).toEqual({ ...others, [name]: expect.arrayContaining(['2.2/ttl-removes-cancelled']) });
    // What every status shows is not what it is written for.
    expect(made[name]).not.toContain('2.4/id-in-status');
    expect(was).toContain('2.2/ttl-removes-cancelled');
  });
});
