/**
 * Every mutant is a real fault, and every variant a real difference: none behaves like the unbroken default.
 */
import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import { NOT_MADE } from '../../src/core/editions.js';
import { LEGAL_VARIANTS, legalVariants, MUTANTS, ONLY_OVER_HTTP } from '../../src/mutants/index.js';
import { isRequirementId, question, REQUIREMENTS } from '../../src/spec/index.js';
import type { Edition } from '../../src/spec/index.js';
import { behaviour, difference, type Length } from './exercise.js';
import { firstScenarioBroken } from './first-scenario-broken.js';
import { drawnByCommit } from '../support/whole.js';

/** How many shares the faults and the variants are divided into. */
const SHARES = 12;

const plain: { readonly [E in Edition]: readonly string[] } = {
  document: behaviour(rulesFor({}, 'document')),
  runpod: behaviour(rulesFor({}, 'runpod')),
};

test('the exercise is deterministic', () => {
  expect(behaviour(rulesFor({}, 'document'))).toEqual(plain.document);
  expect(plain.document.length).toBeGreaterThan(3_000);
});

describe('mutants', () => {
  test('have unique ids and name requirements that exist', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(100);
    expect(MUTANTS.flatMap(({ breaks }) => breaks).filter((id) => !isRequirementId(id))).toEqual([]);
  });

  test('cover every section that can be violated', () => {
    const reached = new Set(MUTANTS.flatMap(({ sections }) => sections));
    const all = new Set(REQUIREMENTS.map(({ section }) => section as string));
    // Section 4.9 requires nothing that could be violated.
    expect([...all].filter((section) => !reached.has(section))).toEqual(['4.9']);
  });

  /** Sections that only the long exercise covers: for others, a scenario shows the fault sooner. */
  const ABOUT_MANY_OR_LARGE = ['2.5', '4.4', '8'];

  test.each(drawnByCommit(MUTANTS, SHARES).map((mutant) => [mutant.id, mutant] as const))(
    '%s behaves otherwise',
    async (_id, mutant) => {
      const firstDifference = (length: Length) =>
        difference(mutant.rules(rulesFor({}, 'document')), plain.document, length);
      if (firstDifference('quick') !== null) return;
      // The exercise and the scenarios complement each other.
      const shown = mutant.sections.some((section) => ABOUT_MANY_OR_LARGE.includes(section))
        ? (firstDifference('whole') ?? (await firstScenarioBroken(mutant)))
        : ((await firstScenarioBroken(mutant)) ?? firstDifference('whole'));
      expect(shown).not.toBeNull();
    },
    120_000,
  );
});

describe('legal variants', () => {
  test('readings that are not implemented exist in the catalogue', () => {
    for (const { question: id, reading } of NOT_MADE) {
      expect(question(id).readings.map((each) => each.id)).toContain(reading);
    }
  });

  const inCore = [...LEGAL_VARIANTS, ...legalVariants('runpod')].filter(
    ({ id }) => !ONLY_OVER_HTTP.includes(id),
  );
  test.each(drawnByCommit(inCore, SHARES).map((variant) => [variant.edition, variant.id, variant] as const))(
    '%s %s behaves otherwise',
    (_edition, _id, variant) => {
      const base = variant.id === 'edition-runpod' ? plain.document : plain[variant.edition];
      expect(difference(variant.rules(), base)).not.toBeNull();
    },
  );
});
