/** The readings that a run observed, as a value to save, to serve, and to compare another run with. */
import { SETTLED_QUESTIONS, type Dialect, type Edition, type OpenQuestion } from '../spec/index.js';
import type { QuestionFinding } from '../oracle/ledger/findings.js';
import { isObject } from '../util/json.js';

/** What `--save-dialect` writes; its JSON Schema is `schemas/dialect.schema.json`. No date: the same answers, the same file. */
export interface DialectFile {
  readonly schema: 'runproof-dialect/1';
  readonly runproof: string;
  readonly edition: Edition;
  /** Questions with one answer. */
  readonly readings: { readonly [question: string]: { readonly reading: string; readonly count: number } };
  /** Questions with several answers, and the count of each. */
  readonly unstable: { readonly [question: string]: { readonly [reading: string]: number } };
  /** Questions that no situation of the run answered. */
  readonly unobserved: readonly string[];
}

export interface Drift {
  readonly question: string;
  readonly expected: string;
  /** The readings observed, most frequent first. */
  readonly observed: readonly string[];
}

/** A run compared with a dialect. @internal */
export interface DialectComparison {
  /** The number of readings in the dialect. */
  readonly held: number;
  readonly drift: readonly Drift[];
  /** Questions of the dialect that no situation of this run answered. */
  readonly unobserved: readonly string[];
}

export function dialectFile(
  findings: readonly QuestionFinding[],
  about: Pick<DialectFile, 'runproof' | 'edition'>,
): DialectFile {
  const answered = findings.filter(({ readings }) => readings.length > 0);
  const stable = answered.filter(({ readings }) => readings.length === 1);
  const several = answered.filter(({ readings }) => readings.length > 1);
  return {
    schema: 'runproof-dialect/1',
    ...about,
    readings: Object.fromEntries(
      stable.map(({ id, readings, counts }) => [
        id,
        { reading: readings[0]!, count: counts[readings[0]!] ?? 0 },
      ]),
    ),
    unstable: Object.fromEntries(several.map(({ id, counts }) => [id, counts])),
    unobserved: findings.filter(({ readings }) => readings.length === 0).map(({ id }) => id),
  };
}

export interface LoadedDialect {
  /** Null if the file has none. */
  readonly edition: Edition | null;
  readonly dialect: Dialect;
}

/**
 * Reads a saved dialect, or a plain object `{"question": "reading"}`.
 *
 * @throws {Error} whose message says what is wrong
 */
export function readDialect(value: unknown, questions: readonly OpenQuestion[]): LoadedDialect {
  if (!isObject(value))
    throw new Error('it must contain a saved dialect, or an object {"question": "reading"}');
  if (value['schema'] === undefined) return { edition: null, dialect: checked(value, questions) };
  if (value['schema'] !== 'runproof-dialect/1')
    throw new Error(`"${String(value['schema'])}" is not a dialect schema`);
  const { readings, edition } = value;
  if (!isObject(readings)) throw new Error('its member "readings" must be an object');
  const plain = Object.entries(readings).map(([id, one]) => [id, isObject(one) ? one['reading'] : one]);
  return {
    edition: edition === 'document' || edition === 'runpod' ? edition : null,
    dialect: checked(Object.fromEntries(plain), questions),
  };
}

function checked(value: { readonly [id: string]: unknown }, questions: readonly OpenQuestion[]): Dialect {
  const open = Object.entries(value).filter(([id]) => !SETTLED_QUESTIONS.has(id));
  for (const [id, reading] of open) {
    const question = questions.find((one) => one.id === id);
    if (question === undefined) throw new Error(`there is no open question "${id}"`);
    if (!question.readings.some((one) => one.id === reading)) {
      const known = question.readings.map((one) => one.id).join(', ');
      throw new Error(`"${String(reading)}" is not a reading of ${id}; known are ${known}`);
    }
  }
  return Object.fromEntries(open);
}

/** Compares observed readings with a dialect. Where answers may differ from case to case, one equal answer suffices. */
export function compareDialect(
  dialect: Dialect,
  findings: readonly QuestionFinding[],
  questions: readonly OpenQuestion[],
): DialectComparison {
  const expected = Object.entries(dialect);
  const sticky = new Set(questions.filter((one) => one.sticky).map(({ id }) => id));
  const drift: Drift[] = [];
  const unobserved: string[] = [];
  for (const [question, reading] of expected) {
    const observed = findings.find(({ id }) => id === question)?.readings ?? [];
    if (observed.length === 0) unobserved.push(question);
    else if (observed.some((one) => one !== reading) && (sticky.has(question) || !observed.includes(reading)))
      drift.push({ question, expected: reading, observed });
  }
  return { held: expected.length, drift, unobserved };
}

/** A drift as one line of text. */
export function formatDrift({ question, expected, observed }: Drift): string {
  return `${question}: ${observed.join(', ')} instead of ${expected}`;
}
