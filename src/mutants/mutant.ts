/** A mutant: the service with one known fault. */
import type { Rules } from '../core/rules.js';
import { requirement, type RequirementId } from '../spec/index.js';

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

export function fault(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  change: (base: Rules) => Partial<Rules>,
): Mutant {
  const sections = [...new Set(breaks.map((broken) => requirement(broken).section))];
  return { id, title, breaks, sections, rules: (base) => ({ ...base, ...change(base) }) };
}
