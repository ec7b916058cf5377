import { describe, expect, it } from 'vitest';
import { EXCLUDED } from './excluded.js';
import {
  defaultDialect,
  isQuestionId,
  isRequirementId,
  question,
  QUESTIONS,
  requirement,
  REQUIREMENTS,
  type OpenQuestion,
  type Requirement,
} from '../../src/spec/index.js';
import { isCovered, readSections, sentences, type Sentence } from './document.js';

const requirements: readonly Requirement[] = REQUIREMENTS;
const questions: readonly OpenQuestion[] = QUESTIONS;
const all = [...requirements, ...questions];
/** An id as it stands in a sentence. */
const NAMED = /\b\d(?:\.\d)?\/[a-z]+(?:-[a-z0-9]+)+/g;

const repeated = (values: readonly string[]): readonly string[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

const compareSections = (a: string, b: string): number => {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
};

describe('requirements and questions', () => {
  it('have ids of their own', () => {
    expect(repeated(all.map(({ id }) => id))).toEqual([]);
  });

  it('have ids that begin with their section and go on in kebab case', () => {
    const wrong = all.filter(({ id, section }) => {
      const [prefix, slug = ''] = id.split('/');
      return prefix !== section || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug);
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['requirements', requirements],
    ['questions', questions],
  ])('stand in the order of the document: %s', (_, list) => {
    const order = list.map(({ section }) => section);
    expect(order).toEqual([...order].sort(compareSections));
    const known = readSections();
    expect(order.filter((section) => !known.has(section))).toEqual([]);
  });

  it('are sentences', () => {
    expect(requirements.filter(({ text }) => !text.endsWith('.'))).toEqual([]);
    expect(questions.filter(({ question: text }) => !text.endsWith('?'))).toEqual([]);
    expect(repeated(requirements.map(({ section, text }) => `${section} ${text}`))).toEqual([]);
  });

  it('name no capability twice, and a reason where nothing could decide them', () => {
    expect(requirements.filter(({ needs }) => repeated(needs).length > 0)).toEqual([]);
    expect(requirements.filter(({ untestable }) => untestable === '')).toEqual([]);
  });
});

describe('readings', () => {
  it('are at least two for each question, differ, and the first holds in the document', () => {
    for (const { id, readings } of questions) {
      expect(readings.length, id).toBeGreaterThan(1);
      expect(repeated(readings.map((reading) => reading.id)), id).toEqual([]);
      expect(readings[0]?.onlyIn ?? ['document'], id).toContain('document');
    }
  });

  it('make a default dialect of the first of each', () => {
    const dialect = defaultDialect();
    expect(Object.keys(dialect)).toEqual(questions.map(({ id }) => id));
    expect(dialect['2.4/time-unit']).toBe('milliseconds');
  });
});

describe('look-ups', () => {
  it('find what there is, and only that', () => {
    expect(requirement('2.2/ttl-removes-queued').section).toBe('2.2');
    expect(question('8/megabyte').readings[0]?.id).toBe('decimal');
    expect(isRequirementId('8/megabyte')).toBe(false);
    expect(isQuestionId('2.2/ttl-removes-queued')).toBe(false);
  });
});

describe('what is told of requirements and questions', () => {
  const ids = (told: unknown): readonly string[] => JSON.stringify(told).match(NAMED) ?? [];

  it('names only such as exist', () => {
    const named = ids([all, EXCLUDED]);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((id) => !isRequirementId(id) && !isQuestionId(id))).toEqual([]);
    expect(ids({ untestable: 'this is judged by 8/never-heard-of.' })).toEqual(['8/never-heard-of']);
  });

  it('quotes for a requirement nothing that ends with "not shown"', () => {
    const found = sentences();
    const isGap = ({ line, from, to }: Sentence): boolean => line.slice(from, to).includes('not shown');
    const overlaps = (sentence: Sentence, { section, quote }: Requirement): boolean =>
      sentence.section === section && isCovered(sentence, [quote]);
    const wrong = requirements.filter((one) => {
      const quoted = found.filter((sentence) => overlaps(sentence, one));
      return quoted.length > 0 && quoted.every(isGap);
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});

describe('exclusions', () => {
  it('point to requirements and questions that exist', () => {
    const pointers = EXCLUDED.flatMap(({ see }) => see);
    expect(pointers.filter((id) => !isRequirementId(id) && !isQuestionId(id))).toEqual([]);
  });
});
