/** A mutant: the service with one known fault. */
import type { JobView } from '../core/entities.js';
import type { Rules } from '../core/rules.js';
import type { RequirementId } from '../spec/index.js';

export interface Mutant {
  /** Unique; words joined by hyphens. Never changes. */
  readonly id: string;
  /** What the faulty service does, as in a bug report. Shown in lists and tables. */
  readonly title: string;
  /** The requirements that it violates, the main one first. Each of them may catch it. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  readonly sections: readonly string[];
  /** The rules with the fault. Called once per service, as a fault may have state. */
  readonly rules: (base: Rules) => Rules;
}

/** The rules that a fault replaces. Called once per service, as a fault may have state. */
export type Change = (base: Rules) => Partial<Rules>;

/** By the id of the fault, which `wrongs.ts` describes. */
export interface Changes {
  readonly [id: string]: Change;
}

/** Records lack the fields of which this holds. */
export const without =
  (isLacking: Rules['shows']): Change =>
  (base) => ({ shows: (...field) => !isLacking(...field) && base.shows(...field) });

/** The ttl does not delete a job while this holds. */
export const ttlSpares =
  (isSpared: (job: JobView) => boolean): Change =>
  (base) => ({ ttlDeadlineMs: (job, ttlMs) => (isSpared(job) ? Infinity : base.ttlDeadlineMs(job, ttlMs)) });

/** Faults that differ in one word, which `*` stands for. */
export function each<Word extends string | number>(
  pattern: string,
  words: readonly Word[],
  changeFor: (word: Word) => Change,
): Changes {
  return Object.fromEntries(words.map((word) => [pattern.replace('*', String(word)), changeFor(word)]));
}
