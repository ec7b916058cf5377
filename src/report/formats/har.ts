import type { Body, CallEvent } from '../../history/events.js';
import { jsonText } from '../escape.js';
import type { Report } from '../report.js';
import type { RenderContext } from './context.js';

/** HTTP Archive 1.2 of every call. A history never contains the `authorization` header. */
export function renderHar(report: Report, { history }: RenderContext): string {
  const startMs = report.at === null ? 0 : Date.parse(report.at);
  const base = report.target.url ?? 'http://simulator.invalid';
  const value = {
    log: {
      version: '1.2',
      creator: { name: 'runproof', version: report.runproof },
      entries: history.filter((event) => event.kind === 'call').map((call) => entry(call, base, startMs)),
    },
  };
  return `${jsonText(value, 1)}\n`;
}

function entry(call: CallEvent, base: string, startMs: number): object {
  const tookMs = Math.max((call.receivedMs ?? call.sentMs) - call.sentMs, 0);
  const query = Object.entries(call.request.query).map(([name, value]) => ({ name, value }));
  const search = query
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const { method, path, contentType, body } = call.request;
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
      ...(body.as === 'none' ? {} : { postData: { mimeType: contentType ?? '', text: textOf(body) } }),
      headersSize: -1,
      bodySize: bytesOf(body),
    },
    response: response(call.reply),
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
    comment: `call #${call.call}, script ${call.script}${call.lost === null ? '' : `, no reply: ${call.lost}`}`,
  };
}

function response(reply: CallEvent['reply']): object {
  const headers = Object.entries(reply?.headers ?? {}).map(([name, value]) => ({ name, value }));
  return {
    status: reply?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: {
      size: reply === null ? 0 : bytesOf(reply.body),
      mimeType: reply?.contentType ?? '',
      text: reply === null ? '' : textOf(reply.body),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: reply === null ? -1 : bytesOf(reply.body),
  };
}

function textOf(body: Body): string {
  if (body.as === 'none') return '';
  return body.as === 'json' ? JSON.stringify(body.value) : body.text;
}

function bytesOf(body: Body): number {
  return body.as === 'none' ? 0 : body.bytes;
}
