import type { HistoryEvent } from '../history/events.js';

/** Replaces secrets by `[redacted]`, in text and inside values. */
export interface Redactor {
  text(text: string): string;
  /** Any plain value; keys of objects are redacted like its strings. */
  value<T>(value: T): T;
  /** Only what came from outside: paths, headers and bodies; the history's own words stay readable. */
  event(event: HistoryEvent): HistoryEvent;
}

const MASK = '[redacted]';
/** A shorter secret also occurs inside ordinary words, so it is masked only where it stands alone. */
const ANYWHERE_LENGTH_MIN = 8;

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The forms in which a secret can reach an output: as it is, in JSON, in markup, in a URL, in base64. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const forms = [
    secret,
    json,
    html.replace(/"/g, '&quot;').replace(/'/g, '&#39;'),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function patternFor(secrets: readonly string[]): RegExp | null {
  const parts = secrets
    .filter((secret) => secret.length > 0)
    .flatMap((secret) =>
      secret.length >= ANYWHERE_LENGTH_MIN
        ? formsOf(secret).map(escapeForRegExp)
        : [`(?<![A-Za-z0-9_-])${escapeForRegExp(secret)}(?![A-Za-z0-9_-])`],
    );
  return parts.length === 0 ? null : new RegExp(parts.join('|'), 'g');
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  );
}

/** Secrets shorter than eight characters are masked only as whole words; an empty one never. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const pattern = patternFor(secrets);
  if (pattern === null) return { text: (text) => text, value: (value) => value, event: (event) => event };
  const text = (original: string): string => original.replace(pattern, MASK);
  const value = <T>(original: T): T => mapStrings(original, text) as T;
  return {
    text,
    value,
    event(event) {
      if (event.kind === 'call') {
        const { path, query, body } = event.request;
        return {
          ...event,
          request: { ...event.request, path: text(path), query: value(query), body: value(body) },
          reply: event.reply === null ? null : { ...event.reply, ...value(foreignPart(event.reply)) },
        };
      }
      if (event.kind === 'webhook') return { ...event, ...value(foreignPart(event)), url: text(event.url) };
      if (event.kind === 'storage') return { ...event, url: text(event.url), path: text(event.path) };
      if (event.kind === 'run')
        return { ...event, target: { ...event.target, name: text(event.target.name) } };
      return event;
    },
  };
}

function foreignPart<T extends { headers: unknown; body: unknown; contentType: string | null }>(
  from: T,
): Pick<T, 'headers' | 'body' | 'contentType'> {
  return { headers: from.headers, body: from.body, contentType: from.contentType };
}
