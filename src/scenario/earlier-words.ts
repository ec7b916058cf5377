/** Earlier versions called some things in scripts otherwise. What they saved is still read. */
import { isObject } from '../util/json.js';
import type { Script } from './script.js';

/** What was, and is, the name of a member; the key of a step; its endpoint. */
const NAME = ['neighbour', 'secondEndpoint'] as const;
const AUTH = ['beheaded', 'truncated-start'] as const;
const ENDPOINT = ['{neighbour}', '{second-endpoint}'] as const;

/** A script as this version writes it; any other value as it is. */
export const inPresentWords = (script: unknown): unknown => reworded(script, 0, 1);

/** A script as earlier versions wrote it. */
export const inEarlierWords = (script: Script): Script => reworded(script, 1, 0) as Script;

function reworded(script: unknown, was: 0 | 1, is: 0 | 1): unknown {
  const step = (one: unknown): unknown =>
    mapped(one, (name, value) => {
      const isOther =
        (name === 'auth' && value === AUTH[was]) || (name === 'endpoint' && value === ENDPOINT[was]);
      return [name, isOther ? (name === 'auth' ? AUTH : ENDPOINT)[is] : value];
    });
  return mapped(script, (name, value) => [
    name === NAME[was] ? NAME[is] : name,
    name === 'steps' && Array.isArray(value) ? unlessSame(value, value.map(step)) : value,
  ]);
}

/** Members stay in their order. */
function mapped(value: unknown, map: (name: string, member: unknown) => readonly [string, unknown]): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const found = entries.map(([name, member]) => map(name, member));
  const isSame = found.every(([name, member], at) => name === entries[at]![0] && member === entries[at]![1]);
  return isSame ? value : Object.fromEntries(found);
}

const unlessSame = (was: readonly unknown[], is: readonly unknown[]): readonly unknown[] =>
  is.every((one, at) => one === was[at]) ? was : is;
