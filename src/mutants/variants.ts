/**
 * Legal variants: services with other readings of open questions, or with slightly late timers. All of them
 * conform.
 */
import { NOT_MADE, readingsOf } from '../core/editions.js';
import { LEGAL_HABITS } from '../core/habits.js';
import { rulesFor } from '../core/rules.js';
import type { Dialect, Rules } from '../core/rules.js';
import { QUESTIONS } from '../spec/index.js';
import type { Edition, OpenQuestion, QuestionId } from '../spec/index.js';

export interface Variant {
  /** `8/megabyte=binary`, or words joined by hyphens. */
  readonly id: string;
  readonly title: string;
  /** The edition to judge it by. */
  readonly edition: Edition;
  /** The readings in which it differs from the default. */
  readonly dialect: Dialect;
  readonly rules: () => Rules;
  /** The largest lateness of its timers, in ms. */
  readonly lateMs: number;
}

/** Readings that show over HTTP only: the server implements them, not the core. */
export const ONLY_OVER_HTTP: readonly string[] = [
  '6/attempt-timeout=up-to-30-s',
  '6/attempt-timeout=longer',
  '8/retry-after=date',
];

/** Readings that make sense only together with other readings. */
const COMPANIONS: { readonly [variant: string]: Dialect } = {
  '4.1/wait-elapsed-body=error': { '4.1/wait-elapsed-code': '408' },
  '4.5/cancel-ended-effect=cancelled': { '4.5/cancel-ended-answer': 'status-cancelled' },
  '4.5/cancel-ended-effect=removed': {
    '4.5/cancel-ended-answer': 'status-cancelled',
    '4.5/cancel-twice': 'refused-404',
  },
  '2.7/retried-counts=re-dispatches': { '3/worker-crash': 're-dispatched' },
  '2.7/retried-counts=both': { '3/worker-crash': 're-dispatched' },
  '8/unauthorized-calls-count=yes': { '8/limit-scope': 'per-endpoint' },
  '3/status-after-cancel=not-found': {
    '4.5/cancel-twice': 'refused-404',
    '3/retention-of-cancelled': 'not-at-all',
  },
  '3/retention-of-cancelled=not-at-all': {
    '4.5/cancel-twice': 'refused-404',
    '3/status-after-cancel': 'not-found',
  },
  '3/status-operation-states=first-four': {
    '3/status-after-cancel': 'not-found',
    '3/retention-of-cancelled': 'not-at-all',
  },
  '4.1/failed-job-code=500': { '7/crash-code': '500' },
  '4.1/failed-job-code=400': { '7/crash-code': 'other' },
  '4.1/failed-job-code=other': { '7/crash-code': 'other' },
  '4.4/second-read=all-so-far': { '4.4/drained': 'all-again' },
  '4.7/purged-job-status=CANCELLED': { '4.1/purge-during-wait': 'record' },
  '4.7/purged-job-status=FAILED': { '4.1/purge-during-wait': 'record' },
  '2.4/output-before-end=null': { '4.6/output-after-retry': 'null' },
  '2.4/failure-reason=in-output': { '2.4/output-of-failed': 'error' },
  '2.4/failure-reason=elsewhere': { '2.4/other-fields': 'some' },
};

/** The default readings of each edition. */
const dialects: { readonly [E in Edition]: Dialect } = {
  document: readingsOf({}, 'document'),
  runpod: readingsOf({}, 'runpod'),
};
const notMade = new Set(NOT_MADE.map(({ question, reading }) => `${question}=${reading}`));

/** Questions about TIMED_OUT jobs need a service that has such jobs. */
function ofTimedOut(edition: Edition, question: string): Dialect {
  const concerned = question.endsWith('timed-out') && dialects[edition]['3/timed-out-state'] === 'FAILED';
  return concerned ? { '3/timed-out-state': 'TIMED_OUT' } : {};
}

/** The other legal readings of one question in this edition. */
function readingVariants(edition: Edition, { id, question, readings }: OpenQuestion): Variant[] {
  const own = dialects[edition][id as QuestionId];
  return readings.flatMap((reading) => {
    const variant = `${id}=${reading.id}`;
    const legal = reading.onlyIn === undefined || reading.onlyIn.includes(edition);
    if (!legal || notMade.has(variant) || own === reading.id) return [];
    const dialect = { ...ofTimedOut(edition, id), ...COMPANIONS[variant], [id]: reading.id } as Dialect;
    const title = `${question} ${reading.text}`;
    return [{ id: variant, title, edition, dialect, rules: () => rulesFor(dialect, edition), lateMs: 0 }];
  });
}

const habitual = (edition: Edition): readonly Variant[] =>
  LEGAL_HABITS.map(({ change, ...habit }) => ({
    ...habit,
    edition,
    dialect: {},
    rules: () => {
      const base = rulesFor({}, edition);
      return { ...base, ...change(base) };
    },
  }));

const DEFAULT_RUNPOD: Variant = {
  id: 'edition-runpod',
  title: 'the default service of edition runpod',
  edition: 'runpod',
  dialect: {},
  lateMs: 0,
  rules: () => rulesFor({}, 'runpod'),
};

/** One variant for each reading that the edition allows, and those with late timers. */
export function legalVariants(edition: Edition): readonly Variant[] {
  const questions: readonly OpenQuestion[] = QUESTIONS;
  return [...questions.flatMap((question) => readingVariants(edition, question)), ...habitual(edition)];
}

/** The variants of edition `document`, and the default service of edition `runpod`. */
export const LEGAL_VARIANTS: readonly Variant[] = [...legalVariants('document'), DEFAULT_RUNPOD];
