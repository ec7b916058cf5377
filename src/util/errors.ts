/** Errors of the commands that are not bugs of Runproof. Everything else that is thrown is one. */
import { RunproofError } from './runproof-error.js';

/** The options or the configuration are wrong: exit code 2. The message says what to do. */
export class UsageError extends RunproofError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super('usage', message);
  }
}

/** The target cannot be reached, or rejects the API key in every call: exit code 3. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The user interrupted the command before there was anything to report: exit code 130. */
export class InterruptedError extends Error {
  /** @param left what the probes may have left on the target, in words */
  constructor(left: readonly string[]) {
    super(['interrupted before any script was run', ...left].join('\n'));
  }
}
