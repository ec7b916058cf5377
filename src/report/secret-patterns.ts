/** Regular expressions for the forms a secret can take in an output, and literals to search for first, which is faster. */

export interface SecretPatterns {
  /** The secret, each character plain or escaped as in JSON, markup or URLs. */
  readonly plain: RegExp;
  /** If `plain` matches a text without escapes, one of these occurs in its lower case. */
  readonly literals: readonly string[];
  /** The secret in base64 and in hexadecimal digits; null if it is too short. */
  readonly encoded: RegExp | null;
  /** If `encoded` matches a text, one of these occurs in its lower case. */
  readonly needles: readonly string[];
}

/** A shorter secret also occurs inside ordinary words, so it is masked only as a whole word. */
const ANYWHERE_LENGTH_MIN = 8;
/** As `ANYWHERE_LENGTH_MIN`, for a short secret without its first or last character. */
const PART_LENGTH_MIN = 3;
/** The shortest part of a truncated secret that cannot be mistaken for a word. */
const CUT_LENGTH_MIN = 6;

/** Encoded characters that depend on the last character of the secret. */
const BEHIND = '[A-Za-z0-9+/_-]{0,4}={0,2}';
/** Characters that end a string or a tag of the surrounding text. */
const SYNTAX = /["'<>&\\]/;
/** Not within an escape of the surrounding text. */
const NOT_ESCAPED = '(?<!\\\\(?:u[0-9a-f]{0,3})?)';

const NAMED: { readonly [character: string]: string } = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

export function secretPatternsOf(secret: string): SecretPatterns {
  if (secret.length < ANYWHERE_LENGTH_MIN) return asWholeWord(secret);
  const characters = [...secret].map((character) => anyForm(character));
  // The optional first and last character must not consume syntax of the surrounding text.
  const [first, last] = [[...secret][0]!, [...secret].at(-1)!].map((character) =>
    anyForm(character, SYNTAX.test(character) ? [] : [`${NOT_ESCAPED}${escapeForRegExp(character)}`]),
  );
  const between = characters.slice(1, -1).join('');
  const plain = [
    `(?:${first!})?${between}(?:${last!})?`,
    // In truncated text: a prefix of the secret at its end, or a suffix at its beginning.
    `${characters.slice(0, CUT_LENGTH_MIN).join('')}${beginningOf(characters.slice(CUT_LENGTH_MIN))}(?=…|$)`,
    `(?<=…|^)${endOf(characters.slice(0, -CUT_LENGTH_MIN))}${characters.slice(-CUT_LENGTH_MIN).join('')}`,
  ];
  const needles = encodingsOf(secret.slice(1, -1));
  const literals = [secret.slice(1, -1), secret.slice(0, CUT_LENGTH_MIN), secret.slice(-CUT_LENGTH_MIN)];
  return {
    plain: new RegExp(plain.join('|'), 'gi'),
    literals: literals.map((literal) => literal.toLowerCase()),
    encoded: new RegExp(`(?:${needles.map(escapeForRegExp).join('|')})${BEHIND}`, 'gi'),
    needles: needles.map((needle) => needle.toLowerCase()),
  };
}

function asWholeWord(secret: string): SecretPatterns {
  const parts = [secret.slice(0, -1), secret.slice(1)].filter(({ length }) => length >= PART_LENGTH_MIN);
  const [whole, ...others] = [secret, ...parts].map((part) =>
    [...part].map((character) => anyForm(character)).join(''),
  );
  const words = [`${whole!}x?`, ...others].join('|');
  return {
    plain: new RegExp(`(?<![A-Za-z0-9_-])(?:${words})(?![A-Za-z0-9_-])`, 'gi'),
    literals: [secret, ...parts].map((part) => part.toLowerCase()),
    encoded: null,
    needles: [],
  };
}

/** The character plain, percent-encoded, as a JSON escape or a character reference, in either case, and encoded repeatedly. */
function anyForm(character: string, asItIs: readonly string[] = [literally(character)]): string {
  const cases = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  return `(?:${[
    ...asItIs,
    ...cases.map(percentEncoded),
    ...cases.map(jsonEscape),
    `&(?:amp;)*(?:${cases.flatMap(references).join('|')});`,
  ].join('|')})`;
}

function literally(character: string): string {
  if (character === '\\') return '\\\\+';
  const literal = escapeForRegExp(character);
  return /[!-/:-@[-`{-~]/.test(character) ? `\\\\*${literal}` : literal;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%(?:25)*${inHex(byte, 2)}`).join('');
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\\\+u${inHex(unit, 4)}`).join('');
}

function references(character: string): readonly string[] {
  const codes = [...character].map((one) => one.codePointAt(0)!);
  const named = NAMED[character];
  return [
    ...codes.flatMap((code) => [`#0*${code}`, `#x0*${code.toString(16)}`]),
    ...(named === undefined ? [] : [named]),
  ];
}

const inHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Any prefix of the characters, including the empty one. */
function beginningOf(characters: readonly string[]): string {
  return characters.reduceRight((rest, character) => `(?:${character}${rest})?`, '');
}

function endOf(characters: readonly string[]): string {
  return characters.reduce((rest, character) => `(?:${rest}${character})?`, '');
}

/**
 * The parts of the encoded secret that do not depend on the text around it: in base64, for each of its three offsets in a
 * group, without the characters that encode adjacent bytes as well.
 */
function encodingsOf(secret: string): readonly string[] {
  const cases = [secret, otherCase(secret), secret.toLowerCase(), secret.toUpperCase()];
  const found = cases.flatMap((one) => {
    const bytes = Buffer.from(one);
    const base64 = [0, 1, 2].map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replaceAll('=', '');
      const own = text.slice(Math.ceil((before * 8) / 6));
      return (before + bytes.length) % 3 === 0 ? own : own.slice(0, -1);
    });
    const inAddresses = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
    const encoded = base64.map((text) => text.replaceAll('+', '%2B').replaceAll('/', '%2F'));
    return [...base64, ...inAddresses, ...encoded, bytes.toString('hex')];
  });
  return [...new Set(found)];
}

/** The same change as in `target/authorization.ts`. */
function otherCase(text: string): string {
  return [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
