/**
 * `core/` promises the service of the document as a pure state machine: `apply(nowMs, input)` first fires the
 * timers that are due, then handles the input. It has no clock, no I/O, no promises and no randomness.
 */
import type { Json } from '../history/events.js';
import type { Submission } from './entities.js';
import type { JobDetail } from './job-detail.js';
import type { EndpointSnapshot } from './saved/snapshot.js';
import type { UpcomingEvent } from './upcoming.js';
import type { WorkerSettings } from './workers/scaling-settings.js';

/** One HTTP request as it reaches the service. Header names are lower case. */
export interface CoreRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  /** Query parameters, decoded. */
  readonly query: { readonly [name: string]: string };
  readonly headers: { readonly [name: string]: string | undefined };
  /** The body as text; null without a body. */
  readonly body: string | null;
  /** The value of the body, where the sender has it: then the text, JSON without duplicate names, is not parsed. */
  readonly bodyValue?: Json;
  /** Size of the body in bytes as sent. */
  readonly bodyBytes: number;
}

export interface CoreReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json | null;
}

/**
 * What a worker reports about an attempt (one run of a job). Reports about attempts that are over change
 * nothing.
 */
export type WorkerReport =
  /** An incremental result; `metrics` is what the worker says about it (section 2.5). */
  | { readonly kind: 'stream'; readonly output: Json; readonly metrics?: Json }
  | { readonly kind: 'progress'; readonly output: Json }
  | { readonly kind: 'success'; readonly output: Json }
  | { readonly kind: 'error'; readonly message: string; readonly output?: Json }
  | { readonly kind: 'crash' }
  /** The job never reached the worker: it goes back to the queue as if it had not been started. */
  | { readonly kind: 'not-delivered' };

/**
 * What an external worker does besides reporting. Each of these calls is a heartbeat of the worker; only
 * `worker-heartbeat` is also a heartbeat of jobs.
 */
export type WorkerCall =
  /**
   * It asks for up to `jobs` jobs. The request stays open until some are given, as `start` effects of one
   * `apply`, or until the worker withdraws it. A new request replaces an earlier one.
   */
  | { readonly kind: 'worker-requests-jobs'; readonly jobs: number }
  | { readonly kind: 'worker-withdraws-request' }
  /** A heartbeat of the jobs that it names; of all its jobs when `jobs` is null. */
  | { readonly kind: 'worker-heartbeat'; readonly jobs: readonly string[] | null }
  /** It stops; the jobs that it holds are lost. */
  | { readonly kind: 'worker-leaves' };

export type CoreInput =
  /** Fires the timers that are due, and nothing else. */
  | { readonly kind: 'settle' }
  /** A restored service starts to work: exactly once, and before any other input than `settle`. */
  | { readonly kind: 'resume' }
  /**
   * The header fields of a request have arrived, but not its body: `body` is null. A `request` or a `hang-up`
   * with the same `callId` follows. A caller that reads whole requests leaves this out.
   */
  | { readonly kind: 'arrival'; readonly callId: number; readonly request: CoreRequest }
  | { readonly kind: 'request'; readonly callId: number; readonly request: CoreRequest }
  /**
   * A `/run` as a value instead of a request, for simulations that do not need HTTP: no key, size, rate or field
   * is checked. The reply is that of `/run`. Calls to endpoints that do not exist are ignored.
   */
  | { readonly kind: 'submit'; readonly endpoint: string; readonly submission: Submission }
  /** The client has disconnected while its call waited, or before its body was complete. */
  | { readonly kind: 'hang-up'; readonly callId: number }
  /** All waiting calls are answered now, as at the end of their `wait`: the service is about to stop. */
  | { readonly kind: 'answer-all' }
  | { readonly kind: 'worker'; readonly attempt: number; readonly report: WorkerReport }
  /** A webhook call has ended; `status` is null when there was no answer. */
  | { readonly kind: 'webhook-ended'; readonly delivery: number; readonly status: number | null }
  | ({ readonly kind: 'create-endpoint'; readonly endpoint: string } & WorkerSettings)
  | { readonly kind: 'set-workers'; readonly endpoint: string; readonly workers: number }
  | { readonly kind: 'delete-endpoint'; readonly endpoint: string }
  /**
   * A call of an external worker, which chooses its own name. Calls to endpoints that do not exist are
   * ignored.
   */
  | ({ readonly endpoint: string; readonly worker: string } & WorkerCall);

/** What the caller of `apply` has to do, in this order. */
export type Effect =
  /** Answer a call that waited (`/runsync`). */
  | { readonly kind: 'reply'; readonly callId: number; readonly reply: CoreReply }
  /** Start the handler. `attempt` is unique within the service and names this run in reports. */
  | {
      readonly kind: 'start';
      readonly attempt: number;
      readonly endpoint: string;
      readonly worker: string;
      /** True for an external worker: this answers its request for jobs. */
      readonly external: boolean;
      readonly job: string;
      /** How long the job waited in the queue. */
      readonly queuedForMs: number;
      readonly input: Json;
      readonly s3Config: Json | null;
      /** Whether a worker of this endpoint has run the job before. */
      readonly ranBefore: boolean;
    }
  /** Stop the handler: the job was cancelled, deleted or timed out. The worker already counts as free. */
  | { readonly kind: 'stop'; readonly attempt: number }
  /** Call the webhook, and pass `webhook-ended` to `apply` when the call has ended. */
  | {
      readonly kind: 'webhook';
      readonly delivery: number;
      /** The job's id. */
      readonly job: string;
      readonly url: string;
      readonly body: Json;
      /** 1, 2 or 3. */
      readonly attempt: number;
      /** `POST` in the default dialect. */
      readonly method: string;
      /** Names in lower case; includes the content type. */
      readonly headers: { readonly [name: string]: string };
    }
  /** Drop a webhook call that is in flight or due: its endpoint was deleted. */
  | { readonly kind: 'drop-webhook'; readonly delivery: number }
  /** The request of an external worker for jobs ends without one: the endpoint was deleted. */
  | { readonly kind: 'job-request-ended'; readonly endpoint: string; readonly worker: string };

/** What a call of a webhook sends. */
export type WebhookRequest = Pick<
  Extract<Effect, { readonly kind: 'webhook' }>,
  'job' | 'url' | 'method' | 'headers' | 'body'
>;

export interface CoreOutput {
  /** Null when the call waits, or when the input was not a request. */
  readonly reply: CoreReply | null;
  readonly effects: readonly Effect[];
}

/** The service as its callers see it; made by `createService` in `service.ts`. */
export interface Service {
  /**
   * Fires the timers that are due up to `nowMs`, each at its own instant, then handles the input.
   * @param nowMs integer milliseconds, never less than in the call before
   * @throws {RangeError} when `nowMs` goes back
   */
  apply(nowMs: number, input: CoreInput): CoreOutput;
  /** The earliest instant at which a timer fires; null without timers. */
  nextDeadlineMs(): number | null;
  /**
   * The attempt of this job that this external worker is running, as of the last `apply`. Null when there is
   * none: the job is unknown, belongs to another endpoint or worker, or has ended. Reports name the attempt.
   */
  attemptOf(endpoint: string, worker: string, job: string): number | null;
  /**
   * How many bytes of the body of a call to read, judged by its header fields, as of the last `apply`. Null
   * when the call is refused whatever its body holds; its `request` may then follow at once. Changes nothing.
   * @param request the header fields, with `bodyBytes` as announced by them; 0 when they announce no size
   */
  bodyWanted(callId: number, request: CoreRequest): number | null;
  /**
   * The endpoints as of the last `apply`, in order of creation, with up to `jobsMax` jobs of each kind.
   * Changes nothing.
   */
  snapshot(jobsMax: number): readonly EndpointSnapshot[];
  /** Everything known of a job as of the last `apply`; null when there is no such job. Changes nothing. */
  job(endpoint: string, id: string): JobDetail | null;
  /**
   * What a call of the webhook of an ended job sends, as of the last `apply`; null when there is no such job, it has
   * not ended, or it has no webhook. Changes nothing.
   */
  webhook(endpoint: string, id: string): WebhookRequest | null;
  /** When the next attempt of a webhook is made, as of the last `apply`; null: there is none. Changes nothing. */
  webhookAgainAtMs(delivery: number): number | null;
  /** The timers that fire next, in order, at most `max`. Changes nothing. */
  upcoming(max: number): readonly UpcomingEvent[];
}
