import { OF_SERVE } from '../../history/kept-bodies.js';
import type { LoggedCall } from '../logged-call.js';
import type { ServerObserver } from '../observer.js';

const CALLS_MAX = 1_000;
const PATH_LENGTH_MAX = 160;

export interface CallLog extends ServerObserver {
  /** The last 1,000 calls, the oldest first. */
  readonly calls: () => readonly LoggedCall[];
}

/**
 * @param nowMs the time at the endpoint that a path names
 * @param onCall called when a call has ended
 * @param bodies keeps bodies
 */
export function createCallLog(
  nowMs: (path: string) => number,
  onCall: (call: LoggedCall) => void = () => {},
  bodies = false,
): CallLog {
  const calls: LoggedCall[] = [];
  let number = 0;
  return {
    called(method, target) {
      const startMs = performance.now();
      const call: { -readonly [K in keyof LoggedCall]: LoggedCall[K] } = {
        number: ++number,
        atMs: nowMs(target),
        method,
        path: shownPath(target),
        status: null,
        tookMs: null,
        job: null,
        fault: null,
        request: null,
        reply: null,
      };
      calls.push(call);
      if (calls.length > CALLS_MAX) calls.shift();
      return (end) => {
        call.status = end.status ?? 0;
        call.tookMs = Math.round(performance.now() - startMs);
        call.job = end.job;
        call.fault = end.fault;
        if (bodies) {
          call.request = kept(end.request);
          call.reply = end.reply === null ? null : kept(JSON.stringify(end.reply));
        }
        onCall(call);
      };
    },
    calls: () => calls,
  };
}

/** A copy of the beginning: a part of a text would keep the whole of it in memory. */
export const kept = (text: string | null): string | null =>
  text === null || text.length <= OF_SERVE.loggedCharactersMax
    ? text
    : Buffer.from(text.slice(0, OF_SERVE.loggedCharactersMax)).toString();

/** Other parameters may be secrets. */
function shownPath(target: string): string {
  if (!target.includes('?')) return target.slice(0, PATH_LENGTH_MAX);
  const [path = '', query = ''] = target.split('?', 2);
  const kept = query.split('&').filter((parameter) => /^(wait|ttl)=/.test(parameter));
  return (path + (kept.length === 0 ? '' : `?${kept.join('&')}`)).slice(0, PATH_LENGTH_MAX);
}
