/** The core follows the catalogue of open questions: none is forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readingsOf } from '../../src/core/editions.js';
import { NOT_MADE } from '../../src/mutants/index.js';
import { dialectOf, QUESTIONS } from '../../src/spec/index.js';

const RULES = new URL('../../src/core/rules/', import.meta.url);
const text = readdirSync(RULES)
  .map((name) => readFileSync(new URL(name, RULES), 'utf8'))
  .join('\n');

test('every open question is read by a rule, or listed with the reason why not', () => {
  const notMade = new Set<string>(NOT_MADE.map(({ question }) => question));
  const forgotten = QUESTIONS.map(({ id }) => id as string).filter(
    (id) => !text.includes(`reads('${id}')`) && !notMade.has(id),
  );
  expect(forgotten).toEqual([]);
});

test('a dialect goes before the edition, the edition before the plainest reading', () => {
  expect(readingsOf({}, 'document')).toEqual(dialectOf('document'));
  expect(readingsOf({ '8/megabyte': 'decimal' }, 'runpod')['8/megabyte']).toBe('decimal');
  expect(readingsOf({}, 'runpod')['8/megabyte']).toBe('binary');
});
