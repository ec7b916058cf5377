/** What a secret can look like in an output, as patterns, and what to look for before them, since that is faster. */

export interface SecretPatterns {
  /** The secret character by character, each as it is or as JSON, markup and addresses write it. */
  readonly plain: RegExp;
  /** One of these occurs in the text in lower case wherever `plain` may, unless it holds an escape of some kind. */
  readonly literals: readonly string[];
  /** The secret in base64 and in hexadecimal digits; null where it is too short for that. */
  readonly encoded: RegExp | null;
  /** One of these occurs in the text in lower case wherever `encoded` may. */
  readonly needles: readonly string[];
}

/** A shorter secret also occurs inside ordinary words, so it is masked only where it stands alone. */
const ANYWHERE_LENGTH_MIN = 8;
/** As `ANYWHERE_LENGTH_MIN`, for what is left of a short secret without its first or last character. */
const PART_LENGTH_MIN = 3;
/** So much of a secret is told apart from a word where a text was cut off within it. */
const CUT_LENGTH_MIN = 6;

/** What the last character of an encoded secret has a part in. */
const BEHIND = '[A-Za-z0-9+/_-]{0,4}={0,2}';
/** Characters that end a string or a tag of the text around. */
const SYNTAX = /["'<>&\\]/;
/** Not within an escape of the text around. */
const NOT_ESCAPED = '(?<!\\\\(?:u[0-9a-f]{0,3})?)';

const NAMED: { readonly [character: string]: string } = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

export function secretPatternsOf(secret: string): SecretPatterns {
  if (secret.length < ANYWHERE_LENGTH_MIN) return standingAlone(secret);
  const characters = [...secret].map((character) => anyWriting(character));
  // What may be there or not must not take away what belongs to the text around.
  const [first, last] = [[...secret][0]!, [...secret].at(-1)!].map((character) =>
    anyWriting(character, SYNTAX.test(character) ? [] : [`${NOT_ESCAPED}${escapeForRegExp(character)}`]),
  );
  const between = characters.slice(1, -1).join('');
  const plain = [
    `(?:${first!})?${between}(?:${last!})?`,
    // Where a text was cut off: the beginning of the secret at its end, and the end of it at its beginning.
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

function standingAlone(secret: string): SecretPatterns {
  const parts = [secret.slice(0, -1), secret.slice(1)].filter(({ length }) => length >= PART_LENGTH_MIN);
  const [whole, ...others] = [secret, ...parts].map((part) =>
    [...part].map((character) => anyWriting(character)).join(''),
  );
  const words = [`${whole!}x?`, ...others].join('|');
  return {
    plain: new RegExp(`(?<![A-Za-z0-9_-])(?:${words})(?![A-Za-z0-9_-])`, 'gi'),
    literals: [secret, ...parts].map((part) => part.toLowerCase()),
    encoded: null,
    needles: [],
  };
}

/** As it is, percent-encoded, as a JSON escape, as a character reference; in other case and encoded more than once, too. */
function anyWriting(character: string, asItIs: readonly string[] = [literally(character)]): string {
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
  return /["'/]/.test(character) ? `\\\\*${literal}` : literal;
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

/** Any beginning of the rest, the empty one as well. */
function beginningOf(characters: readonly string[]): string {
  return characters.reduceRight((rest, character) => `(?:${character}${rest})?`, '');
}

function endOf(characters: readonly string[]): string {
  return characters.reduce((rest, character) => `(?:${rest}${character})?`, '');
}

/**
 * What is the same wherever the secret stands in an encoded text: of base64, at each of its three places in a group,
 * without the characters that its neighbours have a part in.
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

/** As `target/authorization.ts` changes it. */
function otherCase(text: string): string {
  return [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
