import type { ServerObserver } from './observer.js';

/** An API call. Headers and bodies are not stored, so neither keys nor job data. @public */
export interface LoggedCall {
  /** Grows by one with every call. */
  readonly number: number;
  /** On the endpoint's clock. */
  readonly atMs: number;
  readonly method: string;
  /** Of the query, only `wait` and `ttl` are kept; cut where it is very long. */
  readonly path: string;
  /** The status code; null while the call is pending; 0: the connection closed without an answer. */
  readonly status: number | null;
  /** Real time until it was answered; null while it is pending. */
  readonly tookMs: number | null;
  /** The job that the call or its answer names; null without one. */
  readonly job: string | null;
  /** The fault that was injected, such as `+300ms,503`; null without one. */
  readonly fault: string | null;
}

const CALLS_MAX = 1_000;
const PATH_LENGTH_MAX = 160;

export interface CallLog extends ServerObserver {
  /** The last 1,000 calls, the oldest first. */
  readonly calls: () => readonly LoggedCall[];
}

/** @param onCall called when a call has ended */
export function createCallLog(nowMs: () => number, onCall: (call: LoggedCall) => void = () => {}): CallLog {
  const calls: LoggedCall[] = [];
  let number = 0;
  return {
    called(method, target) {
      const startMs = performance.now();
      const call: { -readonly [K in keyof LoggedCall]: LoggedCall[K] } = {
        number: ++number,
        atMs: nowMs(),
        method,
        path: shownPath(target),
        status: null,
        tookMs: null,
        job: null,
        fault: null,
      };
      calls.push(call);
      if (calls.length > CALLS_MAX) calls.shift();
      return (end) => {
        call.status = end.status ?? 0;
        call.tookMs = Math.round(performance.now() - startMs);
        call.job = end.job;
        call.fault = end.fault;
        onCall(call);
      };
    },
    calls: () => calls,
  };
}

/** Other parameters may be secrets. */
function shownPath(target: string): string {
  if (!target.includes('?')) return target.slice(0, PATH_LENGTH_MAX);
  const [path = '', query = ''] = target.split('?', 2);
  const kept = query.split('&').filter((parameter) => /^(wait|ttl)=/.test(parameter));
  return (path + (kept.length === 0 ? '' : `?${kept.join('&')}`)).slice(0, PATH_LENGTH_MAX);
}
