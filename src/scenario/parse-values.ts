/** Checks for the fields of a saved script; each gives null, or what is expected instead. */
import { isCount, isObject } from '../util/json.js';

/** Null for a valid value; otherwise a phrase that completes "should be …". */
export type Check = (value: unknown) => string | null;

export type Fields = { readonly [name: string]: { readonly check: Check; readonly required: boolean } };

export const must = (check: Check) => ({ check, required: true });
export const may = (check: Check) => ({ check, required: false });

export const text: Check = (value) => (typeof value === 'string' ? null : 'a string');
export const bool: Check = (value) => (typeof value === 'boolean' ? null : 'true or false');
export const integer: Check = (value) => (Number.isSafeInteger(value) ? null : 'a whole number');
export const ms: Check = (value) => (isCount(value) ? null : 'a whole number of milliseconds, 0 or more');
export const count: Check = (value) => (isCount(value) ? null : 'a whole number, 0 or more');
export const atLeastOne: Check = (value) =>
  isCount(value) && value !== 0 ? null : 'a whole number, 1 or more';
export const textOrNumber: Check = (value) =>
  typeof value === 'string' || typeof value === 'number' ? null : 'a string or a number';

export const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((candidate) => candidate === value) ? null : `one of ${values.join(', ')}`;

export const exactly =
  (wanted: string | boolean): Check =>
  (value) =>
    value === wanted ? null : JSON.stringify(wanted);

export const nullOr =
  (check: Check): Check =>
  (value) => {
    const wanted = value === null ? null : check(value);
    return wanted === null ? null : `null or ${wanted}`;
  };

export const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'a list';
    const bad = value.map(check).findIndex((wanted) => wanted !== null);
    return bad < 0 ? null : `a list whose element ${bad} is ${check(value[bad])}`;
  };

export const mapOf =
  (check: Check): Check =>
  (value) => {
    if (!isObject(value)) return 'an object';
    const bad = Object.keys(value).find((key) => check(value[key]) !== null);
    return bad === undefined ? null : `an object whose "${bad}" is ${check(value[bad])}`;
  };

/**
 * JSON.parse gives nothing else; this guards against scripts built in code with undefined or functions in
 * them.
 */
export const json: Check = (value) => {
  if (value === null || ['boolean', 'number', 'string'].includes(typeof value)) return null;
  if (Array.isArray(value)) return listOf(json)(value);
  return isObject(value) ? mapOf(json)(value) : 'a JSON value';
};

/** An object with exactly one of these shapes. */
export const shapeOf =
  (wanted: string, ...shapes: readonly Fields[]): Check =>
  (value) =>
    isObject(value) && shapes.some((fields) => hasShape(value, fields)) ? null : wanted;

function hasShape(value: { readonly [key: string]: unknown }, fields: Fields): boolean {
  const known = Object.keys(value).every((key) => Object.hasOwn(fields, key));
  return (
    known &&
    Object.entries(fields).every(([name, { check, required }]) =>
      Object.hasOwn(value, name) ? check(value[name]) === null : !required,
    )
  );
}
