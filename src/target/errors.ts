import { RunproofError } from '../util/runproof-error.js';

/**
 * Why a target cannot be used at all. Whatever an implementation answers to a script is never one of these.
 *
 * @public
 */
export type TargetProblem =
  /** The address or the options do not make sense together. */
  | 'configuration'
  /** Nothing answers at the address. */
  | 'unreachable'
  /** Every call is answered with 401, whichever way the key is written. */
  | 'key-refused'
  /** Nothing is known of the endpoint: what makes jobs of it and what counts them are both answered 404. */
  | 'unknown-endpoint'
  /** No operation works: every call is refused, redirected, or answered with something other than JSON. */
  | 'nothing-works'
  /** The worker does not accept the sample input: `/run` answers it with 400 or 422. */
  | 'sample-refused'
  /** The worker follows plans, but says that it does not know a step of them. */
  | 'plan-refused'
  /** Test control was promised at an address that does not keep its contract. */
  | 'control';

/** A target cannot be used at all; `advice` says what to try. @public */
export class TargetError extends RunproofError {
  override readonly name = 'TargetError';
  readonly problem: TargetProblem;
  /** What the user can do about it. */
  declare readonly advice: string;

  constructor(problem: TargetProblem, message: string, advice: string) {
    super('target', message, advice);
    this.problem = problem;
  }
}
