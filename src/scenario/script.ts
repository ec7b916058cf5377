/**
 * `scenario/` promises what clients do, as data: an author writes a scenario, and a script is one drawn
 * instance of it, as JSON. It creates situations and never asserts anything.
 */
import type { Capability, JobStatus, Operation } from '../spec/types.js';
import type { AuthKind, Json, OtherKey } from '../history/events.js';

/**
 * A job by its label, or the n-th newest (0 = newest) job that the script runner last observed in one of the
 * states (`phase`).
 *
 * @public
 */
export type JobRef = string | { readonly nth: number; readonly phase?: readonly JobStatus[] };

/**
 * Milestones of a job that a time can refer to. The script runner knows each as an interval between
 * observations.
 *
 * @public
 */
export type Milestone = 'submitted' | 'started' | 'ended' | 'retried' | 'cancelled';

/**
 * When a step is run, besides "after the previous step of its lane". `side` is the end of the milestone's
 * interval that counts: `earliest` for probes that must precede a deadline, `latest` for probes that must
 * follow it. A step is skipped if its milestone was never observed.
 *
 * @public
 */
export type When =
  | { readonly waitMs: number }
  | { readonly sinceStartMs: number }
  | {
      readonly job: string;
      readonly milestone: Milestone;
      readonly side: 'earliest' | 'latest';
      readonly plusMs: number;
    };

/** Instructions of the scripted worker (contract `scripted-worker`, version 1). @public */
export type PlanStep =
  | { readonly sleepMs: number }
  | { readonly stream: Json }
  /** Not in version 1: a worker that does not know it fails the job. */
  | {
      readonly streamWithMetrics: {
        readonly output: Json;
        readonly metrics: { readonly [name: string]: number | string };
      };
    }
  | { readonly streamBytes: number }
  | { readonly return: Json }
  | { readonly returnBytes: number }
  | { readonly echo: true }
  | { readonly s3Config: true }
  | { readonly fail: string }
  | { readonly crash: true }
  | { readonly hang: true };

/** @internal */
interface StepBase {
  /**
   * A lane is a sequential client: its steps run one after the other, and lanes run concurrently. Default
   * `main`.
   */
  readonly lane?: string;
  readonly at?: When;
  /** Which key is sent and how; default: the run's own key, in the form that the target accepts. */
  readonly auth?: Exclude<AuthKind, 'none-needed' | `${OtherKey}-bearer`>;
  /**
   * Addresses another endpoint id, e.g. one that does not exist. `{second-endpoint}` stands for the script's second
   * endpoint; without one the step is skipped. `{endpoint}` within it is the script's own id.
   */
  readonly endpoint?: string;
}

/** The answers of the harness's webhook receiver, attempt by attempt; the last one repeats. @internal */
export type WebhookAnswer =
  | { readonly status: number }
  | { readonly close: true }
  /** Not answered for a while, or, with `untilGivenUp`, as long as the script lasts. */
  | { readonly never: true; readonly untilGivenUp?: true };

/** Submits a job by `/run` or `/runsync`. @public */
export interface SubmitStep extends StepBase {
  readonly do: 'run' | 'runsync';
  readonly job: string;
  /** The complete `input`; by default made of `plan` and `planOnRetry`. */
  readonly input?: Json;
  readonly plan?: readonly PlanStep[];
  readonly planOnRetry?: readonly PlanStep[];
  readonly policy?: Json;
  readonly s3Config?: Json;
  /**
   * Names the harness itself as the storage, which records the calls it gets. Its own members override those
   * of `s3Config`.
   */
  readonly ownStorage?: true;
  /** Requests webhooks, which the harness answers like this. */
  readonly webhook?: readonly WebhookAnswer[];
  /** Names the harness's address in `input.webhook` only: no webhook is requested. Needs `webhook`. */
  readonly webhookInInput?: true;
  /** Requests webhooks at the address of this earlier job's submission. */
  readonly webhookOf?: string;
  /** Appended to the webhook address, e.g. `?a=1&b=%20` or `/?a=1`. */
  readonly webhookQuery?: string;
  /** The literal value of `webhook`, instead of the harness's address. */
  readonly webhookUrl?: Json;
  /** `?wait=` of `/runsync`, as sent. */
  readonly wait?: number | string;
  /** Pads the JSON body to exactly this many bytes, with a string that the plan ignores. */
  readonly padToBytes?: number;
  /** The character to pad with, e.g. a multi-byte one; default `x`. */
  readonly padWith?: string;
  /** Pads with blanks after the JSON instead, so that `input` stays small. */
  readonly padOutside?: true;
  /** Sends the body in chunks (`transfer-encoding: chunked`), so that its length is not told before. Over HTTP only. */
  readonly chunked?: true;
  /** Further members of the body. */
  readonly extra?: { readonly [key: string]: Json };
  /** Why the submission is invalid on purpose, as a label for readers. */
  readonly illegal?: string;
}

/** Calls an operation on one job. @public */
export interface JobStep extends StepBase {
  readonly do: 'status' | 'stream' | 'cancel' | 'retry';
  readonly job: JobRef;
  /** `?ttl=` of `/status`, as sent. */
  readonly ttl?: number | string;
}

/** Calls an operation on the endpoint. @public */
export interface EndpointStep extends StepBase {
  readonly do: 'purge-queue' | 'health' | 'requests';
}

/** Calls a path below `/openai`. @public */
export interface OpenaiStep extends StepBase {
  readonly do: 'openai';
  /** Below `/openai/`, e.g. `v1/chat/completions`. */
  readonly path: string;
  readonly body: Json;
}

/** Any request: malformed bodies, unknown jobs, wrong methods and paths. @public */
export interface RawStep extends StepBase {
  readonly do: 'raw';
  readonly method: string;
  /**
   * Appended to `/v2/<endpoint_id>`. `{job:LABEL}` is replaced by that job's id, `{job:LABEL}{cut}` by the id
   * without its last character.
   */
  readonly path: string;
  /** Appends the path to the service's base address; `{endpoint}` in it is replaced by the endpoint's id. */
  readonly fromRoot?: true;
  readonly query?: { readonly [name: string]: string };
  readonly contentType?: string | null;
  /** Sent unchanged, but `{input}` becomes an input that the worker accepts, as JSON. */
  readonly bodyText?: string;
  /** Why the request is invalid, as a label for readers. */
  readonly illegal: string;
}

/**
 * Polls `/status` until the job is observed in one of the states (or gone, with `GONE`), or the time is up.
 *
 * @public
 */
export interface AwaitStep extends StepBase {
  readonly do: 'await';
  readonly job: string;
  readonly until: readonly (JobStatus | 'GONE')[];
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** Makes the same call many times at once, for rate and concurrency limits. @public */
export interface BurstStep extends StepBase {
  readonly do: 'burst';
  readonly op: Operation;
  readonly count: number;
  /** The job addressed where the operation needs one; default: an id that never existed. */
  readonly job?: JobRef;
  /** Instead of `job`: a job for each call, in turn. */
  readonly jobs?: readonly string[];
  /** For `run` and `runsync`. */
  readonly plan?: readonly PlanStep[];
  readonly policy?: Json;
  readonly wait?: number;
  /** For `openai`: below `/openai/`. */
  readonly path?: string;
  /**
   * Holds back the last byte of each body until all the others were sent, so that all calls are in progress
   * at once. Operations without a body are sent an unneeded one. Targets in this process send complete calls.
   */
  readonly held?: true;
  /**
   * The client breaks off the calls that are unanswered when all of them have arrived. For `runsync` under test control
   * and on the simulator; in real time and on request handlers all of them are waited for.
   */
  readonly hangsUp?: true;
}

/** Changes the number of workers; only under test control or in the simulator. @public */
export interface WorkersStep extends StepBase {
  readonly do: 'workers';
  readonly count: number;
}

/** Lets time pass. @public */
export interface PauseStep extends StepBase {
  readonly do: 'pause';
}

/** One step of a script. @public */
export type Step =
  | SubmitStep
  | JobStep
  | EndpointStep
  | OpenaiStep
  | RawStep
  | AwaitStep
  | BurstStep
  | WorkersStep
  | PauseStep;

/**
 * One scenario with fixed parameters: the steps of a run as plain JSON, which can be saved and replayed.
 *
 * @public
 */
export interface Script {
  readonly schema: 'runproof-script/1';
  /** Name of the scenario: its file's path below `scenarios/`, without extension. */
  readonly scenario: string;
  readonly title: string;
  /** The seed it was drawn with, for information only: the script itself is what is replayed. */
  readonly seed: number;
  readonly needs: readonly Capability[];
  /** Workers of the script's endpoint. */
  readonly workers: number;
  /** Nothing else may happen on the endpoint meanwhile (purges, counts, rate limits). */
  readonly exclusive: boolean;
  /** Needs a second, fresh endpoint with as many workers (see `endpoint` of a step); needs `test-control`. */
  readonly secondEndpoint?: true;
  /** The longest expected duration, in ms of the target's clock. */
  readonly expectedMs: number;
  readonly steps: readonly Step[];
}

/** A target's limits; scenarios draw their parameters within them. @public */
export interface Limits {
  /** The tolerated lateness of the target's timers. */
  readonly graceMs: number;
  /** Safe distance of a probe from a deadline: the tolerated lateness plus the network's latency. */
  readonly marginMs: number;
  /** The longest single wait of the profile. Seven days and more in virtual or controlled time. */
  readonly maxWaitMs: number;
  /**
   * Where the length of a wait is free, it is capped near this value; a scenario's minimum is never cut. In
   * real time a long job keeps a worker from other scripts. Default: `maxWaitMs`.
   */
  readonly preferredWaitMaxMs?: number;
  /** The most workers an endpoint may have; scenarios never need more. */
  readonly maxWorkers: number;
}
