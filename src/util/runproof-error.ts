/** What went wrong, for programs. @public */
export type ErrorCode =
  /** The options make no sense: of a check, a target or a server. */
  | 'usage'
  /** The target cannot be used at all. */
  | 'target'
  /** A script or a scenario is not valid. */
  | 'script'
  /** A scenario needs a longer wait or more workers than the target's limits allow. */
  | 'limits'
  /** The target breaks a requirement, or too little was decided (`CheckResult.assertConforms`). */
  | 'does-not-conform';

/**
 * Every error that is no bug of Runproof. Its message says what is wrong and what to do; another error that is thrown is a
 * bug.
 *
 * @public
 */
export class RunproofError extends Error {
  override name = 'RunproofError';
  readonly code: ErrorCode;
  /** What the user can do about it; null where the message says it. */
  readonly advice: string | null;

  constructor(code: ErrorCode, message: string, advice: string | null = null) {
    super(advice === null ? message : `${message}. ${advice}`);
    this.code = code;
    this.advice = advice;
  }
}
