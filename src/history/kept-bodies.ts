/**
 * How much is kept of the bodies of calls that pass. More passes all the same; what it says is not known, or only of how many
 * bytes it was. What a history keeps of a body is said in `body.ts`, and of a recording in `traffic/bodies.ts`.
 */

/** Of calls through the proxy. Those of the API have up to 20 MB (section 8); a service may take too much. */
export const PROXIED = {
  bytesMax: 24 << 20,
  /** Bodies of up to this size are always kept: a thousand at once fit. */
  smallBytesMax: 1 << 20,
  /** Of larger bodies that pass at once. */
  largeBytesMax: 128 << 20,
} as const;

/** Of the calls of a client under a condition. */
export const OF_CLIENT = {
  /** So much of what it sends is passed on. */
  sentBytesMax: 32 << 20,
  /** A larger body that it sends is not looked into. */
  readBytesMax: 1 << 20,
  /** A job's output is left out of a longer answer. */
  answerCharactersMax: 100_000,
  /** The same of a client without pauses, which must not fill the memory. */
  answerCharactersOfManyMax: 1_000,
} as const;

/** Of calls of the emulator. */
export const OF_SERVE = {
  /** Of each body, for `serve --log` and the page. */
  loggedCharactersMax: 10_000,
  /** Of all bodies that were sent, for `serve --record`. */
  recordedCharactersMax: 16 << 20,
} as const;
