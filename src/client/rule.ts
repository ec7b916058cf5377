import type { SeenSession, Session } from './session.js';

/** A rule that a client of the API keeps or violates. */
export type ClientRule = Sentence & (InTraffic | InLaboratory);

/** Each occasion on which the client could keep or violate a rule. None: nothing is known. */
type OccasionsIn<Known> = (session: Known) => readonly Occasion[];

/** What recorded calls show of it, where nothing else is known of the client. */
type InTraffic =
  /** Each call by itself keeps or violates it. */
  | { readonly traffic: 'each call'; readonly occasions: OccasionsIn<SeenSession> }
  /** The calls of one process do. */
  | {
      readonly traffic: 'one process';
      /**
       * `clock`: instants are exact to some ms. `whole`: no call of the client is missing, because one that is could make of a
       * correct client one that violates it.
       */
      readonly needs?: readonly ('clock' | 'whole')[];
      readonly occasions: OccasionsIn<SeenSession>;
    }
  /** Only that it is kept: what looks like a violation may have a reason, which calls do not show. */
  | { readonly traffic: 'kept'; readonly whyOpen: string; readonly occasions: OccasionsIn<SeenSession> };

/** Nothing. */
interface InLaboratory {
  readonly traffic: 'nothing';
  readonly whyOpen: string;
  readonly occasions: OccasionsIn<Session>;
}

export const END_UNKNOWN = 'how its process ends is not known';

interface Sentence {
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
  /** Set where these calls, one after the other, show a loop of one process, whatever else is known of processes. */
  readonly isLoop?: true;
}
