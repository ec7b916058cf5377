/**
 * `as-test/` promises a failure as a test in the user's language: its calls at their instants, and what the document allows
 * instead of what was seen, as the judge says. A test knows nothing of Runproof.
 */
import type {
  CallEvent,
  HistoryEvent,
  RunEvent,
  ScriptEvent,
  WebhookEvent,
  WorkersEvent,
} from '../../../history/events.js';
import { judge } from '../../../oracle/index.js';
import { cutAfter, type Events } from '../../../oracle/proof/generalize.js';
import type { ReportFailure } from '../../../report/report.js';
import { returnedId } from '../../../report/calls/shell-script.js';
import { decodedSegment, jobSegmentIn } from '../../../spec/operation-of.js';
import { getOrMake } from '../../../util/maps.js';

export type Done = CallEvent | WorkersEvent;

/** What one script did until its failure showed. */
export interface Recorded {
  readonly requirement: string;
  readonly run: RunEvent;
  readonly begin: ScriptEvent;
  /** A history that shows the failure, and the events of its script in it. */
  readonly events: Events;
  readonly own: Events;
  /** Its calls and changes of workers, in order of sending. */
  readonly done: readonly Done[];
  /** The call that shows the failure. */
  readonly shown: CallEvent;
  /** The end of it, on the clock of the history, ms. */
  readonly endMs: number;
}

/** It is judged some dozens of times. */
const EVENTS_MAX = 20_000;
/**
 * A reason in words if the script alone does not show the failure.
 *
 * @param stepsMax of more steps, calls and waits together, those go that are not part of the failure
 */
export function recordedOf(
  history: Events,
  requirement: string,
  { calls, shrunk, scenario, originMs }: Evidence,
  stepsMax = Infinity,
): Recorded | string {
  const { selection: _, signs: __, ...run } = history[0] as RunEvent;
  const evidence = new Set([...calls, ...(shrunk?.calls ?? [])]);
  const of = (scripts: readonly number[]): Events => [
    run,
    ...history.filter((event) => 'script' in event && scripts.includes(event.script)),
  ];
  const all = callsIn(history);
  const last = all.find(({ call }) => call === calls.at(-1));
  const begin = history.find(
    (event): event is ScriptEvent =>
      event.kind === 'script' &&
      (last === undefined
        ? event.scenario === scenario && event.atMs === originMs
        : event.script === last.script),
  );
  const shown = last ?? all.findLast(({ script }) => script === begin?.script);
  if (begin === undefined || shown === undefined) return 'no calls of one script show it';
  const alone = of([begin.script]);
  // Sometimes calls of other scripts show that an answer has no other reason.
  const others = all.filter(({ call }) => evidence.has(call)).map(({ script }) => script);
  const parts = [cutAfter(alone, shown), alone, of(others), [run, ...history.slice(1)]];
  const whole = parts.find((some) => some.length <= EVENTS_MAX && isFoundIn(some, requirement));
  if (whole === undefined) return 'the run as a whole shows it, and no few calls do';
  const jobs = new Set(all.flatMap((call) => (evidence.has(call.call) ? jobsOf(call) : [])));
  const isOfThem = (call: CallEvent): boolean => jobsOf(call).some((job) => jobs.has(job));
  const isOfJobs = jobsOf(shown).length > 0;
  const narrower = [isOfThem, (call: CallEvent) => isOfThem(call) && isTelling(call)];
  const fewer = [isTelling, ...(isOfJobs ? narrower : [])].map((isKept) =>
    whole.filter(
      (event) =>
        event.kind !== 'call' || event.script !== begin.script || evidence.has(event.call) || isKept(event),
    ),
  );
  // A server may be wrong because of calls that prove nothing: only what is too long loses some, and none where they are counted.
  const isCounted = requirement.startsWith('8/');
  const tries = isCounted ? [whole] : [whole, ...fewer.filter((some) => isFoundIn(some, requirement))];
  const events = tries.find((some) => stepsIn(some, begin.script) <= stepsMax) ?? whole;
  const own = events.filter((event) => 'script' in event && event.script === begin.script);
  const end = own.find((event) => event.kind === 'script-end');
  return {
    ...{ requirement, run, begin, events, own, shown },
    done: doneIn(own),
    endMs: end?.atMs ?? shown.receivedMs ?? shown.sentMs,
  };
}

function stepsIn(events: Events, script: number): number {
  const calls = callsIn(events).filter((call) => call.script === script);
  const groups = [...groupsIn(calls).values()].filter(({ count }) => count === 0).length;
  return calls.length - groups + new Set(calls.map(({ sentMs }) => sentMs)).size;
}

/** What a report says of a failure. */
export type Evidence = Pick<ReportFailure, 'calls' | 'shrunk' | 'scenario' | 'originMs'>;

/** The job that a call names, or creates. */
function jobsOf(call: CallEvent): readonly string[] {
  const named = jobSegmentIn(call.request.path);
  return [...(named === null ? [] : [decodedSegment(named)]), returnedId(call) ?? []].flat();
}

/** Everything but plain reads, which change nothing. */
const isTelling = ({ op, request }: CallEvent): boolean =>
  !(op === 'health' || (op === 'status' && Object.keys(request.query).length === 0));

export const callsIn = (events: Events): readonly CallEvent[] =>
  events.filter((event) => event.kind === 'call').toSorted((a, b) => a.sentTick - b.sentTick);

/** Of what happens at one instant, changes of workers come first: they have no tick. */
const doneIn = (events: Events): readonly Done[] => {
  const tickOf = (event: Done): number => (event.kind === 'call' ? event.sentTick : -1);
  return events
    .filter((event): event is Done => event.kind === 'call' || event.kind === 'workers')
    .toSorted((a, b) => a.sentMs - b.sentMs || tickOf(a) - tickOf(b));
};

/** What the judge finds wrong: each as the requirement, and the call that shows it. */
export function faultsIn(events: Events): ReadonlySet<string> {
  const failures = judge(events).requirements.flatMap((requirement) => requirement.failures);
  return new Set(failures.map(({ requirement, calls }) => `${requirement} ${calls.at(-1)}`));
}

const isFoundIn = (events: Events, requirement: string): boolean =>
  [...faultsIn(events)].some((fault) => fault.startsWith(`${requirement} `));

/** Webhook calls by their address below that of the run's own receiver. */
export function hooksIn(
  { run: { webhooksAt = '' } }: Pick<Recorded, 'run'>,
  events: Events,
): ReadonlyMap<string, readonly WebhookEvent[]> {
  const byAddress = new Map<string, WebhookEvent[]>();
  for (const event of events)
    if (event.kind === 'webhook')
      getOrMake(byAddress, event.url.slice(webhooksAt.length).replace(/^\d+\//u, ''), () => []).push(event);
  for (const list of byAddress.values()) list.sort((a, b) => a.arrivedMs - b.arrivedMs);
  return byAddress;
}

/** The history with another one in the place of this event. */
export const replaced = (events: Events, old: HistoryEvent, by: HistoryEvent | null): Events =>
  events.flatMap((event) => (event === old ? (by === null ? [] : [by]) : [event]));

/** Fewer are told one by one. */
const GROUP_MIN = 5;

/** Calls that are alike and were sent at one instant. */
export interface Group {
  /** The number of its first call. */
  readonly first: number;
  /** Of the first call: how many there are; of the others 0. */
  readonly count: number;
  /** The calls that returned the ids of the jobs that these name: in turn, or one after the other. Absent: all name one job, or none. */
  readonly inTurn?: readonly number[];
  readonly from?: number;
}

/** By the number of each call. */
export function groupsIn(calls: readonly CallEvent[]): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>();
  const creators = new Map(calls.map((call, nth) => [returnedId(call) ?? nth, nth]));
  const pathOf = ({ request: { path } }: CallEvent): string => {
    const job = jobSegmentIn(path);
    return job !== null && creators.has(decodedSegment(job)) ? path.replace(`/${job}`, '/*') : path;
  };
  const wordsOf = (call: CallEvent): string => {
    const { method, auth, query, body } = call.request;
    return JSON.stringify([call.sentMs, method, pathOf(call), auth, query, body]);
  };
  for (let first = 0; first < calls.length;) {
    const words = wordsOf(calls[first]!);
    let end = first + 1;
    while (calls[end] !== undefined && wordsOf(calls[end]!) === words) end += 1;
    const sources = calls
      .slice(first, end)
      .map(({ request }) => creators.get(decodedSegment(jobSegmentIn(request.path) ?? '')));
    const order = orderOf(sources, groups);
    if (end - first >= GROUP_MIN && order !== null)
      for (let nth = first; nth < end; nth += 1)
        groups.set(nth, { first, count: nth === first ? end - first : 0, ...order });
    first = end;
  }
  return groups;
}

/** Null: there is none. */
function orderOf(
  sources: readonly (number | undefined)[],
  groups: ReadonlyMap<number, Group>,
): Pick<Group, 'inTurn' | 'from'> | null {
  const period = [1, 2, 3, 4].find((some) => sources.every((source, nth) => source === sources[nth % some]));
  if (period === 1) return {};
  if (period !== undefined) return { inTurn: sources.slice(0, period) as number[] };
  const from = sources[0]!;
  const isRow = sources.every(
    (source, nth) => source === from + nth && groups.get(source)?.first === groups.get(from)?.first,
  );
  return isRow && groups.has(from) ? { from } : null;
}
