import { describe, expect, it } from 'vitest';
import { EXCLUDED } from './excluded.js';
import { QUESTIONS, REQUIREMENTS, type OpenQuestion } from '../../src/spec/index.js';
import { isCovered, readSections, sentences } from './document.js';

const questions: readonly OpenQuestion[] = QUESTIONS;
const sections = readSections();

const quoted: readonly { section: string; quote: string; by: string }[] = [
  ...REQUIREMENTS.map(({ section, quote, id }) => ({ section, quote, by: id })),
  ...questions.flatMap(({ section, quote, id }) => (quote === null ? [] : [{ section, quote, by: id }])),
  ...EXCLUDED.map(({ section, quote, reason }) => ({ section, quote, by: reason })),
];

const quotesOf = (section: string): readonly string[] =>
  quoted.filter((entry) => entry.section === section).map(({ quote }) => quote);

describe('the catalogue and the document', () => {
  it('finds the sections 1 to 9 with their subsections', () => {
    expect(sections.size).toBe(25);
    expect(sentences().length).toBeGreaterThan(300);
  });

  it('quotes each fragment verbatim from its own section', () => {
    const wrong = quoted.filter(
      ({ section, quote }) => !sections.get(section)?.some((line) => line.includes(quote)),
    );
    expect(wrong, 'correct `quote` in src/spec/requirements/, questions/ or specs/spec/excluded.ts').toEqual(
      [],
    );
  });

  it('covers every sentence and table cell by a requirement, a question or an exclusion', () => {
    const bare = sentences()
      .filter((sentence) => !isCovered(sentence, quotesOf(sentence.section)))
      .map(({ section, line, from, to }) => `${section}: ${line.slice(from, to)}`);
    const edit =
      'quote these in src/spec/requirements/ or questions/, or exclude them in specs/spec/excluded.ts';
    expect(bare, edit).toEqual([]);
  });

  it('would notice a sentence that nothing quotes', () => {
    const planted = readSections('## 4. Endpoints\nA quoted promise. A promise without a quote.\n');
    const found = sentences(planted).filter((sentence) => !isCovered(sentence, ['A quoted promise.']));
    expect(found.map(({ line, from, to }) => line.slice(from, to))).toEqual(['A promise without a quote.']);
  });

  it('has a question for every "not shown" that a call could answer', () => {
    const gaps = sentences().filter(({ line, from, to }) => line.slice(from, to).includes('not shown'));
    const answered = [
      ...questions.flatMap(({ section, quote }) => (quote === null ? [] : [{ section, quote }])),
      ...EXCLUDED,
    ];
    const unasked = gaps.filter(
      (gap) =>
        !isCovered(
          gap,
          answered.filter(({ section }) => section === gap.section).map(({ quote }) => quote),
        ),
    );
    const edit = 'add a question in src/spec/questions/, or an exclusion in specs/spec/excluded.ts';
    expect(
      unasked.map(({ line }) => line),
      edit,
    ).toEqual([]);
  });
});
