/**
 * `scenario/` promises what clients do, as data: a scenario is what a person writes, a script is one
 * drawn instance of it, as JSON. It brings about situations and never asserts anything.
 */
import type { Capability, JobStatus } from '../spec/types.js';
import type { AuthKind, Json, OtherKey } from '../history/events.js';

/** A job by its label, or the n-th newest (0 = newest) job that the player last saw in one of the phases. */
export type JobRef = string | { readonly nth: number; readonly phase?: readonly JobStatus[] };

/** Milestones of a job that a time can refer to. The player knows each as an interval of observations. */
export type Milestone = 'submitted' | 'started' | 'ended' | 'retried' | 'cancelled';

/**
 * When a step is played, besides "after the step before it in its lane".
 * `side` says which end of the milestone's interval counts: `earliest` for probes that must come
 * before a deadline, `latest` for probes that must come after it.
 * A milestone that was never seen makes the step skip.
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

/** Instructions of the scripted worker (contract `scripted-worker`, version 1). */
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

interface StepBase {
  /** Steps of one lane run one after the other, lanes run side by side. Default `main`. */
  readonly lane?: string;
  readonly at?: When;
  /** Which key is shown and how; default: the run's own, and, as those beside it, in the form that the target accepts. */
  readonly auth?: Exclude<AuthKind, 'none-needed' | `${OtherKey}-bearer`>;
  /**
   * Address another endpoint id than the script's own, e.g. one that does not exist. `{neighbour}` stands for
   * the endpoint next to the script's own; without one the step is skipped. `{endpoint}` within it is the script's own id.
   */
  readonly endpoint?: string;
}

/** How the harness's webhook receiver answers, attempt by attempt; the last answer repeats. */
export type WebhookAnswer =
  | { readonly status: number }
  | { readonly close: true }
  /** Held open for a while, or, `untilGivenUp`, for as long as the script lasts. */
  | { readonly never: true; readonly untilGivenUp?: true };

export interface SubmitStep extends StepBase {
  readonly do: 'run' | 'runsync';
  readonly job: string;
  /** Whole `input`; when absent it is made of `plan` and `planOnRetry`. */
  readonly input?: Json;
  readonly plan?: readonly PlanStep[];
  readonly planOnRetry?: readonly PlanStep[];
  readonly policy?: Json;
  readonly s3Config?: Json;
  /** Name the harness itself as the storage: it writes down who calls there. Members of `s3Config` go before its own. */
  readonly ownStorage?: true;
  /** Ask for webhooks, answered so. */
  readonly webhook?: readonly WebhookAnswer[];
  /** Ask for webhooks at the address that the submission of this job named, earlier in the script. */
  readonly webhookOf?: string;
  /** Append this to the address for webhooks, e.g. `?a=1&b=%20` or `/?a=1`. */
  readonly webhookQuery?: string;
  /** Put this in `webhook` literally instead. */
  readonly webhookUrl?: Json;
  /** `?wait=` of `/runsync`, as sent. */
  readonly wait?: number | string;
  /** Pad the JSON body with an ignored-by-plan string so that it has exactly this many bytes. */
  readonly padToBytes?: number;
  /** The character to pad with, e.g. one of several bytes; default `x`. */
  readonly padWith?: string;
  /** Pad with blanks behind the JSON instead, so that `input` stays small. */
  readonly padOutside?: true;
  /** Further members of the body, next to those above. */
  readonly extra?: { readonly [key: string]: Json };
  /** A word for people when the submission is illegal on purpose. */
  readonly illegal?: string;
}

export interface JobStep extends StepBase {
  readonly do: 'status' | 'stream' | 'cancel' | 'retry';
  readonly job: JobRef;
  /** `?ttl=` of `/status`, as sent. */
  readonly ttl?: number | string;
}

export interface EndpointStep extends StepBase {
  readonly do: 'purge-queue' | 'health' | 'requests';
}

export interface OpenaiStep extends StepBase {
  readonly do: 'openai';
  /** Below `/openai/`, e.g. `v1/chat/completions`. */
  readonly path: string;
  readonly body: Json;
}

/** Any request at all: malformed bodies, unknown jobs, wrong methods and paths. */
export interface RawStep extends StepBase {
  readonly do: 'raw';
  readonly method: string;
  /** Appended to `/v2/<endpoint_id>`. `{job:LABEL}` is replaced by that job's id, `{job:LABEL}{cut}` by all but its last character. */
  readonly path: string;
  /** Append the path to the service's address itself; `{endpoint}` in it is replaced by the endpoint's id. */
  readonly fromRoot?: true;
  readonly query?: { readonly [name: string]: string };
  readonly contentType?: string | null;
  /** Sent as it stands. */
  readonly bodyText?: string;
  /** Why this request is illegal, a word for people. */
  readonly illegal: string;
}

/** Poll `/status` until the job is seen in one of the states (or gone, with `GONE`), or the time is up. */
export interface AwaitStep extends StepBase {
  readonly do: 'await';
  readonly job: string;
  readonly until: readonly (JobStatus | 'GONE')[];
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** The same call many times at once (bounded), for rate and concurrency limits. */
export interface BurstStep extends StepBase {
  readonly do: 'burst';
  readonly op:
    | 'run'
    | 'runsync'
    | 'status'
    | 'stream'
    | 'cancel'
    | 'retry'
    | 'purge-queue'
    | 'health'
    | 'requests'
    | 'openai';
  readonly count: number;
  /** The job addressed where the operation wants one; default: a job id that never existed. */
  readonly job?: JobRef;
  /** In its place, a job for each call, by turns. */
  readonly jobs?: readonly string[];
  /** For `run` and `runsync`. */
  readonly plan?: readonly PlanStep[];
  readonly policy?: Json;
  readonly wait?: number;
  /** For `openai`: below `/openai/`. */
  readonly path?: string;
  /**
   * Hold the last byte of each body back until all the others are on their way, so that all calls are under way at
   * once. Where the operation takes no body one is sent that nobody needs. Targets in this process send whole calls.
   */
  readonly held?: true;
}

/** Change the number of workers; only under test control or in the simulator. */
export interface WorkersStep extends StepBase {
  readonly do: 'workers';
  readonly count: number;
}

/** Let time pass. */
export interface PauseStep extends StepBase {
  readonly do: 'pause';
}

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

export interface Script {
  readonly schema: 'runproof-script/1';
  /** Name of the scenario, which is its file's path below `scenarios/` without the ending. */
  readonly scenario: string;
  readonly title: string;
  /** Where it came from, for provenance only: the script itself is what replays. */
  readonly seed: number;
  readonly needs: readonly Capability[];
  /** Workers wanted on the script's endpoint. */
  readonly workers: number;
  /** Nothing else may happen on the endpoint meanwhile (purge, counts, rate limits). */
  readonly exclusive: boolean;
  /** A second fresh endpoint with as many workers is wanted (see `endpoint` of a step); needs `test-control`. */
  readonly neighbour?: true;
  /** The longest it is expected to take, in ms of the target's clock. */
  readonly expectedMs: number;
  readonly steps: readonly Step[];
}

/** What a target can bear; scenarios draw their parameters within. */
export interface Limits {
  /** Ceiling for the lateness of the target's timers. */
  readonly graceMs: number;
  /** Safe distance of a probe from a deadline: grace plus what the network may take. */
  readonly marginMs: number;
  /** The longest single wait that fits the profile. Seven days and more in virtual or controlled time. */
  readonly maxWaitMs: number;
  /**
   * Where any wait would do, none far above this is drawn; the least that a scenario needs is never cut. In real time
   * every wait of a running job keeps a worker from the other scripts. Default: `maxWaitMs`.
   */
  readonly preferredWaitMaxMs?: number;
  /** Workers an endpoint may have; scenarios never ask for more. */
  readonly maxWorkers: number;
}
