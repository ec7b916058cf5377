/**
 * `history/` promises an append-only record of what was sent and what came back, as plain values: one JSON
 * object per line, which the oracle judges without a target. It never says what should have happened.
 *
 * All times are integer milliseconds of one clock that starts at 0 with the run: the simulator's virtual
 * clock, the target's controlled clock, or the harness's monotonic clock, times the speed of the service.
 */
import type { CleanupEvent } from './cleanup.js';
import type { Capability, Edition, Operation } from '../spec/types.js';
import type { Capture } from './capture.js';
import type { HeldBack } from './held-back.js';
import type { RunSelection } from './selection.js';

/** A JSON value. @public */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** First line of a history. @public */
export interface RunEvent {
  readonly kind: 'run';
  readonly schema: 'runproof-history/1';
  readonly runproof: string;
  readonly seed: number;
  readonly edition: Edition;
  readonly target: { readonly kind: 'simulator' | 'handler' | 'http'; readonly name: string };
  readonly capabilities: readonly Capability[];
  /** `virtual` and `controlled` clocks stand still between events: a call is sent and answered at one instant. */
  readonly clock: 'virtual' | 'controlled' | 'real';
  /** How many times as fast as real time the clock runs, if it is `real`. Absent: 1. */
  readonly speed?: number;
  /** Tolerated lateness of timers: a greater lateness is a failure. */
  readonly graceMs: number;
  /** How much a timer may seem to expire early because of rounding and clock drift. */
  readonly earlyMs: number;
  /**
   * The endpoint's default for `executionTimeout` in ms, as its owner states it; null or absent: not stated.
   */
  readonly executionTimeoutDefaultMs?: number | null;
  /** An input that the worker, which follows no plans, accepts as its owner states; absent: none was stated. */
  readonly sampleInput?: Json;
  /** How addresses begin whose webhook calls are in the history, if they come; absent: any. */
  readonly webhooksAt?: string;
  /** The requirements that the run was asked about; absent: all. */
  readonly selection?: RunSelection;
  /** Set where the calls are those of recorded clients; absent: scripts made all of them. */
  readonly capture?: Capture;
  /** Of a part of a history: calls of other parts that tell when the service lived. */
  readonly signs?: readonly CallEvent[];
}

/** A script begins. Scripts may overlap in time; those on different endpoints never touch. @public */
export interface ScriptEvent {
  readonly kind: 'script';
  readonly script: number;
  readonly scenario: string;
  readonly title: string;
  readonly endpoint: string;
  /** True when the endpoint was created or emptied for this script: no jobs, counters at zero, full rate allowance. */
  readonly fresh: boolean;
  /** How many workers the endpoint has (fixed in number, idle at the start); null when unknown. */
  readonly workers: number | null;
  /** Id of the second endpoint, where it wanted one: made for it, fresh and with as many workers, or one that is shared, too. */
  readonly secondEndpoint?: string;
  /** Where calls were recorded: some that concern its jobs may not be in the history. */
  readonly mayMissCalls?: true;
  /** In a part of a history: its calls tell what became of jobs, and are judged in another part. */
  readonly isOfOtherPart?: true;
  readonly atMs: number;
}

/** What a call shows for a key; `target/authorization.ts` makes the header of it. @public */
export type AuthKind =
  | 'bare'
  | 'bearer'
  /** Of a recorded call: others at the endpoint had a key, and were answered well. */
  | 'missing'
  | 'wrong'
  | 'wrong-bearer'
  | 'none-needed'
  /** The header is there and empty, or says `Bearer` alone. */
  | 'empty'
  | 'empty-bearer'
  /** The valid key without its last character, with one character more, and with its letters' case changed. */
  | 'truncated'
  | 'extended'
  /** The valid key without its first character, and with a word behind it. */
  | 'truncated-start'
  | 'followed'
  | 'other-case'
  /** The valid key after a scheme that the document does not know. */
  | 'other-scheme'
  /** The valid key after `bearer `, in lower case. */
  | 'lower-bearer'
  /** A key that the service gave out, without permission for the endpoint: bare and after `Bearer `. */
  | 'unpermitted'
  | 'unpermitted-bearer'
  /** The key of another user, who has permission for the endpoint: bare and after `Bearer `. */
  | 'other-user'
  | 'other-user-bearer'
  /** The valid key in the query parameter `api_key`, and no header. */
  | 'in-query';

/** A key other than the run's own. A step that uses it is skipped where the run does not have it. */
export type OtherKey = 'unpermitted' | 'other-user';

/**
 * The body of a request or a reply as the history keeps it: long strings in the short form of `long-text.ts`.
 *
 * @public
 */
export type Body =
  | { readonly as: 'none' }
  | { readonly as: 'json'; readonly value: Json; readonly bytes: number }
  /** Not JSON, or not parseable: the first 2,000 characters. */
  | { readonly as: 'text'; readonly text: string; readonly bytes: number };

/** The `script` of calls that the run makes itself, before its first script and after its last. */
export const RUN_ITSELF = -1;

/** One call of the API, with its request, its reply and the instants of both, ms. @public */
export interface CallEvent {
  readonly kind: 'call';
  /** Number of the call within the run, in order of sending. Events are appended in order of their end. */
  readonly call: number;
  /** -1: the run made it itself, before its first script or after its last. */
  readonly script: number;
  readonly lane: string;
  readonly endpoint: string;
  /** The operation; null for a request that is none of the document's operations. */
  readonly op: Operation | null;
  /** The scenario's label of the job, for readers; judgements use ids only. */
  readonly label: string | null;
  readonly request: {
    readonly method: string;
    /** Path without query, as sent: `/v2/<endpoint>/status/<id>`. */
    readonly path: string;
    readonly query: { readonly [name: string]: string };
    readonly auth: AuthKind;
    readonly contentType: string | null;
    readonly body: Body;
    /** Set when the request was made malformed or illegal on purpose: a word for people, e.g. `truncated-json`. */
    readonly illegal: string | null;
  };
  /**
   * Positions of the call's start and end in one sequence over all calls of the run: a call whose `endedTick`
   * is below another's `sentTick` ended before the other began, even where the clock stood still between
   * them. `endedTick` is null for a call that was neither answered nor given up.
   */
  readonly sentTick: number;
  readonly endedTick: number | null;
  /** Sent at this time or later. */
  readonly sentMs: number;
  /**
   * It had reached the target by then (from test control's `received`); null when only the reply shows that.
   */
  readonly arrivedByMs: number | null;
  /** The reply was complete by then; null when no reply came. */
  readonly receivedMs: number | null;
  readonly reply: {
    readonly status: number;
    readonly contentType: string | null;
    readonly headers: { readonly [name: string]: string };
    /** Absent: these are all of them. */
    readonly headersUnknown?: true;
    readonly body: Body;
  } | null;
  /** Why there is no reply: `timeout`, `reset`, `refused`, `aborted`; `hung-up`: the script broke the call off. */
  readonly lost: string | null;
  /** When the harness gave up waiting for the reply; set only with `lost`. */
  readonly gaveUpMs?: number;
  /** How late the harness itself ran while the call was in progress; absent: it did not. */
  readonly harnessLagMs?: number;
  /** Set where the last byte of the body was held back; absent: it was sent at once. */
  readonly held?: HeldBack;
  /**
   * Under a controlled clock: for how long, in real ms, the call was open before it was given up. For an
   * answered call: how long the clock stood still for it before it was advanced; absent where that was short.
   */
  readonly patienceMs?: number;
  /**
   * Beside `patienceMs`: how long, in real ms, the slowest call of the run had taken until then that
   * was answered at once. A busy machine makes all of them slow.
   */
  readonly slowestMs?: number;
  /**
   * A read that was given up without an answer, and was asked again at once on another connection: the next call of
   * the script with the same request. What that one meets is held against the target, this one may have been lost.
   */
  readonly askedAgain?: true;
}

/** One webhook call that reached the harness. @public */
export interface WebhookEvent {
  readonly kind: 'webhook';
  readonly script: number;
  /** The full address called, as given in the submission. */
  readonly url: string;
  readonly method: string;
  readonly contentType: string | null;
  readonly headers: { readonly [name: string]: string };
  readonly body: Body;
  readonly arrivedMs: number;
  /** Set when the time is not known exactly: it arrived after this and by `arrivedMs`. */
  readonly sinceMs?: number;
  /** When the harness had answered, or stopped waiting. */
  readonly endedMs: number;
  /** Status code answered by the harness; null when it closed the connection or did not answer. */
  readonly answered: number | null;
  /**
   * Set where the harness did not answer: the target gave up, or the harness closed the connection at the
   * end.
   */
  readonly silence?: 'given-up' | 'cut';
}

/** A call to the address of the harness that a submission named as its storage (section 2.3). @public */
export interface StorageEvent {
  readonly kind: 'storage';
  readonly script: number;
  /** The `endpointUrl` of the submission. */
  readonly url: string;
  readonly method: string;
  /** The path, below the harness's address. */
  readonly path: string;
  readonly arrivedMs: number;
}

/** The number of workers was changed through test control. @public */
export interface WorkersEvent {
  readonly kind: 'workers';
  readonly script: number;
  readonly endpoint: string;
  readonly workers: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** A period in which the harness itself was delayed: by `lostMs`, all pauses together. @public */
export interface HarnessLag {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lostMs: number;
}

/** The reason of scripts that were aborted because the target no longer answers. */
export const TARGET_GONE = 'the target does not answer any more';
/** Begins the reason of scripts that were not run, or given up, because their jobs wait in vain. */
export const STUCK = 'it waits in vain: ';
/** The reason of scripts that were not run because test control has failed repeatedly. */
export const CONTROL_FAILED = 'not tried, because test control has failed before';

/** A script ended. Later events of its jobs are not evidence of anything. @public */
export interface ScriptEndEvent {
  readonly kind: 'script-end';
  readonly script: number;
  readonly atMs: number;
  /** `played`: every step was run, or skipped as its conditions say. */
  readonly outcome: 'played' | 'aborted';
  readonly reason: string | null;
  /**
   * Ids of its jobs that may still exist: on an endpoint that continues to be used the harness now cancels
   * them. Absent: none.
   */
  readonly leaves?: readonly string[];
  /** The most that the harness itself ran late at one time during the script; absent: it did not. */
  readonly harnessLagMs?: number;
  /** When it did; absent in old histories, where it may have been at any time. */
  readonly harnessLags?: readonly HarnessLag[];
  /**
   * Where calls were recorded: until then the history has all calls of its webhooks. Time in which the service called other
   * webhooks, or was not known to live, is not counted. Absent: some may be missing.
   */
  readonly webhooksUntilMs?: number;
}

export type { CleanupEvent } from './cleanup.js';
export type { HeldBack } from './held-back.js';

/** One line of a history. @public */
export type HistoryEvent =
  | RunEvent
  | ScriptEvent
  | CallEvent
  | WebhookEvent
  | StorageEvent
  | WorkersEvent
  | ScriptEndEvent
  | CleanupEvent;
