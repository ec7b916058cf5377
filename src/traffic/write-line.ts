/** Writes an exchange as a line that `read-ndjson.ts` reads. */
import { answerOf, type Answer, type Exchange, type Headers, type Message } from '../history/exchange.js';
import { CLIENT_CLOSED } from './calls.js';
import type { BodyOf, Digester } from './digest.js';
import type { Interval } from './instants.js';

/** What is judged of a header, or says how to read a body. Others may be secrets. */
const KEPT = /^(?:content-type|retry-after|www-authenticate|x-?ratelimit.*|ratelimit.*)$/u;
const HIDDEN = '***';

/** Logs have this for a client that did not wait. */
const NO_WAIT: Answer = { kind: 'answer', status: CLIENT_CLOSED, headers: {}, body: undefined };

/**
 * One line, with its end. Keys are never in it: of `authorization`, only the scheme is.
 *
 * @param digester replaces payloads by digests; null: they are written as they are
 */
export function lineOf(exchange: Exchange, digester: Digester | null): string {
  const { request, fromMs, byMs, outcome, webhook, isWebhookSeen, client } = exchange;
  const { method, target, headers, body } = request;
  const isGivenUp = webhook !== undefined && outcome.kind === 'abandoned';
  const answer = answerOf(exchange) ?? (outcome.kind === 'abandoned' && !isGivenUp ? NO_WAIT : null);
  const line = {
    ...(webhook === undefined
      ? { method, url: withoutKey(target) }
      : { method, webhook: digester?.address(webhook) ?? webhook }),
    start: fromMs,
    ...(byMs !== null && { end: byMs }),
    requestHeaders: { ...kept(headers, digester), ...(client !== undefined && agentIn(headers)) },
    ...written('requestBody', body, webhook === undefined ? 'request' : 'webhook', digester),
    ...(isGivenUp && { givenUp: true }),
    ...(isWebhookSeen === true && { webhookHere: true }),
    ...(answer !== null && {
      status: answer.status,
      headers: kept(answer.headers, digester),
      ...written('body', answer.body, 'reply', digester),
    }),
    ...(digester !== null && { digests: digester.name }),
    ...(client !== undefined && { client }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Parameters of the API; others may be keys. */
const PARAMETERS: ReadonlySet<string> = new Set(['wait', 'ttl']);

function withoutKey(target: string): string {
  const shown = new URL(target);
  for (const name of new Set(shown.searchParams.keys()))
    if (!PARAMETERS.has(name)) shown.searchParams.set(name, HIDDEN);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** That a text had so many bytes tells that it was not cut off. */
const SIZE = 'content-length';

function kept(headers: Headers, digester: Digester | null): Headers {
  const isSized = digester === null && !('content-encoding' in headers);
  const own = Object.entries(headers).filter(([name]) => KEPT.test(name) || (isSized && name === SIZE));
  const key = headers['authorization'];
  const scheme = key === undefined ? undefined : /^\S+ /u.exec(key)?.[0];
  // That a webhook is signed is a reading of the document; its signature says nothing.
  const signatures = Object.keys(headers).filter((name) => /signature|hmac/u.test(name));
  return Object.fromEntries([
    ...own,
    ...signatures.map((name) => [name, HIDDEN]),
    ...(key === undefined ? [] : [['authorization', `${scheme ?? ''}${HIDDEN}`]]),
  ]) as Headers;
}

const agentIn = ({ 'user-agent': agent }: Headers): Headers =>
  agent === undefined ? {} : { 'user-agent': agent };

/** A body that was not recorded is absent. JSON is written as its value, unless that is a text: a text is taken as it is. */
function written(member: string, body: Message['body'], of: BodyOf, digester: Digester | null): object {
  if (body === null) return { [member]: null };
  if (typeof body !== 'string') return {};
  if (digester === null) return { [member]: body };
  const { value, bytes } = digester.body(body, of);
  return { [member]: value, ...(bytes !== undefined && { [`${member}Bytes`]: bytes }) };
}

/** A line that says that so many calls of that time are not recorded; `true`: some may be. */
export const missingLine = (missing: number | true, { fromMs, byMs }: Interval): string =>
  `${JSON.stringify({ missing, start: fromMs, end: byMs })}\n`;
