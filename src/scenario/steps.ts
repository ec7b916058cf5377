/** Builders of steps, which scenarios are written with: each makes one step of a script, as plain data. */
import { ENDED_STATUSES } from '../spec/states.js';
import type { Json } from '../history/events.js';
import { EXECUTION_TIMEOUT_MAX_MS, TTL_MAX_MS } from '../spec/limits.js';
import type { JobStatus } from '../spec/types.js';
import type {
  AwaitStep,
  BurstStep,
  EndpointStep,
  JobRef,
  JobStep,
  Milestone,
  OpenaiStep,
  PauseStep,
  PlanStep,
  RawStep,
  Step,
  SubmitStep,
  When,
  WorkersStep,
} from './script.js';
import { SECOND_ENDPOINT } from './second-endpoint.js';

/** Steps as a scenario lists them, possibly nested. @public */
export type StepTree = Step | readonly StepTree[];

/** Options that every step takes. @internal */
type Common = Pick<Step, 'lane' | 'at' | 'auth' | 'endpoint'>;
/** Options of a step that submits a job. @internal */
export type SubmitOptions = Omit<SubmitStep, 'do' | 'job'>;
/** Options of a step that calls an operation on a job. @internal */
export type JobOptions = Omit<JobStep, 'do' | 'job'>;
/** Options of a step that sends any other request. @internal */
export type RawOptions = Omit<RawStep, 'do' | 'method' | 'path' | 'illegal'>;
/** Options of a step that polls a job. @internal */
export type AwaitOptions = Common & {
  /** The longest wait for the state, in ms; default 60_000. */
  readonly withinMs?: number;
  /** Pause between two polls in ms; default 250, or a twentieth of a given `withinMs` where that is more. */
  readonly everyMs?: number;
};
/** A step for one job; for a list of jobs that of each, in this order. @internal */
type ForEach<J, S> = J extends readonly unknown[] ? readonly S[] : S;
/** One job or several. @internal */
type Jobs<J> = J | readonly J[];

/** A deadline at a fixed time after a milestone of a job. @internal */
export interface Deadline {
  /** Safely before it: `ms` before the earliest instant of the deadline. */
  minus(ms: number): When;
  /**
   * `ms` before the latest instant of the deadline: the closest read, which may turn out to come too late.
   */
  justBefore(ms: number): When;
  /** Safely after it: `ms` after the latest instant of the deadline. */
  plus(ms: number): When;
}

/** The policy of `blocker`: timers far beyond those of any scenario. */
const NO_TIMEOUTS = { ttl: TTL_MAX_MS, executionTimeout: EXECUTION_TIMEOUT_MAX_MS } as const;

/** The functions that make the steps of a scenario. @public */
export const steps = {
  /** `POST /run`. */
  run: <J extends Jobs<string>>(jobs: J, options: SubmitOptions = {}): ForEach<J, SubmitStep> =>
    forEach(jobs, (job: string) => ({ do: 'run', job, ...options })),
  /** `POST /runsync`; its lane continues after the reply. */
  runsync: <J extends Jobs<string>>(jobs: J, options: SubmitOptions = {}): ForEach<J, SubmitStep> =>
    forEach(jobs, (job: string) => ({ do: 'runsync', job, ...options })),
  status: <J extends Jobs<JobRef>>(jobs: J, options: JobOptions = {}): ForEach<J, JobStep> =>
    forEach(jobs, (job: JobRef) => ({ do: 'status', job, ...options })),
  stream: <J extends Jobs<JobRef>>(jobs: J, options: JobOptions = {}): ForEach<J, JobStep> =>
    forEach(jobs, (job: JobRef) => ({ do: 'stream', job, ...options })),
  cancel: <J extends Jobs<JobRef>>(jobs: J, options: JobOptions = {}): ForEach<J, JobStep> =>
    forEach(jobs, (job: JobRef) => ({ do: 'cancel', job, ...options })),
  retry: <J extends Jobs<JobRef>>(jobs: J, options: JobOptions = {}): ForEach<J, JobStep> =>
    forEach(jobs, (job: JobRef) => ({ do: 'retry', job, ...options })),
  /** `POST /purge-queue`: at most 2 in 10 s on an endpoint, or the target may answer 429 (section 8). */
  purge: (options: Common = {}): EndpointStep => ({ do: 'purge-queue', ...options }),
  health: (options: Common = {}): EndpointStep => ({ do: 'health', ...options }),
  requests: (options: Common = {}): EndpointStep => ({ do: 'requests', ...options }),
  openai: (path: string, body: Json, options: Common = {}): OpenaiStep => ({
    do: 'openai',
    path,
    body,
    ...options,
  }),
  /** Any request; `path` is appended to `/v2/<endpoint_id>`, `{job:LABEL}` becomes that job's id. */
  raw: (method: string, path: string, illegal: string, options: RawOptions = {}): RawStep => ({
    do: 'raw',
    method,
    path,
    illegal,
    ...options,
  }),
  /** Polls `/status` until the job is observed in one of the states, by default an end, or gone. */
  await: <J extends Jobs<string>>(
    jobs: J,
    until: AwaitStep['until'][number] | AwaitStep['until'] = ENDED_STATUSES,
    options: AwaitOptions = {},
  ): ForEach<J, AwaitStep> => {
    const { withinMs, everyMs, ...common } = options;
    return forEach(jobs, (job: string) => ({
      do: 'await',
      job,
      until: typeof until === 'string' ? [until] : until,
      everyMs: everyMs ?? Math.max(250, Math.ceil((withinMs ?? 0) / 20)),
      timeoutMs: withinMs ?? 60_000,
      ...common,
    }));
  },
  /** Waits up to a minute until a worker has taken the job. */
  awaitStarted: <J extends Jobs<string>>(jobs: J, options: Common = {}): ForEach<J, AwaitStep> =>
    steps.await(jobs, ['IN_PROGRESS', ...ENDED_STATUSES], options),
  /** Waits for the end of a job that works for `afterMs` from its start, polling closely around that time. */
  awaitEnded: (job: string, afterMs: number, marginMs: number, options: Common = {}): AwaitStep => ({
    do: 'await',
    job,
    until: ENDED_STATUSES,
    everyMs: Math.max(100, marginMs),
    timeoutMs: 2 * marginMs + 30_000,
    at: steps.after(job, 'started', afterMs).minus(marginMs),
    ...options,
  }),
  /** The same call `count` times at once. */
  burst: (
    op: BurstStep['op'],
    count: number,
    options: Omit<BurstStep, 'do' | 'op' | 'count'> = {},
  ): BurstStep => ({
    do: 'burst',
    op,
    count,
    ...options,
  }),
  /** Changes the number of workers; the scenario must need `worker-count-known`. */
  workers: (count: number, options: Common = {}): WorkersStep => ({ do: 'workers', count, ...options }),
  /** The second endpoint of a scenario with `secondEndpoint: true`, as the `endpoint` of a step. */
  secondEndpoint: SECOND_ENDPOINT,
  /** The id of the script's own endpoint, as part of the id of one that does not exist. */
  ownEndpoint: '{endpoint}',
  /** An endpoint that does not exist. */
  unknownEndpoint: 'no-such-endpoint',
  pause: (at: When): PauseStep => ({ do: 'pause', at }),
  /** Puts the steps into a lane, which runs concurrently with `main`. */
  lane: (name: string, ...steps: readonly StepTree[]): readonly Step[] =>
    flatten(steps).map((step) => ({ ...step, lane: name })),

  /** This long after the previous step, in ms. */
  wait: (waitMs: number): When => ({ waitMs }),
  /** This long after the script's start, in ms. */
  sinceStart: (sinceStartMs: number): When => ({ sinceStartMs }),
  /** The deadline `ms` after a milestone of the job. */
  after: (job: string, milestone: Milestone, ms = 0): Deadline => ({
    minus: (earlierMs) => ({ job, milestone, side: 'earliest', plusMs: ms - earlierMs }),
    justBefore: (earlierMs) => ({ job, milestone, side: 'latest', plusMs: ms - earlierMs }),
    plus: (laterMs) => ({ job, milestone, side: 'latest', plusMs: ms + laterMs }),
  }),

  /** Keeps a worker busy until it is cancelled: a job that hangs, with every timer far away. */
  blocker: <J extends Jobs<string>>(jobs: J, options: SubmitOptions = {}): ForEach<J, SubmitStep> =>
    steps.run(jobs, { plan: [{ hang: true }], policy: NO_TIMEOUTS, ...options }),
  /** The states of an ended job, for `await`. */
  ended: ENDED_STATUSES,
  /** The states that `executionTimeout` may leave: the document names two, in different places. */
  timedOut: ['TIMED_OUT', 'FAILED'] as readonly JobStatus[],
  /** A policy with timers of 7 days, for jobs whose timers must not interfere. */
  noTimeouts: NO_TIMEOUTS,
  /** A plan that sleeps, then completes. */
  works: (sleepMs: number, output: Json = { done: true }): readonly PlanStep[] => [
    { sleepMs },
    { return: output },
  ],
};

/** The functions that make the steps of a scenario: the type of `steps`. @public */
export type Steps = typeof steps;

function forEach<J, S, L extends Jobs<J>>(jobs: L, step: (job: J) => S): ForEach<L, S> {
  const made: S | readonly S[] = isList<J>(jobs) ? jobs.map(step) : step(jobs as J);
  return made as ForEach<L, S>;
}

export function flatten(tree: readonly StepTree[]): readonly Step[] {
  return tree.flatMap((node) => (isList<StepTree>(node) ? flatten(node) : [node]));
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
