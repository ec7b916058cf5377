/** Generates the steps of one script, move by move, each chosen by the probable states of the jobs. */
import { ENDED_STATUSES } from '../spec/states.js';
import type { AwaitStep, JobRef, JobStep, Limits, Step, When } from '../scenario/script.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/limits.js';
import { deadlinesOf, probesOf, type PlannedDeadline, type PlannedProbe } from './deadlines.js';
import type { RandomSource, Weighted } from './random-source.js';
import { drawFarOutOfRange, drawInvalidRequest } from './invalid-requests.js';
import { labelOf, nthNewest } from './job-refs.js';
import { isOver, EndpointModel, type PlannedJob } from './endpoint-model.js';
import { drawRateBurst } from './rate-burst.js';
import { drawSubmission } from './submissions.js';
import type { Swarm } from './swarm.js';
import {
  ENDPOINT_WEIGHTS,
  JOB_WEIGHTS,
  JOB_OPERATIONS,
  worthWhile,
  type JobOperation,
  type Steering,
} from './weights.js';
import { SECOND_ENDPOINT } from '../scenario/second-endpoint.js';

const STEPS_MAX = 40;

type Move = () => void;

export function generateSteps(
  random: RandomSource,
  swarm: Swarm,
  limits: Limits,
  steering: Steering,
): readonly Step[] {
  return new StepGenerator(random, swarm, limits, steering).generate();
}

class StepGenerator {
  private readonly random: RandomSource;
  private readonly swarm: Swarm;
  private readonly limits: Limits;
  private readonly steering: Steering;
  private readonly model: EndpointModel;
  private readonly steps: Step[] = [];
  /** Deadlines already probed, by job and timer. */
  private readonly probed = new Set<string>();
  private labels = 0;

  constructor(random: RandomSource, swarm: Swarm, limits: Limits, steering: Steering) {
    this.random = random;
    this.swarm = swarm;
    this.limits = limits;
    this.steering = steering;
    this.model = new EndpointModel(swarm.workers);
  }

  generate(): readonly Step[] {
    while (this.steps.length < this.swarm.steps) {
      if (this.model.jobs.length > 0 && this.random.chance(this.swarm.invalidPerCent)) this.invalidRequest();
      else this.random.weighted(this.moves())?.();
    }
    // At the end, since the model does not follow a burst.
    if (this.swarm.endsWithRateBurst) {
      const secondEndpoint = this.swarm.secondEndpoint ? SECOND_ENDPOINT : null;
      const rateBurst = drawRateBurst(this.random, this.limits, { label: this.nextLabel(), secondEndpoint });
      this.steps.push(...rateBurst);
    }
    this.finish();
    return this.steps.slice(0, STEPS_MAX);
  }

  private moves(): readonly Weighted<Move>[] {
    return [...this.submissions(), ...this.jobMoves(), ...this.awaits(), ...this.probes(), ...this.others()];
  }

  private submissions(): readonly Weighted<Move>[] {
    const { operations, jobsMax } = this.swarm;
    const alive = this.model.jobs.filter((job) => !isOver(job)).length;
    if (this.model.jobs.length >= 2 * jobsMax || (alive >= jobsMax && this.model.jobs.length > 0)) return [];
    const weight = this.model.jobs.length === 0 ? 100 : alive === 0 ? 8 : 4;
    return (['run', 'runsync'] as const)
      .filter((op) => operations[op])
      .map((op) => ({ item: () => this.submit(op), weight: op === 'run' ? weight : weight / 2 }));
  }

  private submit(op: 'run' | 'runsync'): void {
    const { step, job } = drawSubmission(this.random, this.swarm, this.limits, this.nextLabel(), op);
    // A call that waits for its reply would delay all other steps, unless it has its own lane.
    if (op === 'runsync' && this.random.chance(70)) {
      // Moved on by 1 ms: the order of lanes at one instant may differ from the model's.
      this.model.advanceTo(this.model.nowMs + 1);
      this.steps.push({ ...step, lane: `sync-${step.job}`, at: { sinceStartMs: this.model.nowMs } });
      this.model.submit(job);
      this.pause(this.random.pick([100, 500, 2_000]));
      return;
    }
    this.push(step, this.gap());
    const planned = this.model.submit(job);
    if (op === 'runsync') {
      this.model.advanceToEndOf(planned, this.model.nowMs + (job.waitMs ?? 0));
      this.model.observe(planned);
    }
  }

  private jobMoves(): readonly Weighted<Move>[] {
    return this.model.jobs.flatMap((job) =>
      JOB_OPERATIONS.filter((op) => this.swarm.operations[op]).map((op) => ({
        item: () => this.act(op, job),
        weight: JOB_WEIGHTS[job.state][op] * this.steering(job.state, op) * worthWhile(op, job),
      })),
    );
  }

  /** A call about a job; where it may change the job, often with a status read before and after it. */
  private act(op: JobOperation, job: PlannedJob, at: When | undefined = this.gap()): void {
    const changes = op !== 'status';
    let when = at;
    if (changes && this.random.chance(45)) {
      this.call('status', job, when);
      when = undefined;
    }
    const wasRunning = job.state === 'IN_PROGRESS';
    this.call(op, job, when);
    // A second read shows whether the first one left anything.
    if (op === 'stream' && this.random.chance(30)) this.call('stream', job, undefined);
    if (changes && this.random.chance(40)) this.call('status', job, undefined);
    // A handler that was not stopped reveals itself only later.
    if (
      op === 'cancel' &&
      wasRunning &&
      this.swarm.operations.stream &&
      this.random.chance(job.work.streams ? 80 : 40)
    ) {
      const waitMs = Math.max(8 * SECOND_MS, Math.min(job.work.forMs, MINUTE_MS) + 2 * this.limits.marginMs);
      this.model.advanceTo(this.model.nowMs + waitMs);
      this.call('stream', job, { waitMs });
    }
    if (changes && this.swarm.operations.health && this.random.chance(15))
      this.push({ do: 'health' }, undefined);
  }

  private call(op: JobOperation, job: PlannedJob, at: When | undefined): void {
    const onSecondEndpoint = this.swarm.secondEndpoint && this.random.chance(15);
    const ttl = op === 'status' && !onSecondEndpoint ? this.newTtl() : null;
    const step: JobStep = {
      do: op,
      job: this.refTo(job),
      ...(ttl === null ? {} : { ttl }),
      ...(onSecondEndpoint ? { endpoint: SECOND_ENDPOINT } : {}),
    };
    this.push(step, at);
    if (onSecondEndpoint) return;
    if (op === 'status') this.model.observe(job);
    if (ttl !== null) this.model.setTtl(job, ttl);
    if (op === 'cancel') this.model.cancel(job);
    if (op === 'retry') this.model.retry(job);
  }

  /** In scripts about `ttl`, a status read occasionally sets a new one. */
  private newTtl(): number | null {
    const { timer } = this.swarm;
    if ((timer !== 'ttl' && timer !== 'mixed') || !this.random.chance(15)) return null;
    return this.random.pick([6 * SECOND_MS, 30 * SECOND_MS, 10 * MINUTE_MS, 25 * HOUR_MS]);
  }

  /** Waits for work to end by itself, polling closely around that time. */
  private awaits(): readonly Weighted<Move>[] {
    return this.model.jobs.flatMap((job) => {
      const endsMs = this.model.workEndsMs(job);
      const waitMs = (endsMs ?? Infinity) - this.model.nowMs;
      if (endsMs === null || waitMs > this.limits.maxWaitMs) return [];
      return [{ item: () => this.awaitEnd(job, endsMs), weight: waitMs < HOUR_MS ? 4 : 0.5 }];
    });
  }

  private awaitEnd(job: PlannedJob, endsMs: number): void {
    const { marginMs } = this.limits;
    if (!job.observedMilestones.has('started')) this.call('status', job, undefined);
    const beforeMs = Math.max(this.model.nowMs, endsMs - marginMs);
    const step: AwaitStep = {
      do: 'await',
      job: job.label,
      until: ENDED_STATUSES,
      everyMs: Math.max(100, marginMs >> 1),
      timeoutMs: 2 * marginMs + 2 * SECOND_MS,
    };
    this.push(step, { waitMs: beforeMs - this.model.nowMs });
    this.model.advanceTo(endsMs);
    this.model.observe(job);
  }

  private probes(): readonly Weighted<Move>[] {
    return deadlinesOf(this.model, this.limits)
      .filter((deadline) => !this.probed.has(keyOf(deadline)))
      .map((deadline) => ({
        item: () => this.probe(deadline),
        weight: deadline.timer === this.swarm.timer ? 8 : this.swarm.timer === 'mixed' ? 2 : 0.25,
      }));
  }

  /** Makes a call just before a deadline and one just after it. */
  private probe(deadline: PlannedDeadline): void {
    this.probed.add(keyOf(deadline));
    const { job, milestone } = deadline;
    if (!job.observedMilestones.has(milestone)) this.call('status', job, undefined);
    const marginMs = Math.max(1, this.limits.marginMs) * this.random.pick([1, 1, 1, 2]);
    const { before, after } = probesOf(deadline, marginMs);
    if (before.planMs >= this.model.nowMs && this.random.chance(75)) this.callAround(job, before);
    if (after.planMs >= this.model.nowMs) this.callAround(job, after);
  }

  private callAround(job: PlannedJob, probe: PlannedProbe): void {
    const others = JOB_OPERATIONS.filter((op) => this.swarm.operations[op]);
    this.act(this.random.chance(70) ? 'status' : this.random.pick(others), job, this.until(probe));
  }

  /** Gives the step's time and advances the model to it. */
  private until({ at, planMs }: PlannedProbe): When {
    this.model.advanceTo(planMs);
    return at;
  }

  private others(): readonly Weighted<Move>[] {
    const { operations } = this.swarm;
    const waiting = this.model.jobs.some(({ state }) => state === 'IN_QUEUE') ? 'IN_QUEUE' : 'none';
    const moves: Weighted<Move>[] = [];
    const add = (on: boolean, weight: number, item: Move): void => {
      if (on && this.model.jobs.length > 0) moves.push({ item, weight });
    };
    const { purge, health, requests, workers, burst, pause } = ENDPOINT_WEIGHTS;
    add(operations['purge-queue'], purge[waiting] * this.steering(waiting, 'purge-queue'), () =>
      this.purge(),
    );
    add(operations.health, health * this.steering(waiting, 'health'), () => this.endpointCall('health'));
    add(operations.requests, requests, () => this.push({ do: 'requests' }, this.gap()));
    add(operations.workers, workers, () => this.changeWorkers());
    add(operations.burst, burst, () => this.burst());
    add(true, pause, () =>
      this.pause(this.random.pick([SECOND_MS, 12 * SECOND_MS, 25 * SECOND_MS, MINUTE_MS])),
    );
    return moves;
  }

  private purge(): void {
    if (!this.endpointCall('purge-queue')) return;
    this.model.purge();
    const gone = this.model.jobs.filter(({ state }) => state === 'GONE');
    if (gone.length > 0 && this.random.chance(50)) this.call('status', this.random.pick(gone), undefined);
  }

  /** False when the call went to the second endpoint. */
  private endpointCall(op: 'purge-queue' | 'health'): boolean {
    const onSecondEndpoint = this.swarm.secondEndpoint && this.random.chance(30);
    this.push({ do: op, ...(onSecondEndpoint ? { endpoint: SECOND_ENDPOINT } : {}) }, this.gap());
    return !onSecondEndpoint;
  }

  private changeWorkers(): void {
    const count = Math.min(this.limits.maxWorkers, this.random.pick([0, 1, 1, 2, 3]));
    this.push({ do: 'workers', count }, this.gap());
    this.model.setWorkers(count);
  }

  private burst(): void {
    const [op, count] = this.random.pick([
      ['purge-queue', 3],
      ['cancel', 101],
      ['requests', 11],
      ['health', 5],
    ] as const);
    this.push({ do: 'burst', op, count }, this.gap());
    if (op === 'purge-queue') this.model.purge();
  }

  private invalidRequest(): void {
    if (this.random.chance(8)) return this.farOutOfRange();
    const wrongStateCalls = this.wrongState();
    if (wrongStateCalls.length > 0 && this.random.chance(50)) return this.random.pick(wrongStateCalls)();
    const labels = this.model.jobs.map(({ label }) => label);
    this.push(drawInvalidRequest(this.random, this.swarm, this.nextLabel(), labels), this.gap());
    if (this.random.chance(30)) this.call('status', this.random.pick(this.model.jobs), undefined);
  }

  /**
   * Whether the target refuses or corrects the number is open; later reads show whether it accepted the
   * number unchanged.
   */
  private farOutOfRange(): void {
    const label = this.nextLabel();
    const { step, statusCalls } = drawFarOutOfRange(this.random, label, this.limits);
    this.push(step, this.gap());
    const submittedMs = this.model.nowMs;
    for (const { plusMs, ttl } of statusCalls) {
      this.model.advanceTo(submittedMs + plusMs);
      this.steps.push({
        do: 'status',
        job: label,
        ...(ttl === undefined ? {} : { ttl }),
        at: { job: label, milestone: 'submitted', side: 'latest', plusMs },
      });
    }
  }

  private wrongState(): readonly Move[] {
    return this.model.jobs.flatMap((job) => {
      const retryable = job.state === 'FAILED' || job.state === 'TIMED_OUT';
      return [
        ...(retryable || !this.swarm.operations.retry ? [] : [() => this.act('retry', job)]),
        ...(isOver(job) && this.swarm.operations.cancel ? [() => this.act('cancel', job)] : []),
      ];
    });
  }

  private finish(): void {
    for (const job of this.model.jobs) if (this.random.chance(60)) this.call('status', job, this.gap());
    if (this.swarm.operations.health && this.random.chance(40)) this.push({ do: 'health' }, this.gap());
  }

  private pause(waitMs: number): void {
    this.push({ do: 'pause' }, { waitMs });
    this.model.advanceTo(this.model.nowMs + waitMs);
  }

  /** The time of the next step, mostly at once or a little later; advances the model. */
  private gap(): When | undefined {
    const waitMs = this.random.pick([0, 0, 0, 100, 500, 1_000, 3_000, 10_000]);
    this.model.advanceTo(this.model.nowMs + waitMs);
    return waitMs === 0 ? undefined : { waitMs };
  }

  private push(step: Step, at: When | undefined): void {
    const { at: _, ...plain } = step;
    this.steps.push(at === undefined || ('waitMs' in at && at.waitMs === 0) ? plain : { ...plain, at });
  }

  private refTo(job: PlannedJob): JobRef {
    return this.random.chance(this.swarm.nthPerCent) ? nthNewest(job, this.model.jobs) : job.label;
  }

  private nextLabel(): string {
    this.labels += 1;
    return labelOf(this.labels - 1);
  }
}

const keyOf = ({ job, timer }: PlannedDeadline): string => `${job.label} ${job.retries} ${timer}`;
