/**
 * Text that a target sent may hold anything: terminal escapes, markup, bidirectional overrides, half
 * characters. Each output language has one function here, and no renderer writes foreign text without it.
 */

// C0 and C1 controls, DEL, bidirectional overrides and isolates, invisible separators, lone surrogates.
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|\p{Surrogate}/gu;

function visible(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of harmless text: every control or invisible character is written as its escape. */
export function plain(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** A short clip has no room to say how much it left out. */
const NOTE_FROM_CHARACTERS = 60;

/** As `plain`, cut to so many characters with a note of what is missing. */
export function clipped(text: string, charactersMax: number): string {
  const safe = plain(text);
  if (safe.length <= charactersMax) return safe;
  const rest =
    charactersMax < NOTE_FROM_CHARACTERS ? '' : ` (${safe.length - charactersMax} more characters)`;
  return `${safe.slice(0, charactersMax)}…${rest}`;
}

const MARKUP: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML and XML, in text and in quoted attributes alike. */
export function markup(text: string): string {
  return plain(text).replace(/[&<>"']/g, (character) => MARKUP[character] ?? character);
}

/** For Markdown, tables included. */
export function markdown(text: string): string {
  return plain(text).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (character) => `\\${character}`);
}

/** For the message of a GitHub workflow command. */
export function workflowMessage(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** For a property of a GitHub workflow command. */
export function workflowProperty(text: string): string {
  return workflowMessage(plain(text)).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

/** One word of a POSIX shell command line. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (text.search(UNSAFE) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replace(UNSAFE, visible);
  return `$'${escaped}'`;
}
