import type { ClientRule, Occasion } from './rule.js';
import { CLIENT_RULES } from './rules/index.js';
import type { ClientCall, SeenSession, Session } from './session.js';

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

/** What the calls of a client say of a rule, where nothing else is known of it. */
export type SeenVerdict =
  | Exclude<RuleVerdict, { readonly state: 'kept' | 'open' }>
  | { readonly rule: ClientRule; readonly state: 'kept' }
  | { readonly rule: ClientRule; readonly state: 'open'; readonly why: string };

/** What is known of the calls of a client. */
export interface Sight {
  /** Whether instants are exact to some ms, by one clock. */
  readonly isExact: boolean;
  /** Whether calls of the client may be missing between the first and the last; `perhaps`: that is not said. */
  readonly isWhole: 'yes' | 'perhaps' | 'no';
  /** The process that made a call; null: not known. */
  readonly processOf: (call: ClientCall) => string | null;
}

/** Judges what was seen of a client, by every rule. What a recording does not show leaves a rule open: it never violates one. */
export function judgeSeen(session: SeenSession, sight: Sight): readonly SeenVerdict[] {
  const calls = new Map(session.calls.map((call) => [call.id, call]));
  const isOfOne = ({ calls: numbers, isLoop }: Occasion): boolean => {
    const [first, ...others] = numbers.map((id) => sight.processOf(calls.get(id)!));
    return (
      (sight.isExact && isLoop === true) ||
      (first !== undefined && first !== null && others.every((one) => one === first))
    );
  };
  return CLIENT_RULES.map((rule): SeenVerdict => {
    const open = (why: string): SeenVerdict => ({ rule, state: 'open', why });
    if (rule.traffic === 'nothing') return open(rule.whyOpen);
    const { needs = [] } = rule.traffic === 'one process' ? rule : {};
    if (needs.includes('clock') && !sight.isExact) return open('the recorded times are too coarse');
    if (needs.includes('whole') && sight.isWhole !== 'yes') return open('calls of the client may be missing');
    const occasions = rule.occasions(session);
    const wrong = occasions.filter(({ violation }) => violation !== null);
    const shown = rule.traffic === 'kept' ? [] : rule.traffic === 'each call' ? wrong : wrong.filter(isOfOne);
    if (shown.length > 0) return verdictOf(rule, shown) as SeenVerdict;
    if (wrong.length > 0)
      return open(rule.traffic === 'kept' ? rule.whyOpen : 'several processes may have made the calls');
    if (occasions.length === 0) return open('it had no occasion');
    if (rule.traffic !== 'each call' && sight.isWhole === 'no')
      return open('calls of the client may be missing');
    return { rule, state: 'kept' };
  });
}

function verdictOf(rule: ClientRule, occasions: readonly Occasion[]): RuleVerdict {
  const violations = occasions.flatMap(({ calls, violation }) =>
    violation === null ? [] : [{ calls, text: violation }],
  );
  if (violations.length > 0) return { rule, state: 'violated', violations };
  return { rule, state: occasions.length > 0 ? 'kept' : 'open' };
}
