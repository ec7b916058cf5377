/**
 * Steps from a history to one with less information. Each step is sound: an endpoint that could have
 * produced the first history could also have produced the second, so that what is impossible in the smaller
 * one is impossible in the larger.
 */
import type { CallEvent, HistoryEvent, RunEvent } from '../../history/events.js';
import { answerOf, idIn, idInPath, jsonOf, isObject } from '../observed/recorded-call.js';

export type Events = readonly HistoryEvent[];

/** The run's own line, and all scripts that can affect this one: scripts on separate endpoints cannot. */
export function scriptsBearingOn(events: Events, script: number): Events {
  const own = events.find((event) => event.kind === 'script' && event.script === script);
  const endpoint = own?.kind === 'script' && !own.fresh ? own.endpoint : null;
  const together = new Set([script]);
  if (endpoint !== null)
    for (const event of events)
      if (event.kind === 'script' && !event.fresh && event.endpoint === endpoint) together.add(event.script);
  return events.filter((event) => event.kind === 'run' || together.has(event.script));
}

/** Without the events of other endpoints. */
export function onEndpoint(events: Events, endpoint: string): Events {
  return events.filter(
    (event) => (event.kind !== 'call' && event.kind !== 'workers') || event.endpoint === endpoint,
  );
}

/** As if the harness had stopped when the call was answered. */
export function cutAfter(events: Events, shown: CallEvent): Events {
  const { endedTick, receivedMs } = shown;
  if (endedTick === null || receivedMs === null) return events;
  return events.flatMap((event): HistoryEvent[] => {
    switch (event.kind) {
      case 'call':
        if (event.sentTick > endedTick) return [];
        return event.endedTick === null || event.endedTick > endedTick ? [withReplyLost(event)] : [event];
      case 'webhook':
      case 'storage':
        return event.arrivedMs > receivedMs ? [] : [event];
      case 'workers':
        return event.sentMs > receivedMs ? [] : [event];
      case 'script-end':
        return [{ ...event, atMs: Math.min(event.atMs, receivedMs) }];
      case 'cleanup':
        return event.atMs > receivedMs ? [] : [event];
      default:
        return [event];
    }
  });
}

/** The call as if its reply had been lost: it may have taken effect at any time since, or never. */
export function withReplyLost(call: CallEvent): CallEvent {
  const { receivedMs, gaveUpMs } = call;
  const until = gaveUpMs ?? receivedMs;
  return {
    ...call,
    receivedMs: null,
    reply: null,
    lost: call.lost ?? 'forgotten',
    ...(until === null ? {} : { gaveUpMs: until }),
  };
}

/**
 * As if it were unknown whether others use the endpoint, how many workers it has, or which webhooks it
 * calls.
 */
export type Knowledge = 'dedicated' | 'worker-count-known' | 'webhook-reachable';

export function without(events: Events, knowledge: readonly Knowledge[]): Events {
  const workersUnknown = knowledge.includes('worker-count-known');
  return events.flatMap((event): HistoryEvent[] => {
    if (event.kind === 'run') return [unaware(event, knowledge)];
    if (event.kind === 'script') return [workersUnknown ? { ...event, workers: null } : event];
    if (event.kind === 'workers') return workersUnknown ? [] : [event];
    const arrived = event.kind === 'webhook' || event.kind === 'storage';
    return arrived && knowledge.includes('webhook-reachable') ? [] : [event];
  });
}

function unaware(run: RunEvent, knowledge: readonly string[]): RunEvent {
  return { ...run, capabilities: run.capabilities.filter((one) => !knowledge.includes(one)) };
}

/** Whether the failure rests on one job alone, so that other jobs can be removed. */
export function jobsStandAlone(events: Events): boolean {
  return events.every((event) =>
    event.kind === 'run'
      ? !event.capabilities.includes('dedicated')
      : event.kind !== 'script' || event.workers === null,
  );
}

/** A job in the history: its submission, and all events that name its id or arrive at its address. */
export interface JobTraces {
  readonly submitted: CallEvent;
  readonly traces: ReadonlySet<HistoryEvent>;
}

export function jobsIn(events: Events): readonly JobTraces[] {
  const byId = new Map<string, { submitted: CallEvent; traces: Set<HistoryEvent> }>();
  const byUrl = new Map<string, Set<HistoryEvent>>();
  const jobs: JobTraces[] = [];
  for (const event of events) {
    if (event.kind !== 'call' || (event.op !== 'run' && event.op !== 'runsync')) continue;
    if (answerOf(event) === 'refused' && idIn(event) === null) continue;
    const job = { submitted: event, traces: new Set<HistoryEvent>() };
    jobs.push(job);
    const id = idIn(event);
    if (id !== null && !byId.has(id)) byId.set(id, job);
    const body = jsonOf(event.request.body);
    const url = isObject(body) ? body['webhook'] : undefined;
    if (typeof url === 'string') byUrl.set(url, job.traces);
  }
  for (const event of events) {
    if (event.kind === 'webhook') byUrl.get(event.url)?.add(event);
    if (event.kind !== 'call' || event.op === 'run' || event.op === 'runsync') continue;
    const id = idInPath(event);
    if (id !== null) byId.get(id)?.traces.add(event);
  }
  return jobs;
}

/** Removes jobs; sound only if they stand alone. */
export function withoutJobs(events: Events, jobs: readonly JobTraces[]): Events {
  const gone = new Set<HistoryEvent>(jobs.flatMap(({ submitted, traces }) => [submitted, ...traces]));
  return events.filter((event) => !gone.has(event));
}

const READS: ReadonlySet<string | null> = new Set(['status', 'health', 'requests']);
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 413, 429]);

/**
 * The call changes nothing on an endpoint that conforms to the document: it only reads, or it was refused.
 * Not so a `/status` that sets a ttl, whose 404 may show that the job expired by it; a `/stream`, which may
 * take the chunks; and a `/runsync`, whose 404 may show that its job is gone.
 */
export function changedNothing(call: CallEvent): boolean {
  const { op, request, reply } = call;
  if (REFUSALS.has(reply?.status)) return true;
  if (request.query['ttl'] !== undefined || op === 'runsync') return false;
  return READS.has(op) || reply?.status === 404;
}
