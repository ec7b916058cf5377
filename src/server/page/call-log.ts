import type { ServerObserver } from '../observer.js';

export interface LoggedCall {
  /** Grows by one with every call. */
  readonly number: number;
  /** On the endpoint's clock. */
  readonly atMs: number;
  readonly method: string;
  /** Without the query; cut where it is very long. */
  readonly path: string;
  /** Null while it is pending; 0: the client disconnected. */
  status: number | null;
  /** Real time until it was answered. */
  tookMs: number | null;
}

const CALLS_MAX = 40;
const PATH_LENGTH_MAX = 160;

/** The last API calls. Headers and bodies are not stored, so neither keys nor job data. */
export function createCallLog(
  nowMs: () => number,
): ServerObserver & { readonly calls: () => readonly LoggedCall[] } {
  const calls: LoggedCall[] = [];
  let number = 0;
  return {
    called(method, target) {
      const startMs = performance.now();
      const path = target.split('?', 1)[0]!.slice(0, PATH_LENGTH_MAX);
      const call: LoggedCall = { number: ++number, atMs: nowMs(), method, path, status: null, tookMs: null };
      calls.unshift(call);
      if (calls.length > CALLS_MAX) calls.pop();
      return (status) => {
        call.status = status ?? 0;
        call.tookMs = Math.round(performance.now() - startMs);
      };
    },
    calls: () => calls,
  };
}
