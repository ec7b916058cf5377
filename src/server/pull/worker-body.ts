import type { WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';
import { isObject, jsonIn } from '../../util/json.js';

/** A worker's report on its job, and whether it stops afterwards. */
export interface WorkerMessage {
  readonly report: WorkerReport;
  readonly stops: boolean;
}

/** Parses the body of `job-done`; null when it is invalid. */
export function parseResult(text: string | null): WorkerMessage | null {
  const body = objectIn(text);
  if (body === null) return null;
  const { output, error, stopPod } = body;
  const stops = stopPod === true;
  if (body['status'] === 'IN_PROGRESS') {
    return { report: { kind: 'progress', output: output ?? null }, stops: false };
  }
  if (error !== undefined && error !== null) {
    const message = typeof error === 'string' ? error : JSON.stringify(error);
    return { report: { kind: 'error', message, ...(output !== undefined && { output }) }, stops };
  }
  // The SDK omits an empty object: without an output, the handler returned `{}`.
  return { report: { kind: 'success', output: output === undefined ? {} : output }, stops };
}

/** Parses the body of `job-stream`; null when it is invalid. */
export function parseChunk(text: string | null): WorkerReport | null {
  const { output, metrics } = objectIn(text) ?? {};
  if (output === undefined) return null;
  return { kind: 'stream', output, ...(isObject(metrics) && { metrics }) };
}

/** The body as a JSON object, whatever its content type says. */
function objectIn(text: string | null): { readonly [member: string]: Json | undefined } | null {
  const value = jsonIn(text) ?? jsonIn(withoutNaN(text ?? ''));
  return isObject(value) ? (value as { readonly [member: string]: Json }) : null;
}

/** Python writes NaN and Infinity, which JSON does not have; they become null. */
function withoutNaN(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}
