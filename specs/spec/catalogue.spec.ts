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
const DATA = 'src/spec/requirements/ or src/spec/questions/';
/** An id within a sentence. */
const NAMED = /\b\d(?:\.\d)?\/[a-z]+(?:-[a-z0-9]+)+/g;

const repeated = (values: readonly string[]): readonly string[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

const compareSections = (a: string, b: string): number => {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
};

describe('requirements and questions', () => {
  it('have unique ids', () => {
    expect(repeated(all.map(({ id }) => id)), `${DATA}: rename one of the two`).toEqual([]);
  });

  it('have ids that begin with their section and continue in kebab case', () => {
    const wrong = all.filter(({ id, section }) => {
      const [prefix, slug = ''] = id.split('/');
      return prefix !== section || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug);
    });
    expect(wrong, `${DATA}: an id is <section>/<words-in-kebab-case>`).toEqual([]);
  });

  it.each([
    ['requirements', requirements],
    ['questions', questions],
  ])('are in the order of the document: %s', (_, list) => {
    const order = list.map(({ section }) => section);
    expect(order, `${DATA}: keep the entries in the document's order`).toEqual(
      [...order].sort(compareSections),
    );
    const known = readSections();
    expect(order.filter((section) => !known.has(section))).toEqual([]);
  });

  it('hold as data the code that a sentence demands, and no other', () => {
    const demanded = ({ text }: Requirement): string | undefined =>
      /(?:(?:is|are)(?: still)? (?:answered|refused) with|refused with a 4xx;) (4\d\d)/.exec(text)?.[1];
    const wrong = requirements.filter((one) => `${one.code}` !== `${demanded(one)}`);
    expect(
      wrong.map(({ id, code }) => `${id} has ${code}`),
      `${DATA}: correct \`code\``,
    ).toEqual([]);
  });

  it('are sentences', () => {
    const edit = `${DATA}: end \`text\` with a full stop and \`question\` with a question mark`;
    expect(
      requirements.filter(({ text }) => !text.endsWith('.')),
      edit,
    ).toEqual([]);
    expect(
      questions.filter(({ question: text }) => !text.endsWith('?')),
      edit,
    ).toEqual([]);
    expect(repeated(requirements.map(({ section, text }) => `${section} ${text}`))).toEqual([]);
  });

  it('name no capability twice, and give a reason if they cannot be decided', () => {
    expect(requirements.filter(({ needs }) => repeated(needs).length > 0)).toEqual([]);
    expect(requirements.filter(({ untestable }) => untestable === '')).toEqual([]);
  });
});

describe('readings', () => {
  it('are at least two for each question, differ, and the first is legal in the edition document', () => {
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

describe('lookups', () => {
  it('find every id that exists, and no other', () => {
    expect(requirement('2.2/ttl-removes-queued').section).toBe('2.2');
    expect(question('8/megabyte').readings[0]?.id).toBe('decimal');
    expect(isRequirementId('8/megabyte')).toBe(false);
    expect(isQuestionId('2.2/ttl-removes-queued')).toBe(false);
  });
});

describe('texts of requirements and questions', () => {
  const ids = (data: unknown): readonly string[] => JSON.stringify(data).match(NAMED) ?? [];

  it('name only ids that exist', () => {
    const named = ids([all, EXCLUDED]);
    expect(named.length).toBeGreaterThan(100);
    const unknown = named.filter((id) => !isRequirementId(id) && !isQuestionId(id));
    expect(unknown, `${DATA}: correct the id in the text`).toEqual([]);
    expect(ids({ untestable: 'this is judged by 8/never-heard-of.' })).toEqual(['8/never-heard-of']);
  });

  it('quote no sentence with "not shown" for a requirement', () => {
    const found = sentences();
    const isGap = ({ line, from, to }: Sentence): boolean => line.slice(from, to).includes('not shown');
    const overlaps = (sentence: Sentence, { section, quote }: Requirement): boolean =>
      sentence.section === section && isCovered(sentence, [quote]);
    const wrong = requirements.filter((one) => {
      const quoted = found.filter((sentence) => overlaps(sentence, one));
      return quoted.length > 0 && quoted.every(isGap);
    });
    const edit = `${DATA}: make it an open question, or quote another sentence`;
    expect(
      wrong.map(({ id }) => id),
      edit,
    ).toEqual([]);
  });
});

describe('exclusions', () => {
  it('point to requirements and questions that exist', () => {
    const pointers = EXCLUDED.flatMap(({ see }) => see);
    const unknown = pointers.filter((id) => !isRequirementId(id) && !isQuestionId(id));
    expect(unknown, 'specs/spec/excluded.ts: correct `see`').toEqual([]);
  });
});
