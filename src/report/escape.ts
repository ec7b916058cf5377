/**
 * Text from a target may contain anything: terminal escapes, markup, bidirectional overrides, lone surrogates.
 * Each output language has one function here, and every renderer passes foreign text through it.
 */

// DEL and C1 controls, bidirectional overrides and isolates, separators, fillers and invisible tags.
const UNSEEN =
  '\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
  '\\u3164\\ufeff\\uffa0\\ufff0-\\uffff\\u{e0000}-\\u{e0fff}';
const UNSEEN_IN_JSON = new RegExp(`[${UNSEEN}]`, 'gu');
/** `UNSEEN`, plus C0 controls and lone surrogates, which JSON.stringify escapes itself. */
const UNSAFE = new RegExp(`[\\u0000-\\u001f${UNSEEN}]|\\p{Surrogate}`, 'gu');

/** The JSON escapes of its UTF-16 units. */
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

/** JSON of the same value, with every control and invisible character escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, null, indent));
}

/** The same for a JSON text. */
export function safeJson(text: string): string {
  return text.replace(UNSEEN_IN_JSON, unicodeEscapes);
}

/** One line of harmless text: every control and invisible character is escaped. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** The same for several lines, which stay lines. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n');

/** The same value with every text in it, and every name, made harmless by `escapeControls`. */
export function escapedTexts<T>(value: T): T {
  if (typeof value === 'string') return escapeControls(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(escapedTexts) as T;
  const members = Object.entries(value).map(([name, member]) => [escapeControls(name), escapedTexts(member)]);
  return Object.fromEntries(members) as T;
}

/** A shorter limit leaves no room for a note. */
const NOTE_FROM_CHARACTERS = 60;

/** As `escapeControls`, truncated to `charactersMax` characters, with a note of how many are missing. */
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

/** For HTML and XML, in text and in quoted attributes. */
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

/** Shells do not understand surrogate pairs. */
function inShell(character: string): string {
  return character.length === 1
    ? visible(character)
    : `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
}

/** Quotes text as one word of a POSIX shell command line. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (text.search(UNSAFE) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  const inQuotes = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replace(UNSAFE, inShell);
  return `$'${inQuotes}'`;
}
