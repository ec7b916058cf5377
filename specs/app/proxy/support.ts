/** What a proxy saw, and a judge that is told. */
import type { LiveJudge, Alert, LiveSettings } from '../../../src/app/proxy/live-judge.js';
import type { Seen } from '../../../src/proxy/seen.js';

const UPSTREAM = 'https://api.example.com';
export const AT = 1_800_000_000_000;

export const settings = (more: Partial<LiveSettings> = {}): LiveSettings => ({
  ...{
    upstream: UPSTREAM,
    beganMs: AT,
    edition: 'document',
    graceMs: undefined,
    others: true,
    crashes: true,
    webhooks: false,
  },
  ...{ dialect: undefined, findings: [], minDecided: { count: 1 }, formats: [] },
  ...more,
});

let calls = 0;
const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(value === null ? '' : JSON.stringify(value));

export interface Told {
  readonly atMs: number;
  readonly path: string;
  readonly reply: object | null;
  readonly status?: number;
  /** Of a submission. */
  readonly input?: object;
  /** Of a submission; the service is told to call it at the proxy. */
  readonly webhook?: string;
  /** By name; absent: it has a key. */
  readonly headers?: { readonly [name: string]: string };
  /** Absent: 10 ms. */
  readonly tookMs?: number;
}

/** The begin and the end of a call. */
export function seen(told: Told): readonly [Seen, Seen] {
  const { atMs, path, reply, status = 200, input = {}, webhook, tookMs = 10 } = told;
  const { headers = { authorization: 'Bearer ***' } } = told;
  const call = calls++;
  const isRun = path === 'run' || path === 'runsync';
  const method = isRun || /^(?:cancel|purge)/.test(path) ? 'POST' : 'GET';
  return [
    { kind: 'begin', call, atMs: AT + atMs, method, target: `/v2/abc/${path}` },
    {
      ...{ kind: 'end', call, atMs: AT + atMs + tookMs },
      request: { headers: Object.entries(headers), body: bytes(isRun ? { input, webhook } : null) },
      isAbandoned: false,
      ...(webhook !== undefined && { isWebhookHere: true }),
      reply: reply && { status, headers: [['content-type', 'application/json']], body: bytes(reply) },
    },
  ];
}

export const record = (id: string, status: string): object => ({
  id,
  status,
  delayTime: 1,
  executionTime: 1,
});
export const run = (atMs: number, id: string): Told => ({
  atMs,
  path: 'run',
  reply: { id, status: 'IN_QUEUE' },
});
export const read = (atMs: number, id: string, status: string): Told => ({
  ...{ atMs, path: `status/${id}`, reply: record(id, status) },
});

export const watch = (judge: LiveJudge, ...told: readonly Told[]): readonly Alert[] =>
  told.flatMap(seen).flatMap((one) => judge.take(one));
