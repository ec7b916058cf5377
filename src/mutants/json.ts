/** Transformations of JSON values. */
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';

type Member = readonly [name: string, value: Json];

/** Changes each member of each object in a value; null leaves the member out. */
export function mapMembers(value: Json, change: (member: Member) => Member | null): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => mapMembers(each, change));
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .map(([name, each]): Member => [name, mapMembers(each, change)])
    .map(change);
  return Object.fromEntries(members.filter((member) => member !== null));
}

export function mapNumbers(value: Json, change: (number: number) => Json): Json {
  if (typeof value === 'number') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => mapNumbers(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapNumbers(each, change)]));
}

export function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  return 1 + Math.max(0, ...inside.map(depthOf));
}
