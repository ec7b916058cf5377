import type { Body, HistoryEvent } from '../history/events.js';
import { mapKnownText } from '../history/long-text.js';
import { LOCAL_API_KEY } from '../spec/local-key.js';
import { secretPatternsOf, type SecretPatterns } from './secret-patterns.js';

/** Replaces secrets by `[redacted]`, in text and inside values. */
export interface Redactor {
  text(text: string): string;
  /** Any JSON value; keys of objects are redacted as well. */
  value<T>(value: T): T;
  /** Redacts only foreign parts: paths, headers, bodies and reasons. */
  event(event: HistoryEvent): HistoryEvent;
}

export const MASK = '[redacted]';

/** Changes every text in the value, names of members too. The value itself where no string in it changes. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return mapKnownText(value, change);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, change));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [change(key), mapStrings(item, change)] as const);
  const isSame = after.every(([key, item], at) => key === before[at]![0] && item === before[at]![1]);
  return isSame ? value : Object.fromEntries(after);
}

/** Longer texts rarely come twice. */
const REMEMBERED_CHARACTERS_MAX = 100;
const REMEMBERED_MAX = 10_000;

/** The same function, which remembers what it came to: names of fields and headers come again and again. */
function remembering(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > REMEMBERED_CHARACTERS_MAX) return change(text);
    let changed = known.get(text);
    if (changed === undefined) {
      if (known.size >= REMEMBERED_MAX) known.clear();
      known.set(text, (changed = change(text)));
    }
    return changed;
  };
}

/**
 * Masks each secret and the variants that the probes of section 5 send: without its first or last character, in other
 * case, with text appended, and truncated. All of them also as encoded in JSON, markup, URLs, base64 and hexadecimal.
 *
 * Secrets shorter than eight characters are masked only as whole words; an empty one, and the published key, never.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = [...new Set(secrets)]
    .filter((secret) => secret !== '' && secret !== LOCAL_API_KEY)
    .map(secretPatternsOf);
  if (patterns.length === 0)
    return { text: (text) => text, value: (value) => value, event: (event) => event };
  const text = remembering((original) => masked(original, patterns));
  const value = <T>(original: T): T => mapStrings(original, text) as T;
  const body = (original: Body): Body => {
    if (original.as === 'none') return original;
    if (original.as === 'text') return { ...original, text: text(original.text) };
    return { ...original, value: value(original.value) };
  };
  const received = <T extends Received>(from: T): T => ({
    ...from,
    headers: value(from.headers),
    body: body(from.body),
    contentType: value(from.contentType),
  });
  return {
    text,
    value,
    event(event) {
      switch (event.kind) {
        case 'call': {
          const { request, reply } = event;
          return {
            ...event,
            request: {
              ...request,
              path: text(request.path),
              query: value(request.query),
              body: body(request.body),
            },
            reply: reply === null ? null : received(reply),
          };
        }
        case 'webhook':
          return { ...received(event), url: text(event.url) };
        case 'storage':
          return { ...event, url: text(event.url), path: text(event.path) };
        case 'run':
          return {
            ...event,
            target: { ...event.target, name: text(event.target.name) },
            ...(event.webhooksAt === undefined ? {} : { webhooksAt: text(event.webhooksAt) }),
            ...(event.sampleInput === undefined ? {} : { sampleInput: value(event.sampleInput) }),
          };
        case 'script-end':
          return {
            ...event,
            reason: value(event.reason),
            ...(event.leaves === undefined ? {} : { leaves: value(event.leaves) }),
          };
        case 'cleanup':
          return { ...event, ended: value(event.ended) };
        default:
          return event;
      }
    },
  };
}

interface Received {
  readonly headers: { readonly [name: string]: string };
  readonly body: Body;
  readonly contentType: string | null;
}

/** The characters that begin an escape in any of the encodings. */
const MAY_ESCAPE = /[%\\&]/;

function masked(original: string, patterns: readonly SecretPatterns[]): string {
  let text = original;
  const lower = original.toLowerCase();
  const holds = (needle: string): boolean => lower.includes(needle);
  const mayEscape = MAY_ESCAPE.test(original);
  for (const { plain, literals, encoded, needles } of patterns) {
    if (mayEscape || literals.some(holds)) text = text.replace(plain, MASK);
    if (encoded !== null && needles.some(holds)) text = text.replace(encoded, MASK);
  }
  return text;
}
