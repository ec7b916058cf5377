import type { Body, CallEvent } from '../../history/events.js';
import type { Condition, ConditionCall } from '../client/condition.js';
import { jsonText } from '../escape.js';
import type { Report } from '../report.js';
import type { RenderContext } from './context.js';

/** HTTP Archive 1.2 of every call. Neither a history nor a condition contains the `authorization` header. */
export function renderHar(report: Report, { history }: RenderContext): string {
  const startMs = report.at === null ? 0 : Date.parse(report.at);
  const base = report.target.url ?? 'http://simulator.invalid';
  const calls =
    report.conditions?.flatMap((condition) => condition.calls.map((call) => ofClient(call, condition))) ??
    history.filter((event) => event.kind === 'call').map(ofHistory);
  const value = {
    log: {
      version: '1.2',
      creator: { name: 'runproof', version: report.runproof },
      entries: calls.map((call) => entry(call, base, startMs)),
    },
  };
  return `${jsonText(value, 1)}\n`;
}

interface Text {
  readonly text: string;
  readonly bytes: number;
}

interface Call {
  readonly sentMs: number;
  readonly tookMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly contentType: string | null;
  /** Null: it has none. */
  readonly body: Text | null;
  /** Null: there was none. */
  readonly reply: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    readonly contentType: string | null;
    readonly body: Text;
  } | null;
  readonly comment: string;
}

function ofHistory(call: CallEvent): Call {
  const { method, path, query, contentType, body } = call.request;
  const { reply, lost } = call;
  return {
    ...{ method, path, query, contentType, sentMs: call.sentMs },
    tookMs: Math.max((call.receivedMs ?? call.sentMs) - call.sentMs, 0),
    body: body.as === 'none' ? null : textOf(body),
    reply: reply === null ? null : { ...reply, body: textOf(reply.body) },
    comment: `call #${call.call}, script ${call.script}${lost === null ? '' : `, no reply: ${lost}`}`,
  };
}

/** Bodies that a condition does not keep are left out. Each condition begins with the run. */
function ofClient(
  { number, method, path, query, contentType, body, startedMs, endedMs, reply, told }: ConditionCall,
  { weather }: Condition,
): Call {
  const text = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
  const answer = reply.kind === 'answer' ? text(reply.value) : '';
  return {
    ...{ method, path, query, contentType, sentMs: startedMs, tookMs: endedMs - startedMs },
    body: body.bytes === 0 ? null : { text: text(body.value), bytes: body.bytes },
    reply:
      reply.kind === 'answer'
        ? {
            ...{ status: reply.status, headers: {} },
            // Of a body that is no JSON nothing is kept.
            contentType: answer === '' && reply.characters === undefined ? null : 'application/json',
            body: { text: answer, bytes: reply.characters ?? answer.length },
          }
        : null,
    comment: `${weather.id}, call #${number}${reply.kind === 'answer' ? '' : `, no reply: ${told}`}`,
  };
}

function entry(call: Call, base: string, startMs: number): object {
  const { method, path, contentType, body, tookMs, reply, comment } = call;
  const query = Object.entries(call.query).map(([name, value]) => ({ name, value }));
  const search = query
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return {
    startedDateTime: new Date(startMs + call.sentMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url: `${base}${path}${search === '' ? '' : `?${search}`}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: contentType === null ? [] : [{ name: 'content-type', value: contentType }],
      queryString: query,
      ...(body === null ? {} : { postData: { mimeType: contentType ?? '', text: body.text } }),
      headersSize: -1,
      bodySize: body?.bytes ?? 0,
    },
    response: response(reply),
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
    comment,
  };
}

function response(reply: Call['reply']): object {
  const headers = Object.entries(reply?.headers ?? {}).map(([name, value]) => ({ name, value }));
  return {
    status: reply?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: {
      size: reply?.body.bytes ?? 0,
      mimeType: reply?.contentType ?? '',
      text: reply?.body.text ?? '',
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: reply?.body.bytes ?? -1,
  };
}

const textOf = (body: Body): Text =>
  body.as === 'none'
    ? { text: '', bytes: 0 }
    : { text: body.as === 'json' ? JSON.stringify(body.value) : body.text, bytes: body.bytes };
