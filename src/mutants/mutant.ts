/** What a mutant is: the endpoint with one known fault. */
import type { Rules } from '../core/rules.js';
import type { RequirementId } from '../spec/index.js';

export interface Mutant {
  /** Words joined by hyphens, unique. */
  readonly id: string;
  /** What the faulty endpoint does, as one would write it into a bug report. */
  readonly title: string;
  /** The requirements it breaks; the first is the main one, any of the rest may catch it as well. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  readonly sections: readonly string[];
  /** The rules with the fault in them. Called once a service: a fault may remember what it saw. */
  readonly rules: (base: Rules) => Rules;
}

export function fault(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  change: (base: Rules) => Partial<Rules>,
): Mutant {
  const sections = [...new Set(breaks.map((requirement) => requirement.slice(0, requirement.indexOf('/'))))];
  return { id, title, breaks, sections, rules: (base) => ({ ...base, ...change(base) }) };
}
