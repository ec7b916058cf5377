/**
 * The text in memory of its own. What is cut out of a text (a slice, a match, a part) is kept by V8 as a view of the
 * whole, so that a few characters that are kept keep megabytes.
 */
export function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
