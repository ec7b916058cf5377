import type { Session } from '../../../src/client/session.js';

/** What sessions say of a rule. Their names continue "it is kept by a client that …". */
export interface RuleCases {
  readonly rule: string;
  readonly kept: { readonly [name: string]: Session };
  /** With a part of what is said. */
  readonly violated: { readonly [name: string]: readonly [session: Session, says: string] };
  readonly open: { readonly [name: string]: Session };
}
