/** Writes the steps of one script, one move after the other, each chosen by where the jobs probably are. */
import { ENDED_STATUSES } from '../spec/states.js';
import type { AwaitStep, JobRef, JobStep, Limits, Step, When } from '../scenario/script.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/limits.js';
import { deadlinesOf, probesOf, type PlannedDeadline, type PlannedProbe } from './deadlines.js';
import type { Dice, Weighted } from './dice.js';
import { drawFarOutOfRange, drawIllegal } from './illegal.js';
import { labelOf, nthNewest } from './job-refs.js';
import { isOver, Phases, type PlannedJob } from './phases.js';
import { saturate } from './saturate.js';
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

const NEIGHBOUR = '{neighbour}';
const STEPS_MAX = 40;

type Move = () => void;

export function composeSteps(dice: Dice, swarm: Swarm, limits: Limits, steering: Steering): readonly Step[] {
  return new Composer(dice, swarm, limits, steering).compose();
}

class Composer {
  private readonly dice: Dice;
  private readonly swarm: Swarm;
  private readonly limits: Limits;
  private readonly steering: Steering;
  private readonly phases: Phases;
  private readonly steps: Step[] = [];
  /** Deadlines that have been probed, by job and timer. */
  private readonly probed = new Set<string>();
  private labels = 0;

  constructor(dice: Dice, swarm: Swarm, limits: Limits, steering: Steering) {
    this.dice = dice;
    this.swarm = swarm;
    this.limits = limits;
    this.steering = steering;
    this.phases = new Phases(swarm.workers);
  }

  compose(): readonly Step[] {
    while (this.steps.length < this.swarm.steps) {
      if (this.phases.jobs.length > 0 && this.dice.chance(this.swarm.illegalPerCent)) this.illegal();
      else this.dice.weighted(this.moves())?.();
    }
    // At the end: after it nothing is as the plan thinks.
    if (this.swarm.saturates) {
      const neighbour = this.swarm.neighbour ? NEIGHBOUR : null;
      const saturation = saturate(this.dice, this.limits, { label: this.nextLabel(), neighbour });
      this.steps.push(...saturation);
    }
    this.close();
    return this.steps.slice(0, STEPS_MAX);
  }

  private moves(): readonly Weighted<Move>[] {
    return [...this.submissions(), ...this.jobMoves(), ...this.watches(), ...this.probes(), ...this.others()];
  }

  private submissions(): readonly Weighted<Move>[] {
    const { operations, jobsMax } = this.swarm;
    const alive = this.phases.jobs.filter((job) => !isOver(job)).length;
    if (this.phases.jobs.length >= 2 * jobsMax || (alive >= jobsMax && this.phases.jobs.length > 0))
      return [];
    const weight = this.phases.jobs.length === 0 ? 100 : alive === 0 ? 8 : 4;
    return (['run', 'runsync'] as const)
      .filter((op) => operations[op])
      .map((op) => ({ item: () => this.submit(op), weight: op === 'run' ? weight : weight / 2 }));
  }

  private submit(op: 'run' | 'runsync'): void {
    const { step, job } = drawSubmission(this.dice, this.swarm, this.limits, this.nextLabel(), op);
    // A call that waits for its reply would keep everybody else waiting, unless it has a lane of its own.
    if (op === 'runsync' && this.dice.chance(70)) {
      // Whatever else happens at this instant goes first: the lanes' order on a tie is not the plan's.
      this.phases.advanceTo(this.phases.nowMs + 1);
      this.steps.push({ ...step, lane: `sync-${step.job}`, at: { sinceStartMs: this.phases.nowMs } });
      this.phases.submit(job);
      this.pause(this.dice.pick([100, 500, 2_000]));
      return;
    }
    this.push(step, this.gap());
    const planned = this.phases.submit(job);
    if (op === 'runsync') {
      this.phases.advanceToEndOf(planned, this.phases.nowMs + (job.waitMs ?? 0));
      this.phases.look(planned);
    }
  }

  private jobMoves(): readonly Weighted<Move>[] {
    return this.phases.jobs.flatMap((job) =>
      JOB_OPERATIONS.filter((op) => this.swarm.operations[op]).map((op) => ({
        item: () => this.act(op, job),
        weight: JOB_WEIGHTS[job.phase][op] * this.steering(job.phase, op) * worthWhile(op, job),
      })),
    );
  }

  /** A call about a job; where it may change something, often with a look before and one after. */
  private act(op: JobOperation, job: PlannedJob, at: When | undefined = this.gap()): void {
    const changes = op !== 'status';
    let when = at;
    if (changes && this.dice.chance(45)) {
      this.call('status', job, when);
      when = undefined;
    }
    const wasRunning = job.phase === 'IN_PROGRESS';
    this.call(op, job, when);
    // What one read leaves over the next one brings, or nobody does.
    if (op === 'stream' && this.dice.chance(30)) this.call('stream', job, undefined);
    if (changes && this.dice.chance(40)) this.call('status', job, undefined);
    // A handler that was not stopped shows it only later on.
    if (
      op === 'cancel' &&
      wasRunning &&
      this.swarm.operations.stream &&
      this.dice.chance(job.work.streams ? 80 : 40)
    ) {
      const waitMs = Math.max(8 * SECOND_MS, Math.min(job.work.forMs, MINUTE_MS) + 2 * this.limits.marginMs);
      this.phases.advanceTo(this.phases.nowMs + waitMs);
      this.call('stream', job, { waitMs });
    }
    if (changes && this.swarm.operations.health && this.dice.chance(15))
      this.push({ do: 'health' }, undefined);
  }

  private call(op: JobOperation, job: PlannedJob, at: When | undefined): void {
    const elsewhere = this.swarm.neighbour && this.dice.chance(15);
    const ttl = op === 'status' && !elsewhere ? this.newTtl() : null;
    const step: JobStep = {
      do: op,
      job: this.refTo(job),
      ...(ttl === null ? {} : { ttl }),
      ...(elsewhere ? { endpoint: NEIGHBOUR } : {}),
    };
    this.push(step, at);
    if (elsewhere) return;
    if (op === 'status') this.phases.look(job);
    if (ttl !== null) this.phases.setTtl(job, ttl);
    if (op === 'cancel') this.phases.cancel(job);
    if (op === 'retry') this.phases.retry(job);
  }

  /** Now and then, where the script is about `ttl`, a look sets it anew. */
  private newTtl(): number | null {
    const { timer } = this.swarm;
    if ((timer !== 'ttl' && timer !== 'mixed') || !this.dice.chance(15)) return null;
    return this.dice.pick([6 * SECOND_MS, 30 * SECOND_MS, 10 * MINUTE_MS, 25 * HOUR_MS]);
  }

  /** Waits for the end of work that will end by itself, watching closely. */
  private watches(): readonly Weighted<Move>[] {
    return this.phases.jobs.flatMap((job) => {
      const endsMs = this.phases.workEndsMs(job);
      const waitMs = (endsMs ?? Infinity) - this.phases.nowMs;
      if (endsMs === null || waitMs > this.limits.maxWaitMs) return [];
      return [{ item: () => this.watch(job, endsMs), weight: waitMs < HOUR_MS ? 4 : 0.5 }];
    });
  }

  private watch(job: PlannedJob, endsMs: number): void {
    const { marginMs } = this.limits;
    if (!job.seen.has('started')) this.call('status', job, undefined);
    const beforeMs = Math.max(this.phases.nowMs, endsMs - marginMs);
    const step: AwaitStep = {
      do: 'await',
      job: job.label,
      until: ENDED_STATUSES,
      everyMs: Math.max(100, marginMs >> 1),
      timeoutMs: 2 * marginMs + 2 * SECOND_MS,
    };
    this.push(step, { waitMs: beforeMs - this.phases.nowMs });
    this.phases.advanceTo(endsMs);
    this.phases.look(job);
  }

  private probes(): readonly Weighted<Move>[] {
    return deadlinesOf(this.phases, this.limits)
      .filter((deadline) => !this.probed.has(keyOf(deadline)))
      .map((deadline) => ({
        item: () => this.probe(deadline),
        weight: deadline.timer === this.swarm.timer ? 8 : this.swarm.timer === 'mixed' ? 2 : 0.25,
      }));
  }

  /** Looks, or does something else, just before a deadline and just after it. */
  private probe(deadline: PlannedDeadline): void {
    this.probed.add(keyOf(deadline));
    const { job, milestone } = deadline;
    if (!job.seen.has(milestone)) this.call('status', job, undefined);
    const marginMs = Math.max(1, this.limits.marginMs) * this.dice.pick([1, 1, 1, 2]);
    const { before, after } = probesOf(deadline, marginMs);
    if (before.planMs >= this.phases.nowMs && this.dice.chance(75)) this.look(job, before);
    if (after.planMs >= this.phases.nowMs) this.look(job, after);
  }

  private look(job: PlannedJob, probe: PlannedProbe): void {
    const others = JOB_OPERATIONS.filter((op) => this.swarm.operations[op]);
    this.act(this.dice.chance(70) ? 'status' : this.dice.pick(others), job, this.until(probe));
  }

  /** The step's time, with the plan moved on to it. */
  private until({ at, planMs }: PlannedProbe): When {
    this.phases.advanceTo(planMs);
    return at;
  }

  private others(): readonly Weighted<Move>[] {
    const { operations } = this.swarm;
    const waiting = this.phases.jobs.some(({ phase }) => phase === 'IN_QUEUE') ? 'IN_QUEUE' : 'none';
    const moves: Weighted<Move>[] = [];
    const add = (on: boolean, weight: number, item: Move): void => {
      if (on && this.phases.jobs.length > 0) moves.push({ item, weight });
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
      this.pause(this.dice.pick([SECOND_MS, 12 * SECOND_MS, 25 * SECOND_MS, MINUTE_MS])),
    );
    return moves;
  }

  private purge(): void {
    if (!this.endpointCall('purge-queue')) return;
    this.phases.purge();
    const gone = this.phases.jobs.filter(({ phase }) => phase === 'GONE');
    if (gone.length > 0 && this.dice.chance(50)) this.call('status', this.dice.pick(gone), undefined);
  }

  /** False when it went to the endpoint next door. */
  private endpointCall(op: 'purge-queue' | 'health'): boolean {
    const elsewhere = this.swarm.neighbour && this.dice.chance(30);
    this.push({ do: op, ...(elsewhere ? { endpoint: NEIGHBOUR } : {}) }, this.gap());
    return !elsewhere;
  }

  private changeWorkers(): void {
    const count = Math.min(this.limits.maxWorkers, this.dice.pick([0, 1, 1, 2, 3]));
    this.push({ do: 'workers', count }, this.gap());
    this.phases.setWorkers(count);
  }

  private burst(): void {
    const [op, count] = this.dice.pick([
      ['purge-queue', 3],
      ['cancel', 101],
      ['requests', 11],
      ['health', 5],
    ] as const);
    this.push({ do: 'burst', op, count }, this.gap());
    if (op === 'purge-queue') this.phases.purge();
  }

  private illegal(): void {
    if (this.dice.chance(8)) return this.farOutOfRange();
    const wrong = this.wrongState();
    if (wrong.length > 0 && this.dice.chance(50)) return this.dice.pick(wrong)();
    const labels = this.phases.jobs.map(({ label }) => label);
    this.push(drawIllegal(this.dice, this.swarm, this.nextLabel(), labels), this.gap());
    if (this.dice.chance(30)) this.call('status', this.dice.pick(this.phases.jobs), undefined);
  }

  /** Whether the target refuses the number or mends it is open; that it takes it as it is shows by and by. */
  private farOutOfRange(): void {
    const label = this.nextLabel();
    const { step, looks } = drawFarOutOfRange(this.dice, label, this.limits);
    this.push(step, this.gap());
    const submittedMs = this.phases.nowMs;
    for (const { plusMs, ttl } of looks) {
      this.phases.advanceTo(submittedMs + plusMs);
      this.steps.push({
        do: 'status',
        job: label,
        ...(ttl === undefined ? {} : { ttl }),
        at: { job: label, milestone: 'submitted', side: 'latest', plusMs },
      });
    }
  }

  private wrongState(): readonly Move[] {
    return this.phases.jobs.flatMap((job) => {
      const retryable = job.phase === 'FAILED' || job.phase === 'TIMED_OUT';
      return [
        ...(retryable || !this.swarm.operations.retry ? [] : [() => this.act('retry', job)]),
        ...(isOver(job) && this.swarm.operations.cancel ? [() => this.act('cancel', job)] : []),
      ];
    });
  }

  private close(): void {
    for (const job of this.phases.jobs) if (this.dice.chance(60)) this.call('status', job, this.gap());
    if (this.swarm.operations.health && this.dice.chance(40)) this.push({ do: 'health' }, this.gap());
  }

  private pause(waitMs: number): void {
    this.push({ do: 'pause' }, { waitMs });
    this.phases.advanceTo(this.phases.nowMs + waitMs);
  }

  /** Mostly at once or a little later; the plan is moved on. */
  private gap(): When | undefined {
    const waitMs = this.dice.pick([0, 0, 0, 100, 500, 1_000, 3_000, 10_000]);
    this.phases.advanceTo(this.phases.nowMs + waitMs);
    return waitMs === 0 ? undefined : { waitMs };
  }

  private push(step: Step, at: When | undefined): void {
    const { at: _, ...plain } = step;
    this.steps.push(at === undefined || ('waitMs' in at && at.waitMs === 0) ? plain : { ...plain, at });
  }

  private refTo(job: PlannedJob): JobRef {
    return this.dice.chance(this.swarm.nthPerCent) ? nthNewest(job, this.phases.jobs) : job.label;
  }

  private nextLabel(): string {
    this.labels += 1;
    return labelOf(this.labels - 1);
  }
}

const keyOf = ({ job, timer }: PlannedDeadline): string => `${job.label} ${job.retries} ${timer}`;
