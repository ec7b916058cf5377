/** One call in full, for a reader: what was sent, when, and what came back. */
import { exactDuration } from '../../util/duration.js';
import { servedPath, type BasePath } from '../../history/served-path.js';
import type { Body, CallEvent, Json } from '../../history/events.js';
import { formatCall } from '../curl.js';
import { escapeControls, escapeLines, jsonText } from '../escape.js';
import { formatDuration } from '../formatting.js';

/** Shorter JSON is shown in one line. */
const ONE_LINE_MAX = 100;
/** A longer body is cut; `history.ndjson` has it as it was recorded. */
const BODY_CHARACTERS_SHOWN_MAX = 4_000;

export interface Message {
  /** `GET /v2/test/health?…`, or `200`. */
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Indented if it is JSON; null without a body. */
  readonly body: string | null;
  readonly bytes: number;
}

export interface CallDetails {
  readonly call: number;
  /** The call and its reply in one line. */
  readonly title: string;
  /** When it was sent and answered, from the beginning of its script. */
  readonly times: string;
  readonly request: Message;
  /** Null if no reply came; `lost` says why. */
  readonly reply: Message | null;
  readonly lost: string | null;
}

const AUTHORIZATION_SHOWN: { readonly [auth: string]: string } = {
  bare: '<the API key>',
  bearer: 'Bearer <the API key>',
};

/** All texts are harmless on a terminal; `originMs` is the instant from which times are counted. */
export function callDetails(call: CallEvent, originMs: number, basePath: BasePath | null): CallDetails {
  const { request, reply } = call;
  const query = new URLSearchParams(request.query).toString();
  const path = `${servedPath(request.path, basePath)}${query === '' ? '' : `?${query}`}`;
  const authorization =
    request.auth === 'missing' || request.auth === 'none-needed'
      ? []
      : [['authorization', AUTHORIZATION_SHOWN[request.auth] ?? `<${request.auth}>`] as const];
  const contentType = request.contentType === null ? [] : [['content-type', request.contentType] as const];
  return {
    call: call.call,
    title: formatCall(call),
    times: timesOf(call, originMs),
    request: {
      start: escapeControls(`${request.method} ${path}`),
      headers: safe([...authorization, ...contentType]),
      ...bodyText(request.body),
    },
    reply:
      reply === null
        ? null
        : {
            start: `${reply.status}`,
            headers: safe(Object.entries(reply.headers)),
            ...bodyText(reply.body),
          },
    lost: reply === null ? (call.lost ?? 'no reply') : null,
  };
}

const safe = (headers: readonly (readonly [string, string])[]): Message['headers'] =>
  headers.map(([name, value]) => [escapeControls(name), escapeControls(value)] as const);

function timesOf(call: CallEvent, originMs: number): string {
  const sent = `sent at ${exactDuration(call.sentMs - originMs)}`;
  if (call.receivedMs === null) {
    return call.gaveUpMs === undefined
      ? sent
      : `${sent}, given up at ${exactDuration(call.gaveUpMs - originMs)}`;
  }
  const tookMs = call.receivedMs - call.sentMs;
  return tookMs === 0
    ? `${sent}, answered at the same instant`
    : `${sent}, answered ${formatDuration(tookMs)} later`;
}

function bodyText(body: Body): Pick<Message, 'body' | 'bytes'> {
  if (body.as === 'none') return { body: null, bytes: 0 };
  const whole = body.as === 'json' ? jsonLines(body.value) : escapeLines(body.text);
  const rest = whole.length - BODY_CHARACTERS_SHOWN_MAX;
  const text = rest > 0 ? `${whole.slice(0, BODY_CHARACTERS_SHOWN_MAX)}… (${rest} more characters)` : whole;
  return { body: text, bytes: body.bytes };
}

function jsonLines(value: Json): string {
  const line = jsonText(value);
  return line.length <= ONE_LINE_MAX ? line : jsonText(value, 2);
}
