/**
 * Runs one script: returns what to do at each instant and takes in what came of it. The same script with the same
 * outcomes makes the same calls.
 *
 * Lanes run concurrently, the steps of a lane one after the other. A step whose job or milestone can no longer appear
 * is skipped, so that shrinking may delete any step of a script.
 */
import type { AuthKind } from '../history/events.js';
import { segmentOf } from '../history/job-path.js';
import { RATES } from '../spec/rates.js';
import type { Operation } from '../spec/types.js';
import { getOrMake } from '../util/maps.js';
import type {
  AwaitStep,
  BurstStep,
  JobStep,
  Milestone,
  RawStep,
  Script,
  Step,
  SubmitStep,
  When,
} from '../scenario/script.js';
import { isEnded, JobRegistry } from './job-registry.js';
import { LaneQueue } from './lane-queue.js';
import { canShow, jobNamedBy, lanesOf, type Lane } from './lanes.js';
import type { CallOutcome, OutgoingCall, ScriptRunner, RunnerAction, ScriptRunnerContext } from './api.js';
import {
  burstRequest,
  endpointRequest,
  jobRequest,
  openaiRequest,
  rawRequest,
  submitRequest,
} from './requests.js';
import type { Request } from './requests.js';
import { SECOND_ENDPOINT } from '../scenario/second-endpoint.js';

interface OpenCall {
  readonly lane: Lane;
  readonly op: Operation | null;
  readonly label: string | null;
  /** The job that the reply may tell something about. */
  readonly job: string | null;
  /** A submission, whose reply may name a job. */
  readonly submits: boolean;
  /** The reply describes a job of this script: the call was an ordinary one. */
  readonly isReliable: boolean;
}

/** When a step is due: a time, or after a reply that may come (`wait`), or never (`skip`). */
type Instant = number | 'wait' | 'skip';

/** The share of the documented concurrency that is completed at a time, of calls whose end is held back. */
const RELEASED_SHARE = 1 / 4;

export function createScriptRunner(script: Script, context: ScriptRunnerContext): ScriptRunner {
  return new ScriptStateMachine(script, context);
}

class ScriptStateMachine implements ScriptRunner {
  readonly #context: ScriptRunnerContext;
  readonly #lanes: readonly Lane[];
  readonly #queue: LaneQueue;
  /** The lanes with a step that names the job, by its label; those with a step that may mean any job. */
  readonly #lanesOfJob = new Map<string, Lane[]>();
  readonly #lanesOfAnyJob: readonly Lane[];
  #unfinished: number;
  /** How many lanes wait until workers were changed. */
  #changing = 0;
  readonly #jobs = new JobRegistry();
  readonly #open = new Map<number, OpenCall>();
  /** The address for webhooks that the submission of each job named. */
  readonly #webhooks = new Map<string, string>();
  readonly #tokens = new Set<string>();
  #actions: RunnerAction[] = [];
  #calls = 0;
  #nowMs: number;

  constructor(script: Script, context: ScriptRunnerContext) {
    this.#context = context;
    this.#nowMs = context.startMs;
    this.#lanes = lanesOf(script.steps);
    this.#queue = new LaneQueue(this.#lanes);
    this.#unfinished = this.#lanes.length;
    const ofAny: Lane[] = [];
    for (const lane of this.#lanes) {
      const named = new Set(lane.steps.map(jobNamedBy));
      for (const job of named)
        if (typeof job === 'string') getOrMake(this.#lanesOfJob, job, () => []).push(lane);
      if (named.has(null)) ofAny.push(lane);
    }
    this.#lanesOfAnyJob = ofAny;
  }

  due(nowMs: number): readonly RunnerAction[] {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    do {
      this.#queue.wakeUntil(this.#nowMs);
      for (let lane = this.#queue.next(); lane !== undefined; lane = this.#queue.next()) this.#advance(lane);
    } while (this.#skipOneOfTheStuck());
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }

  nextWakeMs(): number | null {
    return this.#queue.nextWakeMs;
  }

  arrived(call: number, byMs: number): void {
    this.#jobs.arrived(call, byMs);
    const job = this.#open.get(call)?.job;
    if (typeof job === 'string') this.#queue.jobChanged(job);
  }

  replied(call: number, outcome: CallOutcome): void {
    const open = this.#open.get(call);
    if (!open) return;
    this.#open.delete(call);
    if (open.submits) this.#jobs.submitted(call, outcome);
    else if (open.isReliable && open.label !== null) {
      if (open.op === 'status') this.#jobs.polled(open.label, outcome);
      if (open.op === 'cancel') this.#jobs.cancelled(open.label, outcome);
      if (open.op === 'retry') this.#jobs.retried(open.label, outcome);
    }
    if (open.job !== null) this.#queue.jobChanged(open.job);
    open.lane.open -= 1;
    if (outcome.inVain === true) open.lane.polling = null;
    if (open.lane.open === 0) this.#afterCalls(open.lane);
  }

  workersChanged(lane: string, nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    const changing = this.#lanes.find((candidate) => candidate.name === lane && candidate.changingWorkers);
    if (!changing) return;
    changing.changingWorkers = false;
    this.#changing -= 1;
    this.#endStep(changing);
  }

  get done(): boolean {
    return this.#open.size === 0 && this.#unfinished === 0;
  }

  openJobs(): readonly string[] {
    return this.#jobs.alive();
  }

  /** Moves a lane on as far as one step goes, if it can move at this instant. */
  #advance(lane: Lane): void {
    const step = lane.steps[lane.index];
    if (step === undefined || lane.open > 0 || lane.changingWorkers) return;
    lane.readyMs ??= this.#nowMs;
    if (lane.polling !== null && step.do === 'await') return this.#poll(lane, step, lane.polling);
    const instant = this.#instantOf(step.at, lane);
    if (instant === 'skip' || (instant !== 'wait' && !this.#canRun(step))) return this.#endStep(lane);
    if (instant !== 'wait' && instant <= this.#nowMs) return this.#runStep(lane, step);
    if (instant !== 'wait') this.#queue.wakeAt(lane, instant);
    if (step.at !== undefined && 'job' in step.at) this.#queue.waitFor(lane, step.at.job);
  }

  #canRun(step: Step): boolean {
    const { secondEndpoint, otherKeys = [] } = this.#context;
    if (step.endpoint === SECOND_ENDPOINT && secondEndpoint === undefined) return false;
    return (step.auth !== 'unpermitted' && step.auth !== 'other-user') || otherKeys.includes(step.auth);
  }

  #authOf({ auth }: Step): AuthKind {
    const usual = this.#context.auth;
    if (auth !== 'unpermitted' && auth !== 'other-user') return auth ?? usual;
    return usual === 'bearer' ? `${auth}-bearer` : auth;
  }

  #instantOf(when: When | undefined, lane: Lane): Instant {
    if (when === undefined) return this.#nowMs;
    if ('waitMs' in when) return (lane.readyMs ?? this.#nowMs) + when.waitMs;
    if ('sinceStartMs' in when) return this.#context.startMs + when.sinceStartMs;
    const interval = this.#jobs.milestone(when.job, when.milestone);
    if (interval !== null) return interval[when.side] + when.plusMs;
    return this.#mayStillBeSeen(when.job, when.milestone, lane) ? 'wait' : 'skip';
  }

  /** Another lane has an open call, or a later step, that can show the milestone. */
  #mayStillBeSeen(label: string, milestone: Milestone, asking: Lane): boolean {
    for (const call of this.#open.values()) if (call.label === label) return true;
    const shows = (lane: Lane): boolean =>
      lane !== asking && lane.steps.some((step, i) => i >= lane.index && canShow(step, label, milestone));
    return (this.#lanesOfJob.get(label) ?? []).some(shows) || this.#lanesOfAnyJob.some(shows);
  }

  /** Lanes that wait for each other would wait forever: the first one skips its step. */
  #skipOneOfTheStuck(): boolean {
    if (this.#open.size > 0 || this.#queue.nextWakeMs !== null || this.#changing > 0) return false;
    const stuck = this.#lanes.find((lane) => lane.index < lane.steps.length);
    if (stuck === undefined) return false;
    this.#endStep(stuck);
    return true;
  }

  #runStep(lane: Lane, step: Step): void {
    switch (step.do) {
      case 'run':
      case 'runsync':
        return this.#submit(lane, step);
      case 'status':
      case 'stream':
      case 'cancel':
      case 'retry':
        return this.#jobCall(lane, step);
      case 'purge-queue':
      case 'health':
      case 'requests':
        return this.#send(lane, step, endpointRequest(step.do), null);
      case 'openai':
        return this.#send(lane, step, openaiRequest(step), null);
      case 'raw':
        return this.#raw(lane, step);
      case 'burst':
        return this.#burst(lane, step);
      case 'workers':
        lane.changingWorkers = true;
        this.#changing += 1;
        this.#actions.push({ kind: 'workers', lane: lane.name, count: step.count });
        return;
      case 'await':
        lane.polling = {
          deadlineMs: this.#nowMs + step.timeoutMs,
          everyMs: step.everyMs,
          nextMs: this.#nowMs,
          lastSentMs: null,
        };
        return this.#queue.mayMove(lane);
      case 'pause':
        return this.#endStep(lane);
    }
  }

  #submit(lane: Lane, step: SubmitStep): void {
    const shared = step.webhookOf === undefined ? undefined : this.#webhooks.get(step.webhookOf);
    let url: string | null = shared ?? null;
    if (step.webhook !== undefined) {
      const token = this.#newToken(step.job);
      url = this.#context.webhookUrl(token);
      this.#actions.push({ kind: 'expect-webhook', token, answers: step.webhook });
    }
    if (url !== null && step.webhookInInput !== true) this.#webhooks.set(step.job, url);
    const addresses = { webhookUrl: url, storageUrl: this.#ownStorage(step) };
    this.#send(lane, step, submitRequest(step, this.#context, addresses), step.job);
  }

  #ownStorage(step: SubmitStep): string | null {
    if (step.ownStorage !== true) return null;
    const token = this.#newToken(`${step.job}-storage`);
    this.#actions.push({ kind: 'expect-storage', token });
    return this.#context.webhookUrl(token);
  }

  #jobCall(lane: Lane, step: JobStep): void {
    const job = this.#jobs.find(step.job);
    if (job === null) return this.#endStep(lane);
    this.#send(lane, step, jobRequest(step.do, job.id, step.ttl), job.label);
  }

  #raw(lane: Lane, step: RawStep): void {
    let label: string | null = null;
    let missing = false;
    const path = step.path.replace(/\{job:([^}]*)\}(\{cut\})?/g, (_, name: string, cut?: string) => {
      const job = this.#jobs.find(name);
      if (job === null) missing = true;
      else label = job.label;
      const characters = [...(job?.id ?? '')];
      return segmentOf((cut === undefined ? characters : characters.slice(0, -1)).join(''));
    });
    if (missing) return this.#endStep(lane);
    this.#send(lane, step, rawRequest(step, path, this.#context), label);
  }

  /** Sends all calls at this instant, each with its own lane name. */
  #burst(lane: Lane, step: BurstStep): void {
    const named = step.jobs ?? (step.job === undefined ? [] : [step.job]);
    const jobs = named.map((ref) => this.#jobs.find(ref));
    if (step.count < 1 || jobs.includes(null)) return this.#endStep(lane);
    const requests = (jobs.length === 0 ? [null] : jobs).map((job) =>
      burstRequest(step, job?.id ?? null, this.#context),
    );
    const submits = step.op === 'run' || step.op === 'runsync';
    const atATime = Math.max(1, Math.floor((RATES[step.op]?.concurrency ?? 1) * RELEASED_SHARE));
    const held = step.held === true ? { first: this.#calls, count: step.count, atATime } : null;
    for (let i = 0; i < step.count; i += 1) {
      const job = jobs[i % jobs.length] ?? null;
      const request = requests[i % requests.length]!;
      const label = submits ? `${lane.name}-burst-${lane.index}-${i}` : (job?.label ?? null);
      this.#send(lane, step, held === null ? request : { ...request, held }, label, `${lane.name}#${i}`);
    }
  }

  #poll(lane: Lane, step: AwaitStep, polling: NonNullable<Lane['polling']>): void {
    const phase = this.#jobs.statusOf(step.job);
    const lastSentMs = polling.lastSentMs;
    const over =
      lastSentMs !== null &&
      (lastSentMs >= polling.deadlineMs ||
        (phase !== null && (step.until.includes(phase) || isHopeless(step, phase))));
    const job = this.#jobs.find(step.job);
    const idMayCome = job === null && this.#mayStillBeSeen(step.job, 'submitted', lane);
    if (over || (job === null && (!idMayCome || this.#nowMs >= polling.deadlineMs)))
      return this.#endStep(lane);
    const nextMs = job === null ? polling.deadlineMs : polling.nextMs;
    if (job === null || nextMs > this.#nowMs) {
      this.#queue.wakeAt(lane, nextMs);
      return this.#queue.waitFor(lane, step.job);
    }
    polling.lastSentMs = this.#nowMs;
    if (this.#calls > (this.#context.callsPlanned ?? Infinity)) polling.everyMs = slower(polling.everyMs);
    polling.nextMs = Math.min(this.#nowMs + polling.everyMs, Math.max(polling.deadlineMs, this.#nowMs));
    this.#send(lane, step, jobRequest('status', job.id), job.label);
  }

  #send(lane: Lane, step: Step, request: Request, label: string | null, name = lane.name): void {
    const call = this.#calls;
    this.#calls += 1;
    lane.open += 1;
    const submits = request.op === 'run' || request.op === 'runsync';
    const endpoint = this.#endpointOf(step);
    // A raw submission that is accepted has created a job, which has to be cancelled later.
    const job = submits ? (label ?? `raw-${call}`) : label;
    if (submits && job !== null) {
      this.#jobs.submitting(job, endpoint, call, this.#nowMs);
      this.#queue.jobChanged(job);
    }
    // A reply to another endpoint or to a wrong key says nothing about the job.
    const isReliable =
      step.do !== 'raw' &&
      (step.auth === undefined || step.auth === 'bare' || step.auth === 'bearer') &&
      (label === null || this.#jobs.endpointOf(label) === endpoint);
    this.#open.set(call, { lane, op: request.op, label, job, submits, isReliable });
    const fromRoot = step.do === 'raw' && step.fromRoot === true;
    const sent: OutgoingCall = {
      ...request,
      call,
      lane: name,
      label,
      endpoint,
      path: fromRoot
        ? request.path.replaceAll('{endpoint}', encodeURIComponent(endpoint))
        : `/v2/${encodeURIComponent(endpoint)}${request.path}`,
      auth: this.#authOf(step),
    };
    this.#actions.push({ kind: 'call', call: sent });
  }

  #endpointOf(step: Step): string {
    if (step.endpoint === undefined) return this.#context.endpoint;
    if (step.endpoint === SECOND_ENDPOINT) return this.#context.secondEndpoint ?? this.#context.endpoint;
    return step.endpoint.replaceAll('{endpoint}', this.#context.endpoint);
  }

  #afterCalls(lane: Lane): void {
    if (lane.polling === null) return this.#endStep(lane);
    this.#queue.wakeAt(lane, this.#nowMs);
  }

  #endStep(lane: Lane): void {
    const job = jobNamedBy(lane.steps[lane.index]!);
    lane.index += 1;
    lane.readyMs = null;
    lane.polling = null;
    // It may have been the last step that could show something of the job.
    if (job === null) this.#queue.someJobChanged();
    else if (job !== undefined) this.#queue.jobChanged(job);
    if (lane.index === lane.steps.length) this.#unfinished -= 1;
    else {
      this.#queue.wakeAt(lane, this.#nowMs);
      this.#queue.mayMove(lane);
    }
  }

  #newToken(label: string): string {
    const base = label.replace(/[^A-Za-z0-9_-]/g, '-');
    let token = base;
    for (let n = 2; this.#tokens.has(token); n += 1) token = `${base}-${n}`;
    this.#tokens.add(token);
    return token;
  }
}

/** As seldom as a script polls by itself, or else no more seldom than this: states that pass by are still seen. */
const POLL_EVERY_MAX_MS = 5_000;
const SLOWER_BY = 1.25;

/** What a script waits for did not come when it was planned: exactly when it comes no longer matters much. */
function slower(everyMs: number): number {
  return Math.max(everyMs, Math.min(POLL_EVERY_MAX_MS, Math.ceil(everyMs * SLOWER_BY)));
}

/** The job has ended in a state that is not waited for: no poll will show another one. */
function isHopeless(step: AwaitStep, phase: NonNullable<ReturnType<JobRegistry['statusOf']>>): boolean {
  return isEnded(phase) && !step.until.includes('GONE');
}
