import type { ClientRule, Occasion } from './rule.js';
import { CLIENT_RULES } from './rules/index.js';
import type { Session } from './session.js';

/** What one session says of one rule. `open`: it gave no occasion, so that nothing is known. */
export type RuleVerdict =
  | { readonly rule: ClientRule; readonly state: 'kept' | 'open' }
  | { readonly rule: ClientRule; readonly state: 'violated'; readonly violations: readonly Violation[] };

/** An occasion on which the rule was not kept. */
export interface Violation {
  readonly calls: readonly number[];
  readonly text: string;
}

/** Judges a session by every rule, in their order. */
export function judgeSession(session: Session): readonly RuleVerdict[] {
  return CLIENT_RULES.map((rule) => verdictOf(rule, rule.occasions(session)));
}

function verdictOf(rule: ClientRule, occasions: readonly Occasion[]): RuleVerdict {
  const violations = occasions.flatMap(({ calls, violation }) =>
    violation === null ? [] : [{ calls, text: violation }],
  );
  if (violations.length > 0) return { rule, state: 'violated', violations };
  return { rule, state: occasions.length > 0 ? 'kept' : 'open' };
}
