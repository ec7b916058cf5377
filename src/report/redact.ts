import type { Body, HistoryEvent } from '../history/events.js';
import { mapKnownText } from '../history/long-text.js';
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

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return mapKnownText(value, change);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  );
}

/**
 * Masks each secret and the variants that the probes of section 5 send: without its first or last character, in other
 * case, with text appended, and truncated. All of them also as encoded in JSON, markup, URLs, base64 and hexadecimal.
 *
 * Secrets shorter than eight characters are masked only as whole words; an empty one never.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = [...new Set(secrets)].filter((secret) => secret !== '').map(secretPatternsOf);
  if (patterns.length === 0)
    return { text: (text) => text, value: (value) => value, event: (event) => event };
  const text = (original: string): string => masked(original, patterns);
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
