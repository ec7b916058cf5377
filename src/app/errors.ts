/** Errors that are not bugs of Runproof. Everything else that is thrown is one. */

/** The options or the configuration are wrong: exit code 2. The message says what to do. @public */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The target cannot be reached, or rejects the API key in every call: exit code 3. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The user interrupted the command before there was anything to report: exit code 130. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted before any script was run');
  }
}
