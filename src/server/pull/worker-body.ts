import type { WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';

/** What a worker posts about its job, and whether it stops after it. */
export interface WorkerMessage {
  readonly report: WorkerReport;
  readonly stops: boolean;
}

/** The body of `job-done`; null when it is none. */
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
  // The SDK leaves an empty object out: without an output, this is what the handler returned.
  return { report: { kind: 'success', output: output === undefined ? {} : output }, stops };
}

/** The body of `job-stream`; null when it is none. */
export function parseChunk(text: string | null): WorkerReport | null {
  const { output, metrics } = objectIn(text) ?? {};
  if (output === undefined) return null;
  const told = typeof metrics === 'object' && metrics !== null && !Array.isArray(metrics);
  return { kind: 'stream', output, ...(told && { metrics }) };
}

/** Bodies are JSON, whatever their content type says. */
function objectIn(text: string | null): { readonly [member: string]: Json | undefined } | null {
  const value = parsed(text ?? '') ?? parsed(withoutNaN(text ?? ''));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

function parsed(text: string): { [member: string]: Json } | Json[] | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? (value as { [member: string]: Json }) : undefined;
  } catch {
    return undefined;
  }
}

/** Python writes numbers that JSON has not; as anywhere in JSON they become null. */
function withoutNaN(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}
