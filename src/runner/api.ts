/**
 * `runner/` promises to run scripts: a `Player` is one script as a state machine without I/O, and a driver
 * carries its calls to a target and its history to a sink. It never judges.
 *
 * The runner knows no promises and no clock: a synchronous driver drives it over the simulator, an
 * asynchronous one over HTTP, in real or in controlled time.
 */
import type { AuthKind, CallEvent, OtherKey } from '../history/events.js';
import type { Operation } from '../spec/types.js';
import type { WebhookAnswer } from '../scenario/script.js';

/** One HTTP request, ready to be carried. */
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
  readonly illegal: string | null;
  /** True for `/runsync`: the reply may only come when time has passed, so nobody waits for it before advancing. */
  readonly mayWait: boolean;
  /** Its last byte is to be held back together with those of others; absent: it is sent as a whole. */
  readonly held?: HeldTogether;
}

/** Calls that are sent side by side, each but for the last byte of its body. */
export interface HeldTogether {
  /** Number of the first of them, and how many they are; their numbers follow one another. */
  readonly first: number;
  readonly count: number;
  /** So many last bytes are sent at a time, so that few of the calls are whole and unanswered at once. */
  readonly atATime: number;
}

export type RunnerAction =
  | { readonly kind: 'call'; readonly call: OutgoingCall }
  /** Set the number of workers through test control; report with `workersChanged`. */
  | { readonly kind: 'workers'; readonly lane: string; readonly count: number }
  /** Expect webhook calls at this address (already put into the submission) and answer them so. */
  | { readonly kind: 'expect-webhook'; readonly token: string; readonly answers: readonly WebhookAnswer[] }
  /** Write down each call at this address, which the submission names as its storage. */
  | { readonly kind: 'expect-storage'; readonly token: string };

export interface ScriptRunnerContext {
  /** The endpoint id that the script uses. */
  readonly endpoint: string;
  readonly startMs: number;
  /** How the target accepts the key. */
  readonly auth: 'bare' | 'bearer';
  /** The keys that the run has beside its own. Default: none. */
  readonly otherKeys?: readonly OtherKey[];
  /** Address for webhooks, or of a storage, of this token. */
  webhookUrl(token: string): string;
  /** The second endpoint, where the script wants one and the target could make it. */
  readonly secondEndpoint?: string;
  /** Input to use for jobs whose worker is not scripted; null where the worker follows plans. */
  readonly sampleInput: unknown;
}

/** What came of a call, as far as the history keeps it. */
export interface CallOutcome {
  readonly sentMs: number;
  readonly arrivedByMs: number | null;
  readonly receivedMs: number | null;
  readonly reply: CallEvent['reply'];
  readonly lost: string | null;
  /** It was given up, and no other call like it will be answered: nobody has to ask again. */
  readonly inVain?: boolean;
}

/** One script being played. `createPlayer(script, context)` in `runner.ts` makes one. */
export interface ScriptRunner {
  /** What has to be done at this instant, in order. Each action is handed out once. */
  due(nowMs: number): readonly RunnerAction[];
  /** When `due` wants to be asked again if no reply comes first; null when only replies can move it on. */
  nextWakeMs(): number | null;
  /** A call whose reply is still outstanding is known to have reached the target by then. */
  arrived(call: number, byMs: number): void;
  replied(call: number, outcome: CallOutcome): void;
  workersChanged(lane: string, nowMs: number): void;
  /** Every lane has come to its end and no call is open. */
  readonly done: boolean;
  /** Ids of the jobs it created that may still be alive, for the sweep. */
  openJobs(): readonly string[];
}
