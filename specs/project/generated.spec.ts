import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.js';
import { GENERATED } from './generate/files.js';
import { scenarioIndex } from './generate/scenario-index.js';

// `specs/requirements/` compares docs/requirements.md, and checks what it shows.
const held = GENERATED.filter(({ path }) => path !== 'docs/requirements.md');

describe('generated files', () => {
  it.each(held)('$path is what `npm run generate` writes', async ({ path, text }) => {
    const asItIs = readFileSync(join(ROOT, path), 'utf8');
    expect(asItIs === (await text()), `${path} is not up to date: run \`npm run generate\``).toBe(true);
  });
});

describe('the list of scenarios', () => {
  it('has each under its name', () => {
    expect(scenarioIndex(['4.2/answers-at-once', '4/2-odd'])).toContain(`
import s4_2AnswersAtOnce from './4.2/answers-at-once.js';
import s42Odd from './4/2-odd.js';

export const named: readonly NamedScenario[] = [
  { name: '4.2/answers-at-once', ...s4_2AnswersAtOnce },
  { name: '4/2-odd', ...s42Odd },
];
`);
  });
});
