/** Recordings for specs, and how they are judged. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecorded, type GivenCapture } from '../../src/features/judge/recorded-traffic.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { createFakeIo } from '../cli/fake-io.js';

export const BASE = 'https://api.example.com/v2/abc';
export const AT_MS = Date.UTC(2026, 10, 27, 1, 34, 54);
/** As services make them: nobody can guess one. */
export const JOB = '6f1c2a9e-47d3-4c0b-9b56-2f8f6f1f3d11';

export interface Told {
  readonly atMs: number;
  /** An operation, with its job. */
  readonly op: string;
  readonly body?: object | undefined;
  readonly reply: unknown;
  readonly base?: string;
}

/** A job's life, as a client sees it that asks each second. */
export const LIFE: readonly Told[] = [
  { atMs: 0, op: 'run', body: { input: { prompt: 'x' } }, reply: { id: JOB, status: 'IN_QUEUE' } },
  ...[1_000, 2_000].map((atMs) => ({
    ...{ atMs, op: `status/${JOB}` },
    reply: { id: JOB, status: 'IN_PROGRESS', delayTime: 500 },
  })),
  ...[3_000, 4_000, 5_000].map((atMs) => ({
    ...{ atMs, op: `status/${JOB}` },
    reply: { id: JOB, status: 'COMPLETED', delayTime: 500, executionTime: 2_000, output: { ok: true } },
  })),
];

const isPost = (op: string): boolean => !/^(?:status|stream|health)/u.test(op);

/** @param more members instead of, or besides, the usual ones; undefined leaves one out */
export const line = ({ atMs, op, body, reply, base = BASE }: Told, more: object = {}): object => ({
  ...{ method: isPost(op) ? 'POST' : 'GET', url: `${base}/${op}` },
  ...{ start: AT_MS + atMs, end: AT_MS + atMs + 40, status: 200 },
  ...{ requestBody: body ?? null, headers: { 'content-type': 'application/json' }, body: reply },
  ...more,
});

/** @param response members instead of, or besides, those of the response; `request` likewise */
export function entry(
  { atMs, op, body, reply, base = BASE }: Told,
  request: object = {},
  response: object = {},
) {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const sent = body === undefined ? '' : JSON.stringify(body);
  return {
    startedDateTime: new Date(AT_MS + atMs).toISOString(),
    time: 40,
    request: {
      ...{ method: isPost(op) ? 'POST' : 'GET', url: `${base}/${op}`, bodySize: sent.length },
      headers: [{ name: 'Content-Length', value: `${sent.length}` }],
      ...(sent !== '' && { postData: { mimeType: 'application/json', text: sent } }),
      ...request,
    },
    response: {
      ...{ status: 200, bodySize: text.length },
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
      ...response,
    },
  };
}

export const har = (entries: readonly unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', entries } });

export const ndjson = (lines: readonly object[]): string =>
  lines.map((one) => JSON.stringify(one)).join('\n');

export interface Judged {
  /** The musts that failed. */
  readonly failed: readonly string[];
  readonly passed: readonly string[];
  readonly calls: readonly CallEvent[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** What `judge` makes of files with these contents. */
export function judged(contents: readonly string[], given: GivenCapture = {}): Judged {
  const { cwd } = createFakeIo();
  const names = contents.map((content, index) => {
    const name = `${'abcdef'[index]}.${content.startsWith('{"log"') ? 'har' : 'ndjson'}`;
    writeFileSync(join(cwd, name), content);
    return name;
  });
  const { parts, notes } = readRecorded(names, given, cwd);
  const events: HistoryEvent[] = [];
  const found = [...parts((event) => events.push(event))].map((part) => judge(part));
  const ids = (of: 'fail' | 'pass'): readonly string[] =>
    found.flatMap(({ requirements }) =>
      requirements.flatMap(({ id, level, verdict }) => (level === 'must' && verdict === of ? [id] : [])),
    );
  return {
    ...{ failed: ids('fail'), passed: ids('pass'), notes },
    calls: events.filter((event): event is CallEvent => event.kind === 'call'),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}
