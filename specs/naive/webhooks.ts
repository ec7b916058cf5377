/** Calls webhooks (section 6): up to three attempts, ten seconds apart. It never changes a job. */
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Choices } from './choices.js';
import type { Clock } from './clock.js';
import type { Hooks } from './hooks.js';
import type { JsonObject } from './json.js';

/** A call that has not ended after this much real time has failed. */
const CALL_MS_MAX = 10_000;
const PAUSE_MS = 10_000;
const ATTEMPTS_MAX = 3;

export interface Notice {
  readonly url: string;
  readonly body: JsonObject;
  /** Asked before every attempt: whether the notice is still wanted. */
  readonly wanted: () => boolean;
  /** How many attempts count as made already. */
  readonly already?: number;
  /** Told of every attempt. */
  readonly attempted?: () => void;
  readonly done?: (succeeded: boolean) => void;
}

export interface Webhooks {
  send(notice: Notice): void;
  /** Calls under way; empty when all have ended. */
  readonly underWay: ReadonlySet<Promise<void>>;
}

export function webhookCaller(clock: Clock, choices: Choices, hooks: Hooks): Webhooks {
  const underWay = new Set<Promise<void>>();

  /** The one that is served, and those behind it. */
  const waiting: Notice[] = [];
  const serve = (notice: Notice): void => {
    const done = (succeeded: boolean): void => {
      notice.done?.(succeeded);
      waiting.shift();
      const [next] = waiting;
      if (next !== undefined) serve(next);
    };
    hooks.send({ ...notice, done }, attempt);
  };

  const attempt = (notice: Notice, number: number): void => {
    if (!notice.wanted()) return finish(notice, false);
    notice.attempted?.();
    if (!hooks.attempts(notice, number, clock.now())) return finish(notice, false);
    const url = hooks.attemptUrl(notice.url, number);
    const call = callOnce({ ...notice, url }, choices).then((answer) => {
      underWay.delete(call);
      judge(notice, number, answer);
    });
    underWay.add(call);
  };

  const judge = (notice: Notice, number: number, answer: number | null): void => {
    const succeeded = hooks.succeeded(isSuccess(answer, choices), answer);
    hooks.answered(notice, succeeded, clock.now());
    if (hooks.isLastCall(succeeded)) return finish(notice, true);
    const attemptsMax = hooks.attemptsMax(ATTEMPTS_MAX, answer);
    if (number >= attemptsMax || !notice.wanted()) return finish(notice, succeeded);
    const lateMs = (Math.floor(clock.now()) * 7919) % (choices.timersLateMs + 1);
    const isStillWanted = hooks.retriesLater(notice);
    const timer = clock.at(clock.now() + hooks.pauseMs(PAUSE_MS, number) + lateMs, () => {
      if (isStillWanted()) attempt(notice, number + 1);
      else finish(notice, false);
    });
    hooks.timerSet('webhook', timer, null);
  };

  const finish = (notice: Notice, succeeded: boolean): void => notice.done?.(succeeded);

  return {
    underWay,
    send(notice) {
      const delayMs = hooks.noticeDelayMs(choices.webhookLateMs);
      const begin = (): void => {
        if (choices.webhookSending === 'at-once') return hooks.send(notice, attempt);
        waiting.push(notice);
        if (waiting.length === 1) serve(notice);
      };
      if (delayMs === 0) begin();
      else clock.at(clock.now() + delayMs, begin);
    },
  };
}

function isSuccess(answer: number | null, choices: Choices): boolean {
  if (answer === null) return false;
  return choices.webhookSuccess === '200' ? answer === 200 : answer >= 200 && answer < 300;
}

/** One call: the HTTP status of the answer, or null when there was none. */
function callOnce(notice: Notice, choices: Choices, hops = 3): Promise<number | null> {
  const url = new URL(notice.url);
  const payload = choices.webhookBody === 'empty' ? '' : JSON.stringify(notice.body);
  const headers: Record<string, string | number> = { 'content-length': Buffer.byteLength(payload) };
  if (payload !== '') headers['content-type'] = 'application/json';
  if (choices.webhookSigned) {
    headers['x-signature'] = `sha256=${createHmac('sha256', 'secret').update(payload).digest('hex')}`;
  }
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      { method: choices.webhookMethod, headers, agent: false },
      (response) => {
        response.resume();
        const { location } = response.headers;
        const moved = location !== undefined && URL.canParse(location, url.href);
        if (choices.webhookRedirects === 'followed' && moved && hops > 0) {
          resolve(callOnce({ ...notice, url: new URL(location, url).href }, choices, hops - 1));
        }
        response.on('end', () => resolve(response.statusCode ?? null));
        response.on('error', () => resolve(null));
        response.on('close', () => resolve(null));
      },
    );
    const limit = setTimeout(() => request.destroy(), CALL_MS_MAX);
    request.on('error', () => resolve(null));
    request.on('close', () => {
      clearTimeout(limit);
      resolve(null);
    });
    request.end(payload);
  });
}
