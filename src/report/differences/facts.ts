/** What may tell one decision from another: what was known of its job and its script by then, as the calls show it. */
import type { CallEvent, HistoryEvent, Json, ScriptEvent } from '../../history/events.js';
import type { Decision } from '../../oracle/index.js';
import { TTL_DEFAULT_MS } from '../../spec/limits.js';
import { isJobStatus } from '../../spec/states.js';
import { getOrMake } from '../../util/maps.js';
import { isObject } from '../../util/json.js';
import { jobOf } from '../calls/job-of.js';

/** Values by name, such as `last state seen` `IN_PROGRESS`. Those that say most of a job come first. */
export type Facts = ReadonlyMap<string, string>;

/** The state that an answer shows; null: none. */
export function statusIn({ reply }: CallEvent): string | null {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  const status = isObject(value) ? value['status'] : null;
  return isJobStatus(status) ? status : null;
}

/** In a longer script, all that comes before a call says little of it. */
const CALLS_MAX = 1_000;

/** The calls of a history, by script and by number. */
export class ScriptCalls {
  readonly #scripts = new Map<number, ScriptEvent>();
  readonly #calls = new Map<number, CallEvent>();
  /** In the order of sending. */
  readonly #byScript = new Map<number, CallEvent[]>();
  readonly #jobs = new Map<CallEvent, string | null>();
  readonly #facts = new Map<CallEvent, Facts | null>();

  constructor(history: readonly HistoryEvent[]) {
    for (const event of history)
      if (event.kind === 'script') this.#scripts.set(event.script, event);
      else if (event.kind === 'call') {
        this.#calls.set(event.call, event);
        this.#jobs.set(event, jobOf(event));
        getOrMake(this.#byScript, event.script, () => []).push(event);
      }
    for (const calls of this.#byScript.values()) calls.sort((one, other) => one.sentTick - other.sentTick);
  }

  call(number: number | null | undefined): CallEvent | null {
    return this.#calls.get(number ?? -1) ?? null;
  }

  ofScript(script: number): readonly CallEvent[] {
    return this.#byScript.get(script) ?? [];
  }

  ofJob(script: number, job: string): readonly CallEvent[] {
    return this.ofScript(script).filter((call) => this.#jobs.get(call) === job);
  }

  /** Null: the decision rests on no call, or on one of a job or a script of which too little or too much is known. */
  factsOf({ call: number }: Decision): Facts | null {
    const call = this.call(number);
    return call === null ? null : getOrMake(this.#facts, call, () => this.#factsBefore(call));
  }

  #factsBefore(call: CallEvent): Facts | null {
    const script = this.ofScript(call.script);
    if (script.length > CALLS_MAX) return null;
    const before = script.filter(({ sentTick }) => sentTick < call.sentTick);
    const job = this.#jobs.get(call) ?? null;
    const own = [...before, call].filter((one) => job === null || this.#jobs.get(one) === job);
    const submitted = own.find(isSubmission);
    if (job !== null && submitted === undefined) return null;
    const isSecond = before.some((one) => isSubmission(one) && one.sentTick < (submitted?.sentTick ?? 0));
    return new Map([
      ...(submitted === undefined ? [] : ofJob(call, own, submitted)),
      ['call', call.op === null ? 'another path' : `/${call.op}`],
      ['key', call.request.auth],
      ['request', call.request.illegal ?? 'well-formed'],
      ['/purge-queue before', yes(before.some(({ op }) => op === 'purge-queue'))],
      ['other jobs before it', yes(isSecond)],
      ['workers at first', `${this.#scripts.get(call.script)?.workers ?? 'unknown'}`],
    ]);
  }
}

export const isSubmission = ({ op }: CallEvent): boolean => op === 'run' || op === 'runsync';
const yes = (is: boolean): string => (is ? 'yes' : 'no');

function ofJob(
  call: CallEvent,
  own: readonly CallEvent[],
  submitted: CallEvent,
): readonly (readonly [string, string])[] {
  const before = own.filter((one) => one !== call || one === submitted);
  const { body, query } = submitted.request;
  const value = body.as === 'json' && isObject(body.value) ? body.value : {};
  const policy = isObject(value['policy']) ? value['policy'] : {};
  const seen = before.flatMap((one) => statusIn(one) ?? []).at(-1) ?? 'never';
  const reads = before.filter(({ op }) => op === 'status');
  return [
    // That a worker has taken it is seen by the call itself.
    ['last state seen', seen === 'IN_QUEUE' && statusIn(call) === 'IN_PROGRESS' ? 'IN_PROGRESS' : seen],
    ['submitted by', `/${submitted.op}`],
    ...['retry', 'cancel', 'stream'].map(
      (op) => [`/${op} before`, yes(before.some((one) => one.op === op))] as const,
    ),
    ['read before', yes(reads.length > 0)],
    [
      'read 1 s after its submission or later',
      yes(reads.some(({ sentMs }) => sentMs >= submitted.sentMs + LATER_MS)),
    ],
    ['read while IN_QUEUE', yes(reads.some((one) => statusIn(one) === 'IN_QUEUE'))],
    ['/status?ttl', yes(own.some(({ op, request }) => op === 'status' && 'ttl' in request.query))],
    ['wait', yes('wait' in query)],
    ["the submission's own wait was over", yes(isUnfinished(submitted))],
    ['executionTimeout longer than ttl', yes(isLongerThanTtl(policy))],
    ...['ttl', 'executionTimeout', 'lowPriority'].map(
      (name) => [`policy.${name}`, yes(name in policy)] as const,
    ),
    ...['webhook', 's3Config'].map((name) => [name, yes(name in value)] as const),
    ["worker's plan", planIn(value['input'])],
    ['size of the submission', SIZES.find(([bytes]) => body.as === 'none' || body.bytes <= bytes)![1]],
  ];
}

/** A `/runsync` that was answered before its job had ended. */
const isUnfinished = (submitted: CallEvent): boolean =>
  submitted.op === 'runsync' && ['IN_QUEUE', 'IN_PROGRESS'].includes(statusIn(submitted) ?? '');

function isLongerThanTtl({
  ttl = TTL_DEFAULT_MS,
  executionTimeout,
}: {
  readonly [field: string]: Json;
}): boolean {
  return typeof executionTimeout === 'number' && typeof ttl === 'number' && executionTimeout > ttl;
}

/** Scenarios look at once whether a job waits or runs. */
const LATER_MS = 1_000;

const SIZES = [
  [1_000, 'up to 1 kB'],
  [65_536, 'up to 64 KiB'],
  [1_000_000, 'up to 1 MB'],
  [Infinity, 'more than 1 MB'],
] as const;

/** The kinds of steps that the scripted worker is told to take. */
function planIn(input: Json | undefined): string {
  const plan = isObject(input) ? input['plan'] : null;
  if (!Array.isArray(plan)) return 'none';
  const kinds = plan.flatMap((step: Json) => (isObject(step) ? (Object.keys(step)[0] ?? []) : []));
  return [...new Set(kinds)].join(', ') || 'empty';
}
