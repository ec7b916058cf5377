/** What a proxy saw, and a judge that is told. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readRecorded } from '../../../src/features/judge/recorded-traffic.js';
import { LiveJudge, type Alert, type LiveSettings } from '../../../src/judging/live/live-judge.js';
import { openRecordFolder } from '../../../src/judging/live/record-folder.js';
import { Recording } from '../../../src/features/proxy/recording.js';
import { judge as proven } from '../../../src/oracle/index.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import { ABANDONED, LOST, OPEN, type Exchange, type Message } from '../../../src/history/exchange.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import { exchangeOfCall } from '../../../src/traffic/exchange-of-call.js';
import { namesAt } from '../../../src/traffic/index.js';

/** What is told of a call, as it begins or when it is over. */
export type Seen = Exchange<Uint8Array>;

const UPSTREAM = 'https://api.example.com';
export const AT = 1_800_000_000_000;

export const settings = (more: Partial<LiveSettings> = {}): LiveSettings => ({
  ...{
    upstream: UPSTREAM,
    beganMs: AT,
    edition: 'document',
    reader: { program: 'npx runproof', directory: null },
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
  readonly policy?: object;
  /** Of a submission; the service is told to call it at the proxy. */
  readonly webhook?: string;
  /** By name; absent: it has a key. */
  readonly headers?: { readonly [name: string]: string };
  /** Absent: 10 ms. */
  readonly tookMs?: number;
}

/** The begin and the end of a call. */
export function seen(told: Told): readonly [Seen, Seen] {
  const { atMs, path, reply, status = 200, input = {}, policy, webhook, tookMs = 10 } = told;
  const { headers = { authorization: 'Bearer ***' } } = told;
  const call = calls++;
  const isRun = path === 'run' || path === 'runsync';
  const method = isRun || /^(?:cancel|purge)/.test(path) ? 'POST' : 'GET';
  const target = `/v2/abc/${path}`;
  const begun: Seen = {
    ...{
      id: call,
      fromMs: AT + atMs,
      byMs: null,
      outcome: OPEN,
      names: namesAt(method, UPSTREAM + target, 'document'),
    },
    request: { method, target, headers: {}, body: undefined },
  };
  return [
    begun,
    {
      ...{ ...begun, byMs: AT + atMs + tookMs },
      request: { method, target, headers, body: bytes(isRun ? { input, policy, webhook } : null) },
      ...(webhook !== undefined && { isWebhookSeen: true }),
      outcome:
        reply === null
          ? LOST
          : { kind: 'answer', status, headers: { 'content-type': 'application/json' }, body: bytes(reply) },
    },
  ];
}

export const isBegin = ({ outcome }: Seen): boolean => outcome.kind === 'open';

/** The same call, made to another address, or by another method. */
export const sentTo = (one: Seen, target: string, method = one.request.method): Seen => ({
  ...one,
  request: { ...one.request, method, target },
  names: namesAt(method, UPSTREAM + target, 'document'),
});

/** The same, so much later. */
export const later = (one: Seen, ms: number): Seen => ({
  ...one,
  fromMs: one.fromMs + ms,
  byMs: one.byMs && one.byMs + ms,
});

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

/** The calls as the proxy sees them, in their order. */
export function passing(events: readonly HistoryEvent[]): readonly Seen[] {
  const calls = events.filter((event) => event.kind === 'call');
  const seen = calls.flatMap((event): readonly { readonly tick: number; readonly one: Seen }[] => {
    const { call, sentTick, endedTick } = event;
    const { request, fromMs, byMs, outcome, names } = exchangeOfCall(event, UPSTREAM, AT);
    const bytes = (body: Message['body']): Uint8Array =>
      new TextEncoder().encode(typeof body === 'string' ? body : '');
    const sent = { ...request, target: request.target.slice(UPSTREAM.length) };
    const begin: Seen = {
      ...{ id: call, fromMs: Math.floor(fromMs), byMs: null, outcome: OPEN, names },
      request: { ...sent, headers: {}, body: undefined },
    };
    const end: Seen = {
      ...{ ...begin, byMs: Math.ceil(byMs ?? fromMs) },
      request: { ...sent, body: bytes(request.body) },
      outcome: outcome.kind === 'answer' ? { ...outcome, body: bytes(outcome.body) } : LOST,
    };
    return [
      { tick: sentTick, one: begin },
      { tick: endedTick ?? Infinity, one: end },
    ];
  });
  return seen.toSorted((left, right) => left.tick - right.tick).map(({ one }) => one);
}

/** The musts that fail in a recording. */
export function recordedIn(folder: string, others: boolean): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const { parts } = readRecorded(files, { others, clockSkewMs: 0 }, folder);
  return [...parts(() => undefined)].flatMap((part) =>
    proven(part).requirements.flatMap(({ id, level, verdict }) =>
      level === 'must' && verdict === 'fail' ? [id] : [],
    ),
  );
}

export const HOOK = 'http://receiver.example/hook';
export const END_MS = 150_000;

export interface Called {
  readonly atMs: number;
  readonly id: string;
  /** Null: it was not answered. Default: 200. */
  readonly answered?: number | null;
  readonly tookMs?: number;
  readonly body?: object;
  readonly address?: string;
}

/** The service calls a webhook. */
export function called({
  atMs,
  id,
  answered = 200,
  tookMs = 20,
  body,
  address = HOOK,
}: Called): readonly Seen[] {
  const reply = answered === null ? null : {};
  const told = { atMs, path: 'hook', reply, status: answered ?? 0, tookMs };
  const [begin, end] = seen(told).map((one) => ({
    ...{ ...one, names: null, webhook: address },
    request: { ...one.request, method: 'POST', target: '/_runproof/webhook/x/y' },
  })) as [Seen, Seen];
  const headers = { 'content-type': 'application/json' };
  return [
    begin,
    {
      ...end,
      request: { ...end.request, headers, body: bytes(body ?? record(id, 'COMPLETED')) },
      ...(answered === null && { outcome: ABANDONED }),
    },
  ];
}

/** A job that waits and runs for 2 s. */
export const job = (atMs: number, id: string, webhook: string | undefined = HOOK): readonly Told[] => [
  { ...run(atMs, id), ...(webhook !== undefined && { webhook }) },
  ...[read(atMs + 1_000, id, 'IN_PROGRESS'), read(atMs + 3_000, id, 'COMPLETED')],
];

/** Another job that is asked about all the time, so that the service is known to live. */
export const LIFE: readonly Told[] = [
  run(10, 'other'),
  ...Array.from({ length: END_MS / 10_000 }, (_, nth) => read(100 + nth * 10_000, 'other', 'IN_QUEUE')),
];

type Judged = {
  readonly live: readonly string[];
  readonly end: readonly string[];
  readonly decided: readonly string[];
};

/** What of section 6 has failed, as it is told while calls pass and at the end, and what was decided. */
export function judgedOfWebhooks(
  told: readonly Told[],
  webhooks: readonly (readonly Seen[])[],
  more: Parameters<typeof settings>[0] = {},
  edit: (all: readonly Seen[]) => readonly Seen[] = (all) => all,
): Judged {
  const { others } = { others: false, ...more };
  const folders = [true, false].map((payloads) =>
    openRecordFolder(join(mkdtempSync(join(tmpdir(), 'runproof-')), 'recorded'), payloads, 100),
  );
  const recordings = folders.map((folder) => new Recording(folder, () => undefined));
  const judge = new LiveJudge(settings({ others, webhooks: true, ...more }), (exchange) => {
    for (const recording of recordings) recording.add(exchange);
  });
  const all = [...told.flatMap(seen), ...webhooks.flat()].toSorted(
    (one, other) => toldMs(one) - toldMs(other),
  );
  const live = new Set<string>();
  let lookedMs = AT;
  for (const one of edit(all)) {
    for (; lookedMs < toldMs(one); lookedMs += 1_000)
      for (const alert of judge.look(lookedMs).alerts)
        if (alert.kind === 'violation' && alert.finding.level === 'must') live.add(alert.finding.requirement);
    judge.take(one);
  }
  for (const recording of recordings) recording.close(AT + END_MS, judge.underWay);
  for (const _ of judge.finish(AT + END_MS)) continue;
  const requirements = judge.finished!.report.requirements.filter(({ level }) => level === 'must');
  const of6 = requirements.filter(({ section }) => section === '6');
  const end = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  // `judge` says the same of the recording.
  for (const folder of folders) expect(recordedIn(folder.folder, others)).toEqual(end);
  return {
    live: [...live],
    end,
    decided: of6.filter(({ decided }) => decided > 0).map(({ id }) => id),
  };
}
