/** Checks a value by a JSON Schema, as far as the schemas of this package use the language. */
import { isObject } from './json.js';

/** A schema of `schemas/`: draft 2020-12, with the keywords that `violationOf` knows. */
export type Schema = { readonly [keyword: string]: unknown };

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/**
 * The first thing in which a value differs from the schema, as text with its place: `totals.calls must be an integer`.
 * Null if it does not. Members that the schema does not know are left alone: a newer version may write them.
 */
export function violationOf(
  value: unknown,
  schema: Schema,
  root: Schema = schema,
  place = '',
): string | null {
  const target = schema['$ref'];
  if (typeof target === 'string') {
    const found = violationOf(value, definition(root, target.replace('#/$defs/', '')), root, place);
    if (found !== null) return found;
  }
  return (
    kindViolation(value, schema, place) ??
    alternativeViolation(value, schema, root, place) ??
    memberViolation(value, schema, root, place) ??
    itemViolation(value, schema, root, place)
  );
}

/** The definition of that name. */
export function definition(root: Schema, name: string): Schema {
  const found = (root['$defs'] as { readonly [name: string]: Schema } | undefined)?.[name];
  if (found === undefined) throw new Error(`the schema defines no ${name}`);
  return found;
}

const at = (place: string): string => (place === '' ? 'the value' : place);

/** What can be said of the value itself. */
function kindViolation(value: unknown, schema: Schema, place: string): string | null {
  const types = [(schema['type'] ?? []) as string | readonly string[]].flat();
  if (types.length > 0 && !types.some((type) => TYPES[type]!(value)))
    return `${at(place)} must be of type ${types.join(' or ')}`;
  if ('const' in schema && value !== schema['const'])
    return `${at(place)} must be ${JSON.stringify(schema['const'])}`;
  const choices = schema['enum'] as readonly unknown[] | undefined;
  if (choices !== undefined && !choices.includes(value))
    return `${at(place)} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  if (typeof value === 'string') {
    const pattern = schema['pattern'];
    return typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)
      ? `${at(place)} must match ${pattern}`
      : null;
  }
  if (typeof value !== 'number') return null;
  const { minimum, maximum, exclusiveMinimum } = schema as { readonly [keyword: string]: number | undefined };
  if (minimum !== undefined && value < minimum) return `${at(place)} must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `${at(place)} must be ${maximum} or less`;
  return exclusiveMinimum !== undefined && value <= exclusiveMinimum
    ? `${at(place)} must be more than ${exclusiveMinimum}`
    : null;
}

/** Of several schemas one must hold. If the constants of one hold, its violation is told. */
function alternativeViolation(value: unknown, schema: Schema, root: Schema, place: string): string | null {
  const alternatives = schema['oneOf'] as readonly Schema[] | undefined;
  if (alternatives === undefined) return null;
  const violations = alternatives.map((each) => violationOf(value, each, root, place));
  if (violations.includes(null)) return null;
  const meant = alternatives.findIndex((each) => namesItself(value, each, root));
  return violations[meant] ?? `${at(place)} is of none of the kinds that are allowed here`;
}

function namesItself(value: unknown, alternative: Schema, root: Schema): boolean {
  const target = alternative['$ref'];
  if (typeof target === 'string')
    return namesItself(value, definition(root, target.replace('#/$defs/', '')), root);
  const constants = Object.entries((alternative['properties'] ?? {}) as { readonly [name: string]: Schema })
    .filter(([, member]) => 'const' in member)
    .map(([name, member]) => [name, member['const']] as const);
  return isObject(value) && constants.length > 0 && constants.every(([name, is]) => value[name] === is);
}

function memberViolation(value: unknown, schema: Schema, root: Schema, place: string): string | null {
  if (!isObject(value)) return null;
  const required = (schema['required'] ?? []) as readonly string[];
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${below(place, missing)} is missing`;
  const members = (schema['properties'] ?? {}) as { readonly [name: string]: Schema };
  const others = isObject(schema['additionalProperties']) ? schema['additionalProperties'] : null;
  for (const [name, member] of Object.entries(value)) {
    const its = Object.hasOwn(members, name) ? members[name]! : others;
    const found = its === null ? null : violationOf(member, its, root, below(place, name));
    if (found !== null) return found;
  }
  return null;
}

function itemViolation(value: unknown, schema: Schema, root: Schema, place: string): string | null {
  if (!Array.isArray(value)) return null;
  const { minItems = 0, maxItems = Infinity } = schema as { readonly [keyword: string]: number | undefined };
  if (value.length < minItems) return `${at(place)} must have ${minItems} items or more`;
  if (value.length > maxItems) return `${at(place)} must have ${maxItems} items or fewer`;
  const first = (schema['prefixItems'] ?? []) as readonly Schema[];
  for (const [index, item] of value.entries()) {
    const its = first[index] ?? schema['items'];
    if (its === false) return `${place}[${index}] is one item too many`;
    const found = isObject(its) ? violationOf(item, its, root, `${place}[${index}]`) : null;
    if (found !== null) return found;
  }
  return null;
}

const below = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);
