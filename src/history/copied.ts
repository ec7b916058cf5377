/**
 * Copies a text. V8 keeps a substring (a slice, a match, a part) as a view of the whole text, so a few
 * characters would keep megabytes alive.
 */
export function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
