/** What a reply or a webhook call says, and the same with one thing changed. */
import type { Body, Json } from '../../../history/events.js';
import { isObject } from '../../../util/json.js';

export interface Message {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: { readonly [name: string]: string };
  readonly body: Body;
}

/** The way to a member of a JSON value. */
export type Way = readonly (string | number)[];

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** Those of section 7. */
export const CODES = [400, 401, 404, 429, 500];

/** The status of the job, `ok` where none is told, or the code of a refusal: `4xx` and `5xx` stand for those of no section. */
export function answerOf(message: Message): string {
  const { status: code } = message;
  if (CODES.includes(code)) return `${code}`;
  if (code >= 300) return `${Math.floor(code / 100)}xx`;
  const value = valueOf(message);
  const status = isObject(value) ? value['status'] : undefined;
  return typeof status === 'string' ? status : 'ok';
}

/** Without parameters. */
export const mediaType = ({ contentType }: Message): string =>
  (contentType ?? '').replace(/;.*$/su, '').trim().toLowerCase();

/** Text that is no JSON counts as a string. */
export function valueOf({ body }: Message): Json | undefined {
  if (body.as === 'none') return undefined;
  return body.as === 'json' ? body.value : body.text;
}

export const withValue = (message: Message, value: Json | undefined): Message => ({
  ...message,
  body: value === undefined ? { as: 'none' } : { as: 'json', value, bytes: JSON.stringify(value).length },
});

export const typeOf = (value: Json): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType);

/** Another value of the same type. */
export function foreign(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...(value as readonly Json[]), 'another'];
  return isObject(value) ? { ...(value as { [name: string]: Json }), another: 1 } : 'another';
}

/** Where two values differ, as deep as both are of one kind. */
export function differences(from: Json | undefined, to: Json | undefined, way: Way = []): readonly Way[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((one, nth) => differences(one as Json, to[nth] as Json, [...way, nth]));
  if (!isObject(from) || !isObject(to)) return [way];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => differences(from[name] as Json, to[name] as Json, [...way, name]));
}

export function memberOf(value: Json | undefined, way: Way): Json | undefined {
  return way.reduce<Json | undefined>(
    (at, name) =>
      typeof at === 'object' && at !== null ? (at as { [name: string]: Json })[name] : undefined,
    value,
  );
}

export function changed(
  value: Json | undefined,
  [name, ...rest]: Way,
  by: Json | undefined,
): Json | undefined {
  if (name === undefined) return by;
  const member = changed(memberOf(value, [name]), rest, by);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one, nth) => (nth === name ? (member ?? null) : one));
  const { [name]: _, ...others } = (isObject(value) ? value : {}) as { [name: string]: Json };
  return member === undefined ? others : { ...others, [name]: member };
}
