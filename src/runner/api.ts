/**
 * `runner/` promises to run one script as a state machine: a `ScriptRunner` says which calls are due and is told what
 * came of them. It has no I/O, no promises and no clock, so that a synchronous driver can run it on the simulator and an
 * asynchronous one over HTTP, in real or in controlled time. It never judges.
 */
import type { AuthKind, Body, CallEvent, Json, OtherKey } from '../history/events.js';
import type { Operation } from '../spec/types.js';
import type { WebhookAnswer } from '../scenario/script.js';

/** One HTTP request, ready to be sent. @internal */
export interface OutgoingCall {
  /** Unique within the runner, in order of sending. */
  readonly call: number;
  readonly lane: string;
  readonly op: Operation | null;
  readonly label: string | null;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly auth: AuthKind;
  readonly contentType: string | null;
  readonly bodyText: string | null;
  /** The body as the history keeps it, where that is known without parsing it. */
  readonly keptBody?: Body;
  /** The value of the body, likewise. */
  readonly bodyValue?: Json;
  readonly illegal: string | null;
  /** True for `/runsync`: the reply may need time to pass, so a controlled clock moves before it arrives. */
  readonly mayWait: boolean;
  /** Its last byte is held back together with those of other calls; absent: it is sent completely. */
  readonly held?: HeldTogether;
  /** Broken off once all calls sent together have arrived; absent: its reply is waited for. */
  readonly hangsUp?: true;
  /** Its body is sent in chunks, without its length. */
  readonly chunked?: true;
}

/** Calls that are sent concurrently, each except for the last byte of its body. */
export interface HeldTogether {
  /** Number of the first call, and how many calls there are; their numbers are consecutive. */
  readonly first: number;
  readonly count: number;
  /** How many last bytes are sent at a time, so that few calls are complete and unanswered at once. */
  readonly atATime: number;
}

export type RunnerAction =
  | { readonly kind: 'call'; readonly call: OutgoingCall }
  /** Set the number of workers, then call `workersChanged`. */
  | { readonly kind: 'workers'; readonly lane: string; readonly count: number }
  /** Answer webhook calls at this address, which the submission names, in this way. */
  | { readonly kind: 'expect-webhook'; readonly token: string; readonly answers: readonly WebhookAnswer[] }
  /** Record each call at this address, which the submission names as its storage. */
  | { readonly kind: 'expect-storage'; readonly token: string };

export interface ScriptRunnerContext {
  /** The endpoint id that the script uses. */
  readonly endpoint: string;
  readonly startMs: number;
  /** How the target accepts the key. */
  readonly auth: 'bare' | 'bearer';
  /** The keys that the run has besides its main one. Default: none. */
  readonly otherKeys?: readonly OtherKey[];
  /** The address for webhooks, or of a storage, with this token. */
  webhookUrl(token: string): string;
  /** The second endpoint, where the script uses one and the target has it. */
  readonly secondEndpoint?: string;
  /** Input for jobs whose worker is not scripted; null where the worker follows plans. */
  readonly sampleInput: unknown;
  /** How many calls the script is planned to make; beyond them it polls more and more slowly. Default: no limit. */
  readonly callsPlanned?: number;
}

/** The outcome of a call, as the history records it. */
export interface CallOutcome extends Pick<
  CallEvent,
  'sentMs' | 'arrivedByMs' | 'receivedMs' | 'reply' | 'lost'
> {
  /** It was given up, and no similar call will be answered: polling stops. */
  readonly inVain?: boolean;
}

/** One script being run. `createScriptRunner` in `script-runner.ts` makes one. */
export interface ScriptRunner {
  /** What has to be done at this instant, in order. Each action is returned once. */
  due(nowMs: number): readonly RunnerAction[];
  /** When to call `due` again if no reply comes before; null when only a reply can move the script on. */
  nextWakeMs(): number | null;
  /** A call without a reply so far is known to have reached the target by then. */
  arrived(call: number, byMs: number): void;
  replied(call: number, outcome: CallOutcome): void;
  workersChanged(lane: string, nowMs: number): void;
  /** Every lane has ended and no call is open. */
  readonly done: boolean;
  /** Ids of the script's jobs that may still be alive and have to be cancelled. */
  openJobs(): readonly string[];
}
