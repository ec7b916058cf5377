/**
 * `core/` promises the endpoint of the document as a pure state machine: `apply(nowMs, input)` settles what
 * is due, then answers. It has no clock of its own, no I/O, no promise and no randomness.
 */
import type { Json } from '../history/events.js';
import type { EndpointSnapshot } from './snapshot.js';
import type { WorkerSettings } from './scaling-settings.js';

/** One HTTP request as it reaches the service. Header names are lower case. */
export interface CoreRequest {
  readonly method: string;
  /** Path without the query, percent-decoded by nobody yet. */
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly headers: { readonly [name: string]: string | undefined };
  /** The body as text; null when there is none. */
  readonly body: string | null;
  /** Size of the body in bytes as sent. */
  readonly bodyBytes: number;
}

export interface CoreReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json | null;
}

/** What a worker reports about the attempt it was assigned. Reports on attempts that are over change nothing. */
export type WorkerReport =
  /** `metrics`: what the worker says about this result (section 2.5). */
  | { readonly kind: 'stream'; readonly output: Json; readonly metrics?: Json }
  | { readonly kind: 'progress'; readonly output: Json }
  | { readonly kind: 'success'; readonly output: Json }
  | { readonly kind: 'error'; readonly message: string; readonly output?: Json }
  | { readonly kind: 'crash' }
  /** The worker never learnt of it: the job waits again, as if it had not been given. */
  | { readonly kind: 'not-delivered' };

/**
 * What a worker from outside does besides reporting. Each of these, and nothing else, is a sign of its life; of its
 * jobs only `worker-seen` is one.
 */
export type WorkerCall =
  /**
   * It asks for up to so many jobs, until it withdraws. The `start` effects of one `apply` are the answer; then the
   * ask is over. Asking anew replaces an earlier ask.
   */
  | { readonly kind: 'worker-asks'; readonly jobs: number }
  | { readonly kind: 'worker-withdraws' }
  /** It has called, e.g. to report. Where it names the jobs it holds, it is a sign of life of these alone, else of all. */
  | { readonly kind: 'worker-seen'; readonly jobs: readonly string[] | null }
  /** It stops, and loses what it holds. */
  | { readonly kind: 'worker-leaves' };

export type CoreInput =
  | { readonly kind: 'settle' }
  /** A service that was restored goes to work: once, before anything else but `settle`. */
  | { readonly kind: 'resume' }
  /**
   * The header fields of a request have arrived, its body has not: `body` is null. A `request` with the same `callId`
   * follows when it has, or a `hang-up`. Who reads bodies before he says anything leaves this out.
   */
  | { readonly kind: 'arrival'; readonly callId: number; readonly request: CoreRequest }
  | { readonly kind: 'request'; readonly callId: number; readonly request: CoreRequest }
  /** The client of a call that waits, or whose body was on its way, went away. */
  | { readonly kind: 'hang-up'; readonly callId: number }
  /** Whoever waits is answered now, as at the end of his `wait`: the service is about to stop. */
  | { readonly kind: 'answer-all' }
  | { readonly kind: 'worker'; readonly attempt: number; readonly report: WorkerReport }
  /** A webhook call has ended: with this status, or null when there was no answer. */
  | { readonly kind: 'webhook-ended'; readonly delivery: number; readonly status: number | null }
  | ({ readonly kind: 'create-endpoint'; readonly endpoint: string } & WorkerSettings)
  | { readonly kind: 'set-workers'; readonly endpoint: string; readonly workers: number }
  | { readonly kind: 'delete-endpoint'; readonly endpoint: string }
  /** A worker from outside, by its own name. It need not be announced; endpoints that do not exist ignore it. */
  | ({ readonly endpoint: string; readonly worker: string } & WorkerCall);

/** What the world outside has to do. Effects are in the order in which they happened. */
export type Effect =
  /** Answer a call that had to wait (`/runsync`). */
  | { readonly kind: 'reply'; readonly callId: number; readonly reply: CoreReply }
  /** Start the handler. `attempt` is unique over the service's life and names this run in reports. */
  | {
      readonly kind: 'start';
      readonly attempt: number;
      readonly endpoint: string;
      readonly worker: string;
      /** The worker came from outside, and has asked: this is its answer. */
      readonly external: boolean;
      readonly job: string;
      /** How long it has stood in the queue. */
      readonly queuedForMs: number;
      readonly input: Json;
      readonly s3Config: Json | null;
      /** A worker of this endpoint has run this job's id before. */
      readonly ranBefore: boolean;
    }
  /** Stop the handler: cancelled, deleted, timed out. The worker counts as free already. */
  | { readonly kind: 'stop'; readonly attempt: number }
  /** Call the webhook; report the end by `webhook-ended`. */
  | {
      readonly kind: 'webhook';
      readonly delivery: number;
      readonly url: string;
      readonly body: Json;
      /** 1, 2 or 3. */
      readonly attempt: number;
      /** `POST`, unless a dialect says otherwise. */
      readonly method: string;
      /** Lower-case names; the content type among them. */
      readonly headers: { readonly [name: string]: string };
    }
  /** Drop a webhook call that is under way or due: its endpoint is gone. */
  | { readonly kind: 'drop-webhook'; readonly delivery: number }
  /** An external worker's ask is over without a job: its endpoint is gone. */
  | { readonly kind: 'ask-ended'; readonly endpoint: string; readonly worker: string };

export interface CoreOutput {
  /** Null when the call waits, or the input was no request. */
  readonly reply: CoreReply | null;
  readonly effects: readonly Effect[];
}

/** The service as its surroundings see it; `createService` in `service.ts` makes one. */
export interface Service {
  /** Settles what is due up to `nowMs`, then handles the input. `nowMs` never goes back. */
  apply(nowMs: number, input: CoreInput): CoreOutput;
  /** The earliest instant at which something happens by itself, or null. It may be early, never late. */
  nextDeadlineMs(): number | null;
  /**
   * The attempt of this job that this external worker has under way, as of the last `apply`. Null when there is none:
   * the job is unknown, of another endpoint or worker, over, cancelled or deleted. Its reports go by the attempt.
   */
  attemptOf(endpoint: string, worker: string, job: string): number | null;
  /**
   * How many bytes of its body may be worth reading, of a call that has arrived, as of the last `apply`: `request` is
   * its header fields with the size that they tell, 0 where they tell none. Null when it is refused whatever its body
   * says: its `request` may follow at once. Nothing is changed by asking.
   */
  bodyWanted(callId: number, request: CoreRequest): number | null;
  /** The endpoints as of the last `apply`, in the order they were made in; nothing is changed by looking. */
  snapshot(jobsMax: number): readonly EndpointSnapshot[];
}
