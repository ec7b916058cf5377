/** Keeps what clients call, to make a script of it. */
import type { Script } from '../scenario/script.js';
import { OF_SERVE } from '../history/kept-bodies.js';
import { LOST, type Exchange, type Headers } from '../history/exchange.js';
import { namesOf } from '../traffic/calls.js';
import { scriptOf } from '../traffic/script-of.js';
import { isObject } from '../util/json.js';
import type { ServerObserver } from './observer.js';
import { pullRouteOf } from './pull/routes.js';
import { parseTarget, type Target } from './calls/request-target.js';

/** The latest calls are those that a user wants to see again, and a script with more takes long to play. */
const CALLS_MAX = 10_000;
/** Of them, submissions that are older than any other call. */
const SUBMISSIONS_MAX = 5_000;
/** A shorter key may be a part of any word. */
const KEY_LENGTH_MIN = 8;
/** Stands for the address of the server: endpoints are told apart by their ids. */
const ORIGIN = 'http://localhost';

export interface Recorder extends ServerObserver {
  /** Of the last 10,000 calls, as far as they were answered; submissions are kept longer than other calls. */
  script(): Script;
}

/**
 * @param nowMs the time at the endpoint that a path names
 * @param workers how many the endpoint has
 * @param secretKeys are kept nowhere, not even where a body holds one
 */
export function createRecorder(
  nowMs: (path: string) => number,
  workers: () => number,
  secretKeys: readonly string[],
): Recorder {
  /** Of those that are under way, nothing is known yet. */
  const calls: { exchange?: Exchange; isForgotten?: true }[] = [];
  const webhooks = new Map<string, (number | null)[]>();
  const keys = secretKeys.filter(({ length }) => length >= KEY_LENGTH_MIN);
  const withoutKeys = (text: string): string =>
    keys.reduce((clean, key) => clean.replaceAll(key, '[redacted]'), text);
  let characters = 0;
  let forgotten = 0;

  function forget(at: number): void {
    const [call] = calls.splice(at, 1);
    if (call === undefined) return;
    call.isForgotten = true;
    characters -= lengthOf(call.exchange);
    forgotten += 1;
  }

  /** The oldest that made no job: without its submission, no call of a job can be repeated. */
  function forgetOne(): void {
    const at = calls.findIndex(({ exchange }) => exchange !== undefined && !madeJob(exchange));
    forget(at < 0 || at > SUBMISSIONS_MAX ? 0 : at);
  }

  return {
    called(method, target, headers) {
      const parsed = parseTarget(target);
      if (parsed === null || pullRouteOf({ method, headers, body: null, bodyBytes: 0, ...parsed }) !== null)
        return () => undefined;
      const fromMs = nowMs(target);
      const call: (typeof calls)[number] = {};
      calls.push(call);
      if (calls.length > CALLS_MAX) forgetOne();
      return ({ status, request, reply }) => {
        const isTooLong = (request?.length ?? 0) > OF_SERVE.recordedCharactersMax;
        const isUnread = request === null && hasBody(headers);
        const url = urlOf(parsed, withoutKeys);
        call.exchange = {
          ...{ id: forgotten + calls.length, fromMs, byMs: nowMs(target) },
          request: {
            ...{ method, target: url.href, headers: maskedHeaders(headers) },
            body: isTooLong || isUnread ? undefined : request && withoutKeys(request),
          },
          // Of an answer, a script needs the id of the job that was made.
          outcome: status === null ? LOST : { kind: 'answer', status, headers: {}, body: idIn(reply) },
          names: namesOf(method, url, 'document'),
        };
        // It may have been forgotten while it was under way.
        if (call.isForgotten === true) return;
        characters += lengthOf(call.exchange);
        while (characters > OF_SERVE.recordedCharactersMax) forget(0);
      };
    },
    webhookCalled({ job }) {
      return ({ status }) => {
        webhooks.set(job, [...(webhooks.get(job) ?? []), status]);
        if (webhooks.size > CALLS_MAX) webhooks.delete(webhooks.keys().next().value!);
      };
    },
    script() {
      const exchanges = calls.flatMap(({ exchange }) => exchange ?? []);
      const earlier = forgotten === 0 ? '' : ` after the first ${forgotten}`;
      return scriptOf(exchanges, {
        recorded: `recorded by the emulator${earlier}`,
        workers: workers(),
        webhookAnswers: (job) => webhooks.get(job),
      });
    },
  };
}

const madeJob = ({ names, outcome }: Exchange): boolean =>
  (names?.operation === 'run' || names?.operation === 'runsync') &&
  outcome.kind === 'answer' &&
  outcome.body !== undefined;

/** Of the body that is kept. */
function lengthOf(exchange: Exchange | undefined): number {
  const body = exchange?.request.body;
  return typeof body === 'string' ? body.length : 0;
}

type Sent = Parameters<NonNullable<ServerObserver['called']>>[2];

const hasBody = (headers: Sent): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const idIn = (reply: unknown): string | undefined =>
  isObject(reply) && typeof reply['id'] === 'string' ? JSON.stringify({ id: reply['id'] }) : undefined;

/** Of the query, what the API knows; other parameters may be secrets. */
function urlOf({ path, query }: Target, withoutKeys: (text: string) => string): URL {
  const url = new URL(ORIGIN + withoutKeys(path));
  for (const name of ['wait', 'ttl']) if (query[name] !== undefined) url.searchParams.set(name, query[name]);
  if (query['api_key'] !== undefined) url.searchParams.set('api_key', '*');
  return url;
}

/** Of a key, how it was shown. */
function maskedHeaders(headers: Sent): Headers {
  const { authorization, 'content-type': contentType } = headers;
  const [, scheme = '', key = ''] = /^(bearer\b)?(.*)$/isu.exec(authorization ?? '') ?? [];
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(authorization !== undefined && { authorization: scheme + (key.trim() === '' ? '' : ' *') }),
  };
}
