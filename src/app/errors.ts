/** The two ways in which a command ends early through no fault of ours. Anything else thrown is our own error. */

/** The command line or the configuration cannot be followed: exit code 2. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The target cannot be reached, or refuses the key everywhere: exit code 3. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Exit code 130: the user had enough before there was anything to report. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted before anything was played');
  }
}
