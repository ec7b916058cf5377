const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in one bit only, and so do `]` and `}`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether arrays and objects are nested deeper than `depthMax`, counting brackets outside strings; the JSON
 * may be invalid.
 */
export function isNestedDeeperThan(json: Buffer, depthMax: number): boolean {
  // Each level takes a byte, so short bodies need no scan.
  if (json.length <= depthMax) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if ((byte | BRACE_BIT) === OPENING) {
      if (++depth > depthMax) return true;
    } else if ((byte | BRACE_BIT) === CLOSING) {
      depth--;
    }
  }
  return false;
}

/** Strings make up most of a large body; `indexOf` is far faster than a loop. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf(QUOTE, at);
    if (at === -1) return json.length;
    let backslashes = 0;
    while (json[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
