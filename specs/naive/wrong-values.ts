/** What stores, codecs and well-meant helpers make of the values that pass through them. Each under its fault alone. */
import type { FaultId } from './faults.js';
import { mapMembers, mapStrings, without, withoutNulls } from './job.js';
import { isObject, type Json, type JsonObject } from './json.js';

type Change = (value: Json) => Json;

/** Applied to the value and to all within it, from the inside out. */
const throughout =
  (change: Change): Change =>
  (value) =>
    change(mapMembers(value, throughout(change)));

const texts =
  (change: (text: string) => string): Change =>
  (value) =>
    mapStrings(value, change);

const names =
  (change: (name: string) => string | null): Change =>
  (value) =>
    throughout((member) => {
      if (!isObject(member)) return member;
      const renamed = Object.entries(member).map(([name, inner]) => [change(name), inner] as const);
      return Object.fromEntries(renamed.filter(([name]) => name !== null)) as JsonObject;
    })(value);

const numericTexts = throughout((value) =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value,
);

const reformattedDate = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : text;

function parsedText(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function withoutDepths(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  return depth === 0 ? '[Object]' : mapMembers(value, (member) => withoutDepths(member, depth - 1));
}

const astralLost = texts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'));
const of32Bits = throughout((value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(Math.fround(value).toPrecision(7)) : value,
);
const snakeCase = names((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const emptyKeyLost = names((name) => (name === '' ? null : name));
const singletons = throughout((value) =>
  Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value,
);
const emptyObjectsAsArrays = throughout((value) =>
  isObject(value) && Object.keys(value).length === 0 ? [] : value,
);
const outputMember: Change = (value) =>
  isObject(value) && value['output'] !== undefined ? value['output'] : value;

const of14Digits = throughout((value) => (typeof value === 'number' ? Number(value.toPrecision(14)) : value));
const longArraysCut = throughout((value) => (Array.isArray(value) ? value.slice(0, 100) : value));
const arrayNullsLost = throughout((value) =>
  Array.isArray(value) ? value.filter((member) => member !== null) : value,
);
const numberedAsArray = throughout((value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name, index) => name === String(index))
    ? Object.values(value)
    : value,
);
const constructorLost = names((name) => (name === 'constructor' ? null : name));
const emptyTextsAsNull = throughout((value) => (value === '' ? null : value));
const booleanTexts = throughout((value) =>
  value === 'true' || value === 'false' ? value === 'true' : value,
);
const largeNumbersAsTexts = throughout((value) =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
);
const exponentsLost = throughout((value) =>
  typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value,
);
const backslashesLost = texts((text) => text.replaceAll('\\', ''));
const htmlEscaped = texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

const startingWith = (sign: string): Change => names((name) => (name.startsWith(sign) ? null : name));

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
const dotsNested = throughout((value) => {
  if (!isObject(value)) return value;
  const nest = (path: readonly string[], member: Json): Json =>
    path.reduceRight<Json>((inner, name) => ({ [name]: inner }), member);
  return Object.assign({}, ...Object.entries(value).map(([name, member]) => nest(name.split('.'), member)));
});

/** Of names that differ in case alone the last. */
const mergedByCase = throughout((value) =>
  isObject(value)
    ? Object.fromEntries(
        new Map(Object.entries(value).map((member) => [member[0].toLowerCase(), member])).values(),
      )
    : value,
);

const INPUT: Readonly<Partial<Record<FaultId, Change>>> = {
  'input-numeric-texts-as-numbers': numericTexts,
  'input-boolean-texts-as-booleans': throughout((value) =>
    value === 'true' || value === 'false' ? value === 'true' : value,
  ),
  'input-floats-of-32-bits': of32Bits,
  'input-astral-lost': astralLost,
  'input-empty-key-lost': emptyKeyLost,
  'input-dollar-keys-lost': names((name) => (name.startsWith('$') ? null : name)),
  'input-keys-snake-case': snakeCase,
  'input-singletons-unwrapped': singletons,
  'input-long-text-cut': texts((text) => text.slice(0, 65_535)),
  'input-empty-object-as-array': emptyObjectsAsArrays,
  'input-large-numbers-as-texts': throughout((value) =>
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
  ),
  'input-exponents-lost': throughout((value) =>
    typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value,
  ),
  'input-duplicates-removed': throughout((value) =>
    Array.isArray(value)
      ? [...new Map(value.map((member) => [JSON.stringify(member), member])).values()]
      : value,
  ),
  'input-tabs-as-blanks': texts((text) => text.replace(/[\t\r\n]/g, ' ')),
  'input-percent-decoded': texts((text) => text.replaceAll('%20', ' ')),
  'input-plus-as-blank': texts((text) => text.replaceAll('+', ' ')),
  'input-zero-width-lost': texts((text) => text.replace(/[\u200b-\u200f\ufeff]/g, '')),
  'input-backslashes-lost': backslashesLost,
  'input-quotes-doubled': texts((text) => text.replaceAll("'", "''")),
  'input-tags-stripped': texts((text) => text.replace(/<[^>]*>/g, '')),
  'input-numbers-of-14-digits': of14Digits,
  'input-long-arrays-cut': longArraysCut,
  'input-array-nulls-lost': arrayNullsLost,
  'input-keys-trimmed': names((name) => name.trim()),
  'input-numbered-keys-as-array': numberedAsArray,
  'input-underscore-keys-lost': names((name) => (/^_(?!_proto__$)/.test(name) ? null : name)),
  'input-constructor-lost': constructorLost,
  'input-keys-merged-by-case': mergedByCase,
  'input-empty-texts-as-null': emptyTextsAsNull,
  'input-placeholders-filled': texts((text) => text.replace(/\$\{[^}]*\}/g, '')),
};

const OUTPUT: Readonly<Partial<Record<FaultId, Change>>> = {
  'output-json-text-parsed': parsedText,
  'output-numeric-texts-as-numbers': numericTexts,
  'output-trimmed': texts((text) => text.trim()),
  'output-html-escaped': texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  'output-nul-lost': texts((text) => text.replaceAll('\0', '')),
  'output-astral-lost': astralLost,
  'output-floats-of-32-bits': of32Bits,
  'output-keys-snake-case': snakeCase,
  'output-singletons-unwrapped': singletons,
  'output-empty-object-as-array': emptyObjectsAsArrays,
  'output-empty-key-lost': emptyKeyLost,
  'output-output-member-unwrapped': outputMember,
  'output-text-in-object': (value) => (typeof value === 'string' ? { result: value } : value),
  'output-deep-lost': (value) => withoutDepths(value, 5),
  'output-dates-reformatted': texts(reformattedDate),
  'output-empty-texts-as-null': emptyTextsAsNull,
  'output-array-nulls-lost': arrayNullsLost,
  'output-numbers-of-14-digits': of14Digits,
  'output-long-arrays-cut': longArraysCut,
  'output-numbered-keys-as-array': numberedAsArray,
  'output-underscore-keys-lost': names((name) => (/^_(?!_proto__$)/.test(name) ? null : name)),
  'output-constructor-lost': constructorLost,
  'output-proto-lost': names((name) => (name === '__proto__' ? null : name)),
  'output-dollar-keys-lost': startingWith('$'),
  'output-dotted-keys-nested': dotsNested,
  'output-large-numbers-as-texts': largeNumbersAsTexts,
  'output-exponents-lost': exponentsLost,
  'output-backslashes-lost': backslashesLost,
  'output-line-breaks-unified': texts((text) => text.replaceAll('\r\n', '\n')),
  'output-unicode-normalised': texts((text) => text.normalize()),
  'output-boolean-texts-as-booleans': booleanTexts,
};

const CHUNK: Readonly<Partial<Record<FaultId, (value: Json) => readonly Json[]>>> = {
  'stream-trimmed': (value) => [mapStrings(value, (text) => text.trim())],
  'stream-blank-lost': (value) => (typeof value === 'string' && value.trim() === '' ? [] : [value]),
  'stream-lines-split': (value) => (typeof value === 'string' ? value.split('\n') : [value]),
  'stream-arrays-flattened': (value) => (Array.isArray(value) ? value : [value]),
  'stream-output-member-unwrapped': (value) => [outputMember(value)],
  'stream-json-text-parsed': (value) => [parsedText(value)],
  'stream-astral-lost': (value) => [astralLost(value)],
  'stream-nulls-dropped': (value) => [withoutNulls(value)],
  'stream-html-escaped': (value) => [htmlEscaped(value)],
  'stream-empty-containers-lost': (value) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? [] : [value],
  'stream-numeric-texts-as-numbers': (value) => [numericTexts(value)],
  'stream-empty-texts-as-null': (value) => [emptyTextsAsNull(value)],
  'stream-numbers-of-14-digits': (value) => [of14Digits(value)],
  'stream-floats-of-32-bits': (value) => [of32Bits(value)],
  'stream-keys-snake-case': (value) => [snakeCase(value)],
  'stream-nul-lost': (value) => [mapStrings(value, (text) => text.replaceAll('\0', ''))],
  'stream-singletons-unwrapped': (value) => [singletons(value)],
  'stream-dates-reformatted': (value) => [mapStrings(value, reformattedDate)],
  'stream-line-ends-lost': (value) => [mapStrings(value, (text) => text.replace(/\n$/, ''))],
};

/** What reaches the worker; what its handler follows stays as it is. */
export function wrongInput(input: JsonObject, fault: FaultId | null): JsonObject {
  const change = fault === null ? undefined : INPUT[fault];
  if (change === undefined) return input;
  const script = ['plan', 'planOnRetry'];
  const wrong = change(without(input, () => false));
  const kept = Object.entries(input).filter(([name]) => script.includes(name));
  return Object.assign(isObject(wrong) ? wrong : {}, Object.fromEntries(kept));
}

export function wrongOutput(output: Json, fault: FaultId | null): Json {
  const change = fault === null ? undefined : OUTPUT[fault];
  return change === undefined ? output : change(output);
}

/** What is kept of one incremental result. */
export function wrongChunks(result: Json, fault: FaultId | null): readonly Json[] {
  const change = fault === null ? undefined : CHUNK[fault];
  return change === undefined ? [result] : change(result);
}
