/** What stores, codecs and well-meant helpers make of the values that pass through them. */
import { isObject, type Json, type JsonObject } from '../json.js';

export const latinOnly = (text: string): string => text.replace(/[\u0100-\u{10ffff}]/gu, '?');

export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  return mapMembers(value, (member) => mapStrings(member, change));
}

export function mapNumbers(value: Json, change: (number: number) => Json): Json {
  if (typeof value === 'number') return change(value);
  return mapMembers(value, (member) => mapNumbers(member, change));
}

export function withoutNulls(value: Json): Json {
  return without(value, (member) => member === null);
}

export function without(value: Json, unwanted: (member: Json) => boolean): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => without(member, unwanted));
  const kept = Object.entries(value).filter(([, member]) => !unwanted(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, unwanted)]));
}

function mapMembers(value: Json, change: (member: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(change);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

export type Change = (value: Json) => Json;

/** Applied to the value and to all within it, from the inside out. */
export const throughout =
  (change: Change): Change =>
  (value) =>
    change(mapMembers(value, throughout(change)));

export const texts =
  (change: (text: string) => string): Change =>
  (value) =>
    mapStrings(value, change);

export const names =
  (change: (name: string) => string | null): Change =>
  (value) =>
    throughout((member) => {
      if (!isObject(member)) return member;
      const renamed = Object.entries(member).map(([name, inner]) => [change(name), inner] as const);
      return Object.fromEntries(renamed.filter(([name]) => name !== null)) as JsonObject;
    })(value);

export const numericTexts = throughout((value) =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value,
);

export const reformattedDate = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : text;

export function parsedText(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

export function withoutDepths(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  return depth === 0 ? '[Object]' : mapMembers(value, (member) => withoutDepths(member, depth - 1));
}

export const astralLost = texts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'));
export const of32Bits = throughout((value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(Math.fround(value).toPrecision(7)) : value,
);
export const snakeCase = names((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
export const emptyKeyLost = names((name) => (name === '' ? null : name));
export const singletons = throughout((value) =>
  Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value,
);
export const emptyObjectsAsArrays = throughout((value) =>
  isObject(value) && Object.keys(value).length === 0 ? [] : value,
);
export const outputMember: Change = (value) =>
  isObject(value) && value['output'] !== undefined ? value['output'] : value;

export const of14Digits = throughout((value) =>
  typeof value === 'number' ? Number(value.toPrecision(14)) : value,
);
export const longArraysCut = throughout((value) => (Array.isArray(value) ? value.slice(0, 100) : value));
export const arrayNullsLost = throughout((value) =>
  Array.isArray(value) ? value.filter((member) => member !== null) : value,
);
export const numberedAsArray = throughout((value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((name, index) => name === String(index))
    ? Object.values(value)
    : value,
);
export const constructorLost = names((name) => (name === 'constructor' ? null : name));
export const emptyTextsAsNull = throughout((value) => (value === '' ? null : value));
export const booleanTexts = throughout((value) =>
  value === 'true' || value === 'false' ? value === 'true' : value,
);
export const largeNumbersAsTexts = throughout((value) =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
);
export const exponentsLost = throughout((value) =>
  typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value,
);
export const backslashesLost = texts((text) => text.replaceAll('\\', ''));
export const htmlEscaped = texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

export const startingWith = (sign: string): Change => names((name) => (name.startsWith(sign) ? null : name));

/** Whether a member anywhere within has a name like this. */
export function holdsName(value: Json, like: RegExp): boolean {
  if (Array.isArray(value)) return value.some((member) => holdsName(member, like));
  return (
    isObject(value) &&
    Object.entries(value).some(([name, member]) => like.test(name) || holdsName(member, like))
  );
}

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
export const dotsNested = throughout((value) => {
  if (!isObject(value)) return value;
  const nest = (path: readonly string[], member: Json): Json =>
    path.reduceRight<Json>((inner, name) => ({ [name]: inner }), member);
  return Object.assign({}, ...Object.entries(value).map(([name, member]) => nest(name.split('.'), member)));
});

/** Of names that differ in case alone the last. */
export const mergedByCase = throughout((value) =>
  isObject(value)
    ? Object.fromEntries(
        new Map(Object.entries(value).map((member) => [member[0].toLowerCase(), member])).values(),
      )
    : value,
);

/** What a store makes of a value that cannot tell an empty list from an empty table. */
export const emptyArraysAsObjects: Change = throughout((value) =>
  Array.isArray(value) && value.length === 0 ? {} : value,
);

/** With other members in the place of those whose name contains `part`, at any depth. */
export function replaceMembers(
  value: Json,
  part: string,
  change: (name: string, value: Json) => JsonObject,
): Json {
  if (Array.isArray(value)) return value.map((member) => replaceMembers(member, part, change));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json][] => {
    const changed = replaceMembers(member, part, change);
    return name.includes(part) ? Object.entries(change(name, changed)) : [[name, changed]];
  });
  return Object.fromEntries(members.flat());
}

/** Changes what reaches the worker; the script that its handler follows stays as it is. */
export const inputAs =
  (change: Change) =>
  (input: JsonObject): JsonObject => {
    const wrong = change(without(input, () => false));
    const script = Object.entries(input).filter(([name]) => name === 'plan' || name === 'planOnRetry');
    return Object.assign(isObject(wrong) ? wrong : {}, Object.fromEntries(script));
  };
