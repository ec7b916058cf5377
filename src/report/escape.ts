/**
 * Text that a target sent may hold anything: terminal escapes, markup, bidirectional overrides, half
 * characters. Each output language has one function here, and no renderer writes foreign text without it.
 */

// DEL and C1 controls, bidirectional overrides and isolates, separators, fillers and tags that nobody sees.
const UNSEEN =
  '\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
  '\\u3164\\ufeff\\uffa0\\ufff0-\\uffff\\u{e0000}-\\u{e0fff}';
const UNSEEN_IN_JSON = new RegExp(`[${UNSEEN}]`, 'gu');
/** These, C0 controls and lone surrogates, which JSON escapes by itself. */
const UNSAFE = new RegExp(`[\\u0000-\\u001f${UNSEEN}]|\\p{Surrogate}`, 'gu');

/** As JSON writes it: by its UTF-16 units. */
function unicodeEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function visible(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return unicodeEscapes(character);
}

/** JSON that reads back as the same value, in which no control and nothing invisible stands as it is. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, null, indent));
}

/** The same for text that is JSON already. */
export function safeJson(text: string): string {
  return text.replace(UNSEEN_IN_JSON, unicodeEscapes);
}

/** One line of harmless text: every control or invisible character is written as its escape. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** A short clip has no room to say how much it left out. */
const NOTE_FROM_CHARACTERS = 60;

/** As `plain`, cut to so many characters with a note of what is missing. */
export function truncated(text: string, charactersMax: number): string {
  const safe = escapeControls(text);
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
export function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => MARKUP[character] ?? character);
}

/** For Markdown, tables included. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (character) => `\\${character}`);
}

/** For the message of a GitHub workflow command. */
export function escapeWorkflowMessage(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** For a property of a GitHub workflow command. */
export function escapeWorkflowProperty(text: string): string {
  return escapeWorkflowMessage(escapeControls(text)).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

/** The shells know no pairs of units. */
function inShell(character: string): string {
  return character.length === 1
    ? visible(character)
    : `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
}

/** One word of a POSIX shell command line. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (text.search(UNSAFE) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  const inQuotes = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replace(UNSAFE, inShell);
  return `$'${inQuotes}'`;
}
