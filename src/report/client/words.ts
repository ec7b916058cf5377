/** What a client did and what it was told, in words: one line each, without controls and without keys. */
import type { ClientEnd, WebhookDelivery } from '../../client/session.js';
import type { ConditionCall, Reply } from './condition.js';
import type { ClientRule } from '../../client/rule.js';
import type { Weather } from '../../client/weather/weather.js';
import { isObject } from '../../util/json.js';
import { exactDuration } from '../../util/duration.js';
import { escapeControls, truncated } from '../escape.js';
import { formatDuration, pluralize } from '../formatting.js';
import { MASK } from '../redact.js';

/** Of a long job id: enough to tell those of one client apart. */
const ID_CHARACTERS = 8;
const ID_CHARACTERS_WHOLE = 14;
const QUERY_CHARACTERS = 24;

/** `1.203 s`. */
export const instant = (ms: number): string => `${(ms / 1_000).toFixed(3)} s`;

/** `+0.25 s`, `+12.5 s`, `+301 s`. */
export function gapWords(ms: number): string {
  const seconds = ms / 1_000;
  return `+${seconds.toFixed(seconds < 10 ? 2 : seconds < 100 ? 1 : 0)} s`;
}

/** `GET /status/abc`: without what is before the operation, and with the first part of a long job id. */
export function callWords(call: Pick<ConditionCall, 'method' | 'path' | 'query' | 'job' | 'key'>): string {
  const path = call.path.replace(/^\/v2\/[^/]+(?=\/)/, '');
  const slash = path.lastIndexOf('/');
  const id = path.slice(slash + 1);
  const short = call.job === null ? path : `${path.slice(0, slash + 1)}${shortId(id)}`;
  const query = Object.entries(shownQuery(call)).map(
    ([name, value]) => `${truncated(name, QUERY_CHARACTERS)}=${truncated(value, QUERY_CHARACTERS)}`,
  );
  return escapeControls(`${call.method} ${short}${query.length === 0 ? '' : `?${query.join('&')}`}`);
}

/** With the first part of each job id, as in `callWords`. */
export const shortIds = (text: string): string =>
  text.replace(/\b(?:sync-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-[a-z]\d)?\b/gi, (id) =>
    shortId(id),
  );

const shortId = (id: string): string =>
  id.length > ID_CHARACTERS_WHOLE ? `${id.slice(0, ID_CHARACTERS)}…` : id;

/** Its query; where it has the key, only `wait` is shown. */
export function shownQuery({ query, key }: Pick<ConditionCall, 'query' | 'key'>): {
  readonly [name: string]: string;
} {
  if (key.elsewhere !== 'the query') return query;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, name === 'wait' ? value : MASK]),
  );
}

const UNANSWERED = {
  refused: 'connection reset',
  lost: 'the reply was lost',
  half: 'half a reply',
} as const;

/** `200 FAILED`, `429, Retry-After 2 s`, `the reply was lost`. */
export function toldWords(reply: Reply<{ readonly body?: unknown }>): string {
  switch (reply.kind) {
    case 'none':
      return UNANSWERED[reply.why];
    case 'abandoned':
      return 'it did not wait for the reply';
    case 'open':
      return 'no reply before the end';
    case 'answer': {
      const after = reply.retryAfterMs === null ? '' : `, Retry-After ${exactDuration(reply.retryAfterMs)}`;
      return escapeControls(`${reply.status}${recordWords(reply.body)}${after}`);
    }
  }
}

/** What a reply says of the job: its state, or how many chunks. */
function recordWords(body: unknown): string {
  if (Array.isArray(body)) return ` ${pluralize(body.length, 'chunk')}`;
  if (!isObject(body)) return '';
  const { status, stream } = body;
  const state = typeof status === 'string' ? ` ${truncated(status, QUERY_CHARACTERS)}` : '';
  return Array.isArray(stream) ? `${state} ${pluralize(stream.length, 'chunk')}` : state;
}

/** `200 OK`-like words of how a webhook was received. */
export function receivedWords({ fate, status, endedMs }: WebhookDelivery): string {
  if (fate === 'undeliverable') return 'not called: the address is not on this machine';
  if (status !== null) return `the client answered ${status}`;
  return endedMs === null ? 'not answered' : 'the connection ended without an answer';
}

/** `exit code 1`, `stopped at the limit`. */
export function endWords(end: ClientEnd): string {
  if (end.kind === 'ended') return escapeControls(end.how);
  return end.kind === 'stopped' ? 'stopped at the limit' : 'attached';
}

/** `it ended with exit code 1`. */
export function endSentence(end: ClientEnd): string {
  if (end.kind === 'stopped') return `it had not ended after ${formatDuration(end.atMs)}, and was stopped`;
  if (end.kind === 'attached') return 'it was attached';
  const how = escapeControls(end.how);
  if (how.startsWith('exit code')) return `it ended with ${how}`;
  if (how.startsWith('ended by')) return `it was ${how}`;
  return /^(?:fulfilled|rejected)/.test(how) ? `its promise was ${how}` : `it ended: ${how}`;
}

/** `section 7: “…”`, `follows from section 7: …`. */
export function sourceWords(source: ClientRule['source']): string {
  switch (source.kind) {
    case 'document':
      return `section ${source.section}: “${source.quote}”`;
    case 'consequence':
      return `follows from section ${source.section}: ${source.why}`;
    case 'http':
      return source.reference;
  }
}

/** Why a client has to expect the weather. */
export const basisWords = ({ basis }: Pick<Weather, 'basis'>): string =>
  basis.kind === 'document' ? `section ${basis.section}` : 'any network or gateway';

/** The line, cut to so many columns. */
export const cut = (line: string, columns: number): string =>
  line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;

const ERROR_LINE = /\b\w*(?:error|exception)\b.*:/i;

/** The last lines of a text that are not empty; if an error is told above them, from there on. */
export function lastLines(text: string, linesMax: number): readonly string[] {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const error = lines.findLastIndex((line) => ERROR_LINE.test(line));
  const last = Math.max(0, lines.length - linesMax);
  const from = error === -1 ? last : Math.min(error, last);
  return lines.slice(from, from + linesMax);
}

/** Text in lines of at most so many columns; a longer word stands alone. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
