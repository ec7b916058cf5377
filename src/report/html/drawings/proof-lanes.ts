/** The calls of a failure, a lane for each job: the calls, and the states observed. */
import type { CallEvent, HistoryEvent, Json, WebhookEvent } from '../../../history/events.js';
import { formatReply } from '../../curl.js';

export interface CallMark {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
  readonly title: string;
  readonly kind: 'good' | 'bad' | 'lost' | 'webhook';
  /** The call that showed the failure. */
  readonly isLast: boolean;
}

export interface Segment {
  readonly fromMs: number;
  readonly toMs: number;
  readonly from: string;
  readonly to: string;
}

export interface Lane {
  readonly name: string;
  readonly marks: readonly CallMark[];
  readonly segments: readonly Segment[];
  /** The calls on the job, in the order of sending. */
  readonly calls: readonly CallEvent[];
}

/** `shown`: numbers of the calls; the last one showed the failure. Times count from `originMs`. */
export function lanesOf(
  history: readonly HistoryEvent[],
  shown: readonly number[],
  originMs: number,
  withWebhooks: boolean,
): readonly Lane[] {
  const numbers = new Set(shown);
  const calls = history
    .filter((event) => event.kind === 'call' && numbers.has(event.call))
    .sort((left, right) => (left as CallEvent).sentTick - (right as CallEvent).sentTick) as CallEvent[];
  const jobs = new Map<string, CallEvent[]>();
  for (const call of calls) jobs.set(jobOf(call), [...(jobs.get(jobOf(call)) ?? []), call]);
  return [...jobs].map(([job, own]) => {
    const label = own.find((call) => call.label !== null)?.label ?? null;
    const script = own[0]!.script;
    const urls = new Set(own.flatMap((call) => webhookOf(call) ?? []));
    const webhooks = withWebhooks
      ? history.filter(
          (event): event is WebhookEvent =>
            event.kind === 'webhook' && event.script === script && urls.has(event.url),
        )
      : [];
    return {
      name: job === '' ? 'the endpoint' : (label ?? `job ${job}`),
      marks: [
        ...own.map((call) => markOf(call, originMs, call.call === shown.at(-1))),
        ...webhooks.map((webhook) => webhookMark(webhook, originMs)),
      ].sort((left, right) => left.fromMs - right.fromMs),
      segments: job === '' ? [] : segmentsOf(own, originMs),
      calls: own,
    };
  });
}

function markOf(call: CallEvent, originMs: number, isLast: boolean): CallMark {
  const fromMs = call.sentMs - originMs;
  const query = Object.entries(call.request.query).map(([name, value]) => `${name}=${value}`);
  const name = call.op ?? `${call.request.method} ${call.request.path}`;
  const asked = query.length === 0 ? name : `${name}?${query.join('&')}`;
  return {
    fromMs,
    toMs: (call.receivedMs ?? call.sentMs) - originMs,
    text: `#${call.call} ${asked} → ${formatReply(call)}`,
    title: `${call.request.method} ${call.request.path}, sent at ${fromMs} ms, answered at ${call.receivedMs === null ? 'no time' : `${call.receivedMs - originMs} ms`}`,
    kind: call.reply === null ? 'lost' : call.reply.status < 400 ? 'good' : 'bad',
    isLast,
  };
}

function webhookMark(webhook: WebhookEvent, originMs: number): CallMark {
  return {
    fromMs: (webhook.sinceMs ?? webhook.arrivedMs) - originMs,
    toMs: webhook.arrivedMs - originMs,
    text: `webhook, answered ${webhook.answered ?? 'with nothing'}`,
    title: `${webhook.method} ${webhook.url}`,
    kind: 'webhook',
    isLast: false,
  };
}

/** Between two observations: in one state, or changing from one to the other. */
function segmentsOf(calls: readonly CallEvent[], originMs: number): readonly Segment[] {
  const observations = calls.flatMap((call) => {
    const state = stateIn(call);
    const atMs = (call.receivedMs ?? call.sentMs) - originMs;
    return state === null ? [] : [{ state, atMs }];
  });
  return observations.slice(1).map(({ state, atMs }, index) => {
    const before = observations[index]!;
    return { fromMs: before.atMs, toMs: atMs, from: before.state, to: state };
  });
}

export function stateIn(call: CallEvent): string | null {
  if (call.reply === null) return null;
  if (call.reply.status === 404) return 'gone';
  const status = memberOf(call.reply.body.as === 'json' ? call.reply.body.value : null, 'status');
  return typeof status === 'string' ? status : null;
}

function webhookOf(call: CallEvent): string | null {
  const url = memberOf(call.request.body.as === 'json' ? call.request.body.value : null, 'webhook');
  return typeof url === 'string' ? url : null;
}

/** The job's id, from the reply to a submission or from the path; empty if the call concerns no job. */
export function jobOf(call: CallEvent): string {
  const { op, request, reply } = call;
  if (op === 'run' || op === 'runsync') {
    const id = memberOf(reply?.body.as === 'json' ? reply.body.value : null, 'id');
    return typeof id === 'string' ? id : `of #${call.call}`;
  }
  const onJob = op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry';
  return onJob ? decoded(request.path.slice(request.path.lastIndexOf('/') + 1)) : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function memberOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;
}
