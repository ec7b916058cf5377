import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { QuestionFinding } from '../../src/oracle/ledger/findings.js';
import { dialectFile, compareDialect, readDialect } from '../../src/report/dialect.js';
import { QUESTIONS, type Dialect } from '../../src/spec/index.js';

const finding = (id: string, counts: { readonly [reading: string]: number }): QuestionFinding => ({
  id,
  section: id.slice(0, id.indexOf('/')),
  question: '',
  readings: Object.keys(counts),
  counts,
  stable: Object.keys(counts).length < 2,
});

const OBSERVED = [
  finding('8/megabyte', { binary: 2 }),
  finding('7/error-body', { 'error-string': 9, empty: 1 }),
  finding('2.4/other-fields', { some: 5, none: 3 }),
  finding('6/redirect', {}),
];
const FILE = dialectFile(OBSERVED, { runproof: '0.0.0', edition: 'document' });

describe('a saved dialect', () => {
  it('contains each answer with its count, matches the shipped schema, and has no date', () => {
    const schema = JSON.parse(readFileSync('schemas/dialect.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    validate(JSON.parse(JSON.stringify(FILE)));
    expect(validate.errors).toBeNull();
    expect(FILE).toEqual({
      schema: 'runproof-dialect/1',
      runproof: '0.0.0',
      edition: 'document',
      readings: { '8/megabyte': { reading: 'binary', count: 2 } },
      unstable: {
        '7/error-body': { 'error-string': 9, empty: 1 },
        '2.4/other-fields': { some: 5, none: 3 },
      },
      unobserved: ['6/redirect'],
    });
  });

  it('can be read, and so can a plain object; questions with several answers are ignored', () => {
    expect(readDialect(FILE, QUESTIONS)).toEqual({
      edition: 'document',
      dialect: { '8/megabyte': 'binary' },
    });
    expect(readDialect({ '6/redirect': 'success' }, QUESTIONS).edition).toBeNull();
  });

  it.each([
    [[], 'a saved dialect'],
    [{ schema: 'other/1' }, 'is not a dialect schema'],
    [{ schema: 'runproof-dialect/1' }, '"readings"'],
    [{ '8/megabytes': 'binary' }, 'no open question "8/megabytes"'],
    [{ '8/megabyte': 'roman' }, 'known are decimal, binary'],
  ])('%j is refused with a word on what is wrong', (value, word) => {
    expect(() => readDialect(value, QUESTIONS)).toThrow(word);
  });
});

describe('a target compared with a dialect', () => {
  it.each<[string, Dialect, object]>([
    ['as before', { '8/megabyte': 'binary' }, { held: 1, drift: [], unobserved: [] }],
    [
      'otherwise',
      { '8/megabyte': 'decimal' },
      {
        held: 1,
        drift: [{ question: '8/megabyte', expected: 'decimal', observed: ['binary'] }],
        unobserved: [],
      },
    ],
    [
      'no longer always the same',
      { '7/error-body': 'error-string' },
      {
        held: 1,
        drift: [{ question: '7/error-body', expected: 'error-string', observed: ['error-string', 'empty'] }],
        unobserved: [],
      },
    ],
    // That answer may differ from case to case.
    ['one way of several', { '2.4/other-fields': 'none' }, { held: 1, drift: [], unobserved: [] }],
    ['not asked', { '6/redirect': 'failure' }, { held: 1, drift: [], unobserved: ['6/redirect'] }],
  ])('answers %s', (_, dialect, told) => {
    expect(compareDialect(dialect, OBSERVED, QUESTIONS)).toEqual(told);
  });
});
