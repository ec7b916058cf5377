import type { Session } from './session.js';

/** A rule that a client of the API keeps or violates. */
export interface ClientRule {
  /** `client/backs-off`. */
  readonly id: string;
  /** `must`: the document says so. `should`: it advises it, it follows from what the document says, or HTTP says so. */
  readonly level: 'must' | 'should';
  /** One sentence that can be true or false of a client. */
  readonly text: string;
  readonly source: RuleSource;
  /** What an observer has to see to decide it, in words. */
  readonly decidedBy: string;
  /** What its violation costs; absent: manners, which cost others more than the client. `endless`: only where it was stopped at the limit. */
  readonly harm?: 'money' | 'endless' | 'wrong result';
  /** Where another rule is violated in the same weather, that says better what went wrong; absent: it stands by itself. */
  readonly isConsequence?: true;
  /** Ids of the weathers that give it an occasion. */
  readonly weather: readonly string[];
  /** Each occasion on which the client could keep or violate it. None: nothing is known. */
  readonly occasions: (session: Session) => readonly Occasion[];
}

type RuleSource =
  | { readonly kind: 'document'; readonly section: string; readonly quote: string }
  /** It follows from this section. */
  | { readonly kind: 'consequence'; readonly section: string; readonly why: string }
  | { readonly kind: 'http'; readonly reference: string };

export interface Occasion {
  /** The calls that show it, by their numbers. */
  readonly calls: readonly number[];
  /** What the client did against the rule, in words; null: it kept it. */
  readonly violation: string | null;
}
