import type { CoreReply, WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';
import type { HandlerRunner, RunnerPorts, StartEffect } from '../handlers/handler-runner.js';
import type { WaitingCall } from '../waiting-calls.js';
import { createPendingWork } from '../pending-work.js';
import { JSON_TYPE } from '../refusals.js';
import { createLongPoll, type LongPoll } from './long-poll.js';
import { createRemoteWorkers, type RemoteWorker, type ClaimPoll } from './remote-workers.js';
import type { PullRoute } from './routes.js';

/** Workers give up after 90 s; the answer that there is nothing has to be there before. */
const POLL_MS = 85_000;

/** So many stops are remembered after a worker was told of them, the newest ones. */
const SENT_STOPS_MAX = 1_000;

/** An attempt in the hands of a worker. */
interface Assignment {
  readonly worker: RemoteWorker;
  readonly job: string;
  /** The worker has shown that it knows of it. */
  known: boolean;
}

/**
 * Where workers from outside wait for jobs and report on them. To the host it is a runner of handlers, whose
 * handlers happen to run elsewhere.
 */
export class PullAdapter implements HandlerRunner {
  private readonly ports: RunnerPorts;
  private readonly pollMs: number;
  private readonly workers = createRemoteWorkers();
  private readonly assignment = new Map<number, Assignment>();
  /** Jobs that a worker was told to stop, named with the worker (`stopOf`), oldest first. */
  private readonly sentStops = new Set<string>();
  /** Answers on their way out: they belong to the present instant. */
  private readonly pendingWork = createPendingWork();

  constructor(ports: RunnerPorts, pollMs = POLL_MS) {
    this.ports = ports;
    this.pollMs = pollMs;
  }

  claim(route: Extract<PullRoute, { readonly kind: 'claim' }>): WaitingCall {
    const { jobsMax, inList } = route;
    const worker = this.workers.of(route.endpoint, route.worker);
    if (route.atWork) this.seen(worker, null);
    worker.leaving = false;
    const held = createLongPoll(this.pollMs, (why) => {
      drop(worker.claimPolls, claimPoll);
      if (why === 'elapsed') this.handOver(held, NOTHING);
      this.ask(worker);
    });
    const claimPoll: ClaimPoll = { poll: held, jobsMax, inList };
    worker.claimPolls.push(claimPoll);
    this.ask(worker);
    return held.call;
  }

  pollStops(endpoint: string, id: string): WaitingCall {
    const worker = this.workers.of(endpoint, id);
    const held = createLongPoll(this.pollMs, (why) => {
      drop(worker.stopPolls, held);
      if (why === 'elapsed') this.handOver(held, NOTHING);
      this.workers.forgetIfIdle(worker);
    });
    worker.stopPolls.push(held);
    this.seen(worker, []);
    this.sendStops(worker);
    return held.call;
  }

  ping(endpoint: string, id: string, jobs: readonly string[]): void {
    const worker = this.workers.of(endpoint, id);
    for (const attempt of worker.attempts) {
      const assignment = this.assignment.get(attempt)!;
      assignment.known ||= jobs.includes(assignment.job);
    }
    this.seen(worker, jobs);
    this.repeatStops(worker, jobs);
  }

  /** False when the job is not this worker's, or not any more; then nothing has changed. */
  report(endpoint: string, id: string, job: string, report: WorkerReport): boolean {
    const worker = this.workers.of(endpoint, id);
    const attempt = this.ports.attemptOf(endpoint, id, job);
    if (attempt === null) {
      // It knows by now.
      worker.jobsToStop.delete(job);
      this.workers.forgetIfIdle(worker);
      return false;
    }
    const assignment = this.assignment.get(attempt);
    if (assignment !== undefined) assignment.known = true;
    if (report.kind === 'success' || report.kind === 'error') this.forget(attempt);
    this.seen(worker, [job]);
    this.ports.report(attempt, report);
    if (worker.leaving) this.leave(worker);
    this.workers.forgetIfIdle(worker);
    return true;
  }

  /** The worker stops once it holds no job. */
  leaveWhenIdle(endpoint: string, id: string): void {
    const worker = this.workers.of(endpoint, id);
    worker.leaving = true;
    this.leave(worker);
    this.workers.forgetIfIdle(worker);
  }

  start(effect: StartEffect): void {
    const worker = this.workers.of(effect.endpoint, effect.worker);
    worker.jobsToStop.delete(effect.job);
    this.assignment.set(effect.attempt, { worker, job: effect.job, known: false });
    worker.attempts.add(effect.attempt);
    worker.outbox.push(effect);
    // What the worker is given besides at this instant goes into the same answer.
    if (worker.outbox.length === 1) this.pendingWork.add(Promise.resolve().then(() => this.handOut(worker)));
  }

  stop(attempt: number): void {
    const assignment = this.forget(attempt);
    if (assignment === undefined) return;
    const { worker, job } = assignment;
    if (worker.outbox.some((effect) => effect.attempt === attempt)) return;
    worker.jobsToStop.add(job);
    this.pendingWork.add(Promise.resolve().then(() => this.sendStops(worker)));
  }

  askEnded(endpoint: string, id: string): void {
    const worker = this.workers.of(endpoint, id);
    for (const { poll: held } of worker.claimPolls.splice(0)) this.handOver(held, NOTHING);
    this.workers.forgetIfIdle(worker);
  }

  settling(): Promise<void> | null {
    return this.pendingWork.size === 0 ? null : this.pendingWork.settled();
  }

  close(): void {
    for (const worker of this.workers.all()) {
      for (const { poll: held } of worker.claimPolls.splice(0)) this.handOver(held, CLOSING);
      for (const held of worker.stopPolls.splice(0)) this.handOver(held, CLOSING);
    }
  }

  /** Asks for as many jobs as its open calls take; the core forgets an ask once it has answered it. */
  private ask(worker: RemoteWorker): void {
    const jobs = worker.claimPolls.reduce((sum, { jobsMax }) => sum + jobsMax, 0);
    const who = { endpoint: worker.endpoint, worker: worker.id };
    this.ports.act(jobs === 0 ? { kind: 'worker-withdraws', ...who } : { kind: 'worker-asks', ...who, jobs });
    this.workers.forgetIfIdle(worker);
  }

  private seen(worker: RemoteWorker, jobs: readonly string[] | null): void {
    this.ports.act({ kind: 'worker-seen', endpoint: worker.endpoint, worker: worker.id, jobs });
  }

  private leave(worker: RemoteWorker): void {
    if (worker.attempts.size > 0) return;
    worker.leaving = false;
    this.ports.act({ kind: 'worker-leaves', endpoint: worker.endpoint, worker: worker.id });
    // A process that goes on running asks again, and is a worker again.
    this.askEnded(worker.endpoint, worker.id);
  }

  /** A worker may have been told to stop a job before it had begun it: one that still names the job is told again. */
  private repeatStops(worker: RemoteWorker, named: readonly string[]): void {
    for (const job of named)
      if (
        this.sentStops.has(stopOf(worker, job)) &&
        this.ports.attemptOf(worker.endpoint, worker.id, job) === null
      )
        worker.jobsToStop.add(job);
    this.sendStops(worker);
  }

  private handOut(worker: RemoteWorker): void {
    // One that was cancelled since has nobody to stop.
    const jobs = worker.outbox.filter(({ attempt }) => this.assignment.has(attempt));
    worker.outbox = [];
    while (jobs.length > 0) {
      const claimPoll = worker.claimPolls.pop();
      if (claimPoll === undefined) break;
      const some = jobs.splice(0, claimPoll.jobsMax);
      this.handOver(claimPoll.poll, jobsReply(some, claimPoll.inList), () => {
        this.returnUndelivered(some);
      });
    }
    this.returnUndelivered(jobs);
    this.ask(worker);
  }

  /** The worker cannot have learnt of them: as if they had never been given. */
  private returnUndelivered(effects: readonly StartEffect[]): void {
    // Each goes to the front of the queue.
    for (const { attempt } of effects.toReversed()) {
      if (this.assignment.get(attempt)?.known !== false) continue;
      this.forget(attempt);
      this.ports.report(attempt, { kind: 'not-delivered' });
    }
  }

  private forget(attempt: number): Assignment | undefined {
    const assignment = this.assignment.get(attempt);
    this.assignment.delete(attempt);
    assignment?.worker.attempts.delete(attempt);
    return assignment;
  }

  private sendStops(worker: RemoteWorker): void {
    const held = worker.jobsToStop.size === 0 ? undefined : worker.stopPolls.pop();
    if (held !== undefined) {
      const jobs = [...worker.jobsToStop];
      worker.jobsToStop.clear();
      for (const job of jobs) this.sentStops.add(stopOf(worker, job));
      for (const oldest of this.sentStops) {
        if (this.sentStops.size <= SENT_STOPS_MAX) break;
        this.sentStops.delete(oldest);
      }
      this.handOver(held, json({ jobsToStop: jobs }), () => {
        const same = this.workers.of(worker.endpoint, worker.id);
        // One that it was given anew meanwhile must run.
        const still = jobs.filter((job) => this.ports.attemptOf(worker.endpoint, worker.id, job) === null);
        for (const job of still) same.jobsToStop.add(job);
        this.sendStops(same);
      });
    }
    this.workers.forgetIfIdle(worker);
  }

  private handOver(held: LongPoll, reply: CoreReply, onLost?: () => void): void {
    this.pendingWork.add(held.answer(reply, onLost));
  }
}

const stopOf = ({ endpoint, id }: RemoteWorker, job: string): string => JSON.stringify([endpoint, id, job]);
const json = (body: Json): CoreReply => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body });
const NOTHING: CoreReply = { status: 204, headers: {}, body: null };
/** Whoever asks again asks another server, or nobody. */
const CLOSING: CoreReply = { ...NOTHING, headers: { connection: 'close' } };

function jobsReply(effects: readonly StartEffect[], inList: boolean): CoreReply {
  const jobs = effects.map(({ job, input, s3Config }) => ({
    id: job,
    input,
    ...(s3Config !== null && { s3Config }),
  }));
  return json(inList ? jobs : jobs[0]!);
}

function drop<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
