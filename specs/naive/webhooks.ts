/** Calls webhooks (section 6): up to three attempts, ten seconds apart. It never changes a job, save in some faults. */
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Choices } from './choices.js';
import type { Clock, Timer } from './clock.js';
import type { FaultId } from './faults.js';
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

export function webhookCaller(clock: Clock, choices: Choices, fault: FaultId | null): Webhooks {
  const underWay = new Set<Promise<void>>();
  const waiting: Notice[] = [];
  let busy = false;
  let latest: Notice | undefined;
  let retryTimer: Timer | undefined;
  let failures = 0;
  let successes = 0;
  let pending: Notice[] = [];
  /** Failures in a row of each host, and until when one is left alone. */
  const failuresOf = new Map<string, number>();
  const banned = new Map<string, number>();

  const attempt = (notice: Notice, number: number): void => {
    if (!notice.wanted()) return finish(notice, false);
    if (number === 1) latest = notice;
    notice.attempted?.();
    const { host } = new URL(notice.url);
    if (Number(banned.get(host)) > clock.now()) return finish(notice, false);
    if (fault === 'webhook-repeats-to-latest-url' && latest !== undefined)
      notice = { ...notice, url: latest.url };
    const url = wrongUrl(notice.url, number, fault);
    const call = callOnce({ ...notice, url }, choices, fault).then((answer) => {
      underWay.delete(call);
      judge(notice, number, answer);
    });
    underWay.add(call);
  };

  const judge = (notice: Notice, number: number, answer: number | null): void => {
    const succeeded = isSuccess(answer, choices, fault);
    if (succeeded) successes += 1;
    const { host } = new URL(notice.url);
    failuresOf.set(host, succeeded ? 0 : (failuresOf.get(host) ?? 0) + 1);
    if (fault === 'webhook-host-banned-after-failures' && Number(failuresOf.get(host)) >= 3)
      banned.set(host, clock.now() + 60_000);
    const successesBefore = successes;
    if (succeeded && fault !== 'webhook-retries-after-200') return finish(notice, true);
    let attemptsMax = ATTEMPTS_MAX;
    if (fault === 'webhook-one-attempt') attemptsMax = 1;
    if (fault === 'webhook-two-attempts') attemptsMax = 2;
    if (fault === 'webhook-four-attempts') attemptsMax = 4;
    if (fault === 'webhook-endless-attempts') attemptsMax = Infinity;
    if (fault === 'webhook-refused-not-retried' && answer === null) attemptsMax = 1;
    if (fault === 'webhook-4xx-not-retried' && answer !== null && answer >= 400 && answer < 500)
      attemptsMax = 1;
    if (fault === 'webhook-5xx-not-retried' && answer !== null && answer >= 500) attemptsMax = 1;
    failures = succeeded || failures >= attemptsMax ? 0 : failures + 1;
    if (fault === 'webhook-attempts-shared') attemptsMax = failures >= attemptsMax ? 0 : attemptsMax;
    if (number >= attemptsMax || !notice.wanted()) return finish(notice, succeeded);
    let pauseMs = PAUSE_MS;
    if (fault === 'webhook-pause-one-second') pauseMs = 1000;
    if (fault === 'webhook-pause-ten-milliseconds') pauseMs = 10;
    if (fault === 'webhook-pause-none') pauseMs = 0;
    if (fault === 'webhook-pause-one-minute') pauseMs = 60_000;
    if (fault === 'webhook-pause-doubles') pauseMs = PAUSE_MS * 2 ** (number - 1);
    const lateMs = (Math.floor(clock.now()) * 7919) % (choices.timersLateMs + 1);
    if (fault === 'webhook-timer-shared') clock.stop(retryTimer);
    pending = [...pending, notice].slice(-10);
    retryTimer = clock.at(clock.now() + pauseMs + lateMs, () => {
      if (fault === 'webhook-success-stops-others' && successes > successesBefore)
        return finish(notice, false);
      if (fault === 'webhook-ten-pending-only' && !pending.includes(notice)) return finish(notice, false);
      pending = pending.filter((other) => other !== notice);
      attempt(notice, number + 1);
    });
  };

  const finish = (notice: Notice, succeeded: boolean): void => {
    notice.done?.(succeeded);
    if (fault !== 'webhook-one-at-a-time') return;
    busy = false;
    const next = waiting.shift();
    if (next !== undefined) send(next);
  };

  const send = (notice: Notice): void => {
    if (fault === 'webhook-one-at-a-time') {
      if (busy) {
        waiting.push(notice);
        return;
      }
      busy = true;
    }
    attempt(notice, 1 + (notice.already ?? 0));
    if (fault === 'webhook-twice') attempt({ ...notice, done: () => undefined }, 1);
  };

  return {
    underWay,
    send(notice) {
      let timer: Timer | undefined;
      if (fault === 'webhook-a-minute-late') timer = clock.at(clock.now() + 60_000, () => send(notice));
      if (choices.webhookLateMs > 0)
        timer = clock.at(clock.now() + choices.webhookLateMs, () => send(notice));
      if (timer === undefined) send(notice);
    },
  };
}

function isSuccess(answer: number | null, choices: Choices, fault: FaultId | null): boolean {
  if (answer === null) return false;
  if (fault === 'webhook-stops-on-any-answer') return true;
  if (fault === 'webhook-200-is-failure') return answer === 204;
  return choices.webhookSuccess === '200' ? answer === 200 : answer >= 200 && answer < 300;
}

/** What some faults make of the address; `number` is that of the attempt. */
function wrongUrl(given: string, number: number, fault: FaultId | null): string {
  const text = fault === 'webhook-url-cut-at-255' ? given.slice(0, 255) : given;
  const url = new URL(text);
  const parameters = [...url.searchParams];
  if (fault === 'webhook-query-names-merged')
    url.search = new URLSearchParams([...new Map(parameters)]).toString();
  if (fault === 'webhook-empty-parameters-lost')
    url.search = new URLSearchParams(parameters.filter(([, value]) => value !== '')).toString();
  if (fault === 'webhook-query-sorted') url.searchParams.sort();
  if (fault === 'webhook-query-plus-decoded') url.search = url.search.replaceAll('+', '%20');
  if (fault === 'webhook-trailing-slash-lost') url.pathname = url.pathname.replace(/\/$/, '');
  if (fault === 'webhook-path-decoded') url.pathname = decodeURIComponent(url.pathname);
  if (fault === 'webhook-double-slashes-merged') url.pathname = url.pathname.replace(/\/{2,}/g, '/');
  if (fault === 'webhook-repeats-without-query' && number > 1) url.search = '';
  return url.href;
}

/** One call: the HTTP status of the answer, or null when there was none. */
function callOnce(notice: Notice, choices: Choices, fault: FaultId | null, hops = 3): Promise<number | null> {
  const url = new URL(notice.url);
  if (fault === 'webhook-without-query') url.search = '';
  if (fault === 'webhook-path-lower-case') url.pathname = url.pathname.toLowerCase();
  if (fault === 'webhook-origin-only') url.pathname = '/';
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
          resolve(callOnce({ ...notice, url: new URL(location, url).href }, choices, fault, hops - 1));
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
