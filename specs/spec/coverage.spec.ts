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

  it('quotes each fragment letter by letter from its own section', () => {
    const wrong = quoted.filter(
      ({ section, quote }) => !sections.get(section)?.some((line) => line.includes(quote)),
    );
    expect(wrong).toEqual([]);
  });

  it('covers every sentence and table cell by a requirement, a question or an exclusion', () => {
    const bare = sentences()
      .filter((sentence) => !isCovered(sentence, quotesOf(sentence.section)))
      .map(({ section, line, from, to }) => `${section}: ${line.slice(from, to)}`);
    expect(bare.map((sentence) => `${sentence} (quote it in src/spec/requirements/ or questions/)`)).toEqual(
      [],
    );
  });

  it('would notice a sentence that nothing quotes', () => {
    const planted = readSections('## 4. Endpoints\nA promise kept. A promise nobody noticed.\n');
    const found = sentences(planted).filter((sentence) => !isCovered(sentence, ['A promise kept.']));
    expect(found.map(({ line, from, to }) => line.slice(from, to))).toEqual(['A promise nobody noticed.']);
  });

  it('has a question for every "not shown" that a call could tell something about', () => {
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
    expect(unasked.map(({ line }) => line)).toEqual([]);
  });
});
