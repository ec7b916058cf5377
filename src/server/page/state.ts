import { callFilter, type CallFilter } from '../../util/call-filter.js';
import type { EndpointSnapshot, JobSnapshot } from '../../core/saved/snapshot.js';
import type { Edition } from '../../spec/index.js';
import { OF_SERVE } from '../../history/kept-bodies.js';
import type { ControlledClock } from '../clock/controlled-clock.js';
import type { Faults } from '../faults/faults.js';
import type { Host } from '../host.js';
import type { HostView } from '../host-view.js';
import type { LoggedCall } from '../logged-call.js';
import { LOCAL_API_KEY } from '../options.js';
import type { CallState, JobState, PageEvent, PageState } from './page-state.js';
import type { QueueDepths } from './queue-depths.js';
import type { WebhookAttempt } from './webhook-log.js';

/** Jobs listed of each kind: running, waiting, ended. */
const JOBS_MAX = 25;
const ENDPOINTS_MAX = 12;
const CALLS_MAX = 40;
/** Jobs of each kind that a filter looks through. */
const FILTERED_MAX = 1_000;
/** Events listed of those to come; of one job, more are looked through. */
const NEXT_MAX = 9;
const NEXT_OF_JOB_FROM = 300;

export interface StateSources {
  readonly host: Host;
  readonly clock: ControlledClock | null;
  /** How many times as fast as real time a clock runs that is not controlled. */
  readonly speed: number;
  readonly edition: Edition;
  /** The key in shell syntax: the default key is public, another is shown as a variable. */
  readonly keyInShell: string;
  /** How the user starts this program. */
  readonly program: string;
  /** The oldest first. */
  readonly calls: () => readonly LoggedCall[];
  readonly faults: Faults | null;
  /** Whether the page lets its user act. */
  readonly acts: boolean;
  readonly depths: QueueDepths;
  /** Calls are kept for a script. */
  readonly records: boolean;
}

/** @param filter words as `callFilter` has them, which choose jobs and calls; empty: all of them */
export function pageState(sources: StateSources, filter = ''): PageState {
  const { host, clock, speed, edition, keyInShell, program, calls, faults, acts, depths, records } = sources;
  const view = host.view();
  const { isShown, fault } = filterOf(filter);
  const endpoints = view.service.snapshot(isShown === ALL ? JOBS_MAX : FILTERED_MAX);
  depths.look(view.nowMs, endpoints);
  const shown = mostActive(endpoints);
  return {
    edition,
    clock: clock === null ? 'real' : 'controlled',
    speed,
    nowMs: view.nowMs,
    nextEventAtMs: clock?.nextEventAtMs() ?? null,
    acts,
    keyInShell,
    program,
    publishedKey: keyInShell === LOCAL_API_KEY ? LOCAL_API_KEY : null,
    endpoints: endpoints
      .filter((endpoint) => shown.has(endpoint))
      .map((endpoint) => ({ ...endpoint, jobs: jobsIn(endpoint, isShown), depth: depths.of(endpoint.id) })),
    endpointsLeftOut: endpoints.length - shown.size,
    next: eventsToCome(view, NEXT_MAX),
    faults:
      faults === null
        ? null
        : { seed: faults.seed, rules: faults.rules(), recent: faults.recent().slice(0, 8) },
    filterFault: fault,
    calls: calls().filter(callIn(isShown)).slice(-CALLS_MAX).reverse().map(withoutBodies),
    records,
  };
}

const ALL: CallFilter = () => true;

function filterOf(text: string): { readonly isShown: CallFilter; readonly fault: string | null } {
  try {
    return { isShown: text.trim() === '' ? ALL : callFilter(text), fault: null };
  } catch (error) {
    return { isShown: ALL, fault: (error as RangeError).message };
  }
}

/** The first of each kind that the filter shows. */
function jobsIn({ jobs }: EndpointSnapshot, isShown: CallFilter): readonly JobSnapshot[] {
  const listed = { IN_PROGRESS: 0, IN_QUEUE: 0, ended: 0 };
  return jobs.filter(({ id, status, op }) => {
    const kind = status === 'IN_PROGRESS' || status === 'IN_QUEUE' ? status : 'ended';
    return isShown({ status: null, text: `${id} ${status} /${op}` }) && (listed[kind] += 1) <= JOBS_MAX;
  });
}

const callIn =
  (isShown: CallFilter) =>
  ({ method, path, status, job, fault }: LoggedCall): boolean => {
    const answer = status === null ? 'pending' : status === 0 ? 'closed' : status;
    const more = [...(job === null ? [] : ['job', job]), ...(fault === null ? [] : ['fault', fault])];
    return isShown({ status, text: [method, path, answer, ...more].join(' ') });
  };

const withoutBodies = (call: LoggedCall): LoggedCall => ({ ...call, request: null, reply: null });

/** Null when the call is not kept any more. */
export function callState({ calls, keyInShell }: StateSources, number: number): CallState | null {
  const call = calls().find((one) => one.number === number);
  if (call === undefined) return null;
  const { method, request } = call;
  const isCut = (request?.length ?? 0) >= OF_SERVE.loggedCharactersMax;
  const body =
    request === null
      ? ''
      : ` -H 'content-type: application/json' -d '${request.replaceAll("'", String.raw`'\''`)}'`;
  return { ...call, curl: isCut ? null : `curl -X ${method} -H "authorization: ${keyInShell}"${body}` };
}

/** Null when there is no such job. */
export function jobState(
  { host, faults }: StateSources,
  webhooks: readonly WebhookAttempt[],
  endpoint: string,
  id: string,
): JobState | null {
  const view = host.view();
  const job = view.service.job(endpoint, id);
  if (job === null) return null;
  return {
    ...job,
    nowMs: view.nowMs,
    webhooks,
    faults: faults?.recent().filter((fault) => fault.job === id) ?? [],
    next: eventsToCome(view, NEXT_OF_JOB_FROM).filter((event) => event.job === id),
  };
}

/** The timers of the service and the steps of workers, in order. */
function eventsToCome(view: HostView, max: number): readonly PageEvent[] {
  const steps = view.steps(max).flatMap(({ atMs, step }): PageEvent[] => {
    const { endpoint, worker, job, does, end } = step;
    const about = { endpoint, worker, job, attempt: null };
    const last: PageEvent[] =
      end === null ? [] : [{ ...about, atMs: atMs + end.afterMs, kind: `worker-${end.does}` }];
    return [{ ...about, atMs, kind: `worker-${does}` }, ...last];
  });
  // Steps first: at one instant, they are what the user waits for.
  const sorted = [...steps, ...view.service.upcoming(2 * max)].sort((a, b) => a.atMs - b.atMs);
  // A job that is deleted by its retention will not be deleted by its ttl as well.
  const deleted = new Set<string | null>();
  const shown = sorted.filter(({ kind, job }) => {
    if (kind !== 'ttl' && kind !== 'retention') return true;
    const isFirst = !deleted.has(job);
    deleted.add(job);
    return isFirst;
  });
  return shown.slice(0, max);
}

/** Endpoints with active jobs first, then the newest; tests may create hundreds. */
function mostActive(endpoints: readonly EndpointSnapshot[]): ReadonlySet<EndpointSnapshot> {
  const busy = ({ held }: EndpointSnapshot): number => (held.IN_QUEUE + held.IN_PROGRESS > 0 ? 1 : 0);
  const ranked = [...endpoints].reverse().sort((a, b) => busy(b) - busy(a));
  return new Set(ranked.slice(0, ENDPOINTS_MAX));
}
