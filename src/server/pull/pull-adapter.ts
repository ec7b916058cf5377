import type { CoreReply, WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';
import type { HandlerRunner, RunnerPorts, StartEffect } from '../handlers/handler-runner.js';
import type { WaitingCall } from '../calls/waiting-calls.js';
import { createPendingWork } from '../pending-work.js';
import { JSON_TYPE } from '../calls/refusals.js';
import { createLongPoll, type LongPoll } from './long-poll.js';
import { createRemoteWorkers, type RemoteWorker, type ClaimPoll } from './remote-workers.js';
import type { PullRoute } from './routes.js';

/** Workers give up after 90 s; the empty answer has to arrive earlier. */
const POLL_MS = 85_000;

/** How many sent stop notices are remembered, the newest ones. */
const SENT_STOPS_MAX = 1_000;

/** An attempt assigned to a worker. */
interface Assignment {
  readonly worker: RemoteWorker;
  readonly job: string;
  /** The worker has confirmed that it has the job. */
  known: boolean;
}

/**
 * Adapts the pull protocol of remote workers to the host: to the host it is a runner of handlers whose
 * handlers run elsewhere.
 */
export class PullAdapter implements HandlerRunner {
  private readonly ports: RunnerPorts;
  private readonly pollMs: number;
  private readonly workers = createRemoteWorkers();
  private readonly assignments = new Map<number, Assignment>();
  /** Jobs that a worker was told to stop, with the worker (`stopOf`), oldest first. */
  private readonly sentStops = new Set<string>();
  /** Answers being written: they belong to the present instant. */
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
    const poll = createLongPoll(this.pollMs, (why) => {
      drop(worker.claimPolls, claimPoll);
      if (why === 'elapsed') this.handOver(poll, NOTHING);
      this.ask(worker);
    });
    const claimPoll: ClaimPoll = { poll, jobsMax, inList };
    worker.claimPolls.push(claimPoll);
    this.ask(worker);
    return poll.call;
  }

  pollStops(endpoint: string, id: string): WaitingCall {
    const worker = this.workers.of(endpoint, id);
    const poll = createLongPoll(this.pollMs, (why) => {
      drop(worker.stopPolls, poll);
      if (why === 'elapsed') this.handOver(poll, NOTHING);
      this.workers.forgetIfIdle(worker);
    });
    worker.stopPolls.push(poll);
    this.seen(worker, []);
    this.sendStops(worker);
    return poll.call;
  }

  ping(endpoint: string, id: string, jobs: readonly string[]): void {
    const worker = this.workers.of(endpoint, id);
    for (const attempt of worker.attempts) {
      const assignment = this.assignments.get(attempt)!;
      assignment.known ||= jobs.includes(assignment.job);
    }
    this.seen(worker, jobs);
    this.repeatStops(worker, jobs);
  }

  /**
   * Passes a worker's report on a job to the core. False, without effect, when this worker is not running the
   * job.
   */
  report(endpoint: string, id: string, job: string, report: WorkerReport): boolean {
    const worker = this.workers.of(endpoint, id);
    const attempt = this.ports.attemptOf(endpoint, id, job);
    if (attempt === null) {
      // The worker need not be told to stop it.
      worker.jobsToStop.delete(job);
      this.workers.forgetIfIdle(worker);
      return false;
    }
    const assignment = this.assignments.get(attempt);
    if (assignment !== undefined) assignment.known = true;
    if (report.kind === 'success' || report.kind === 'error') this.forget(attempt);
    this.seen(worker, [job]);
    this.ports.report(attempt, report);
    if (worker.leaving) this.leave(worker);
    this.workers.forgetIfIdle(worker);
    return true;
  }

  /** Removes the worker once it holds no job. */
  leaveWhenIdle(endpoint: string, id: string): void {
    const worker = this.workers.of(endpoint, id);
    worker.leaving = true;
    this.leave(worker);
    this.workers.forgetIfIdle(worker);
  }

  start(effect: StartEffect): void {
    const worker = this.workers.of(effect.endpoint, effect.worker);
    worker.jobsToStop.delete(effect.job);
    this.assignments.set(effect.attempt, { worker, job: effect.job, known: false });
    worker.attempts.add(effect.attempt);
    worker.outbox.push(effect);
    // Other jobs assigned at this instant go into the same answer.
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
    for (const { poll } of worker.claimPolls.splice(0)) this.handOver(poll, NOTHING);
    this.workers.forgetIfIdle(worker);
  }

  settling(): Promise<void> | null {
    return this.pendingWork.size === 0 ? null : this.pendingWork.settled();
  }

  close(): void {
    for (const worker of this.workers.all()) {
      for (const { poll } of worker.claimPolls.splice(0)) this.handOver(poll, CLOSING);
      for (const poll of worker.stopPolls.splice(0)) this.handOver(poll, CLOSING);
    }
  }

  /**
   * Asks the core for as many jobs as the worker's open polls take; the core forgets a request once it has
   * answered it.
   */
  private ask(worker: RemoteWorker): void {
    const jobs = worker.claimPolls.reduce((sum, { jobsMax }) => sum + jobsMax, 0);
    const source = { endpoint: worker.endpoint, worker: worker.id };
    this.ports.act(
      jobs === 0
        ? { kind: 'worker-withdraws-request', ...source }
        : { kind: 'worker-requests-jobs', ...source, jobs },
    );
    this.workers.forgetIfIdle(worker);
  }

  private seen(worker: RemoteWorker, jobs: readonly string[] | null): void {
    this.ports.act({ kind: 'worker-heartbeat', endpoint: worker.endpoint, worker: worker.id, jobs });
  }

  private leave(worker: RemoteWorker): void {
    if (worker.attempts.size > 0) return;
    worker.leaving = false;
    this.ports.act({ kind: 'worker-leaves', endpoint: worker.endpoint, worker: worker.id });
    // A process that keeps running asks again and counts as a new worker.
    this.askEnded(worker.endpoint, worker.id);
  }

  /**
   * Repeats a stop notice that came before the worker had begun the job: it still names the job in its
   * heartbeat.
   */
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
    // Attempts that were cancelled meanwhile are skipped.
    const jobs = worker.outbox.filter(({ attempt }) => this.assignments.has(attempt));
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

  /** Returns jobs that the worker cannot have received, as if they had never been assigned. */
  private returnUndelivered(effects: readonly StartEffect[]): void {
    // Each goes to the front of the queue, so the last comes first.
    for (const { attempt } of effects.toReversed()) {
      if (this.assignments.get(attempt)?.known !== false) continue;
      this.forget(attempt);
      this.ports.report(attempt, { kind: 'not-delivered' });
    }
  }

  private forget(attempt: number): Assignment | undefined {
    const assignment = this.assignments.get(attempt);
    this.assignments.delete(attempt);
    assignment?.worker.attempts.delete(attempt);
    return assignment;
  }

  private sendStops(worker: RemoteWorker): void {
    const poll = worker.jobsToStop.size === 0 ? undefined : worker.stopPolls.pop();
    if (poll !== undefined) {
      const jobs = [...worker.jobsToStop];
      worker.jobsToStop.clear();
      for (const job of jobs) this.sentStops.add(stopOf(worker, job));
      for (const oldest of this.sentStops) {
        if (this.sentStops.size <= SENT_STOPS_MAX) break;
        this.sentStops.delete(oldest);
      }
      this.handOver(poll, json({ jobsToStop: jobs }), () => {
        const same = this.workers.of(worker.endpoint, worker.id);
        // A job that was assigned to it again meanwhile must run.
        const still = jobs.filter((job) => this.ports.attemptOf(worker.endpoint, worker.id, job) === null);
        for (const job of still) same.jobsToStop.add(job);
        this.sendStops(same);
      });
    }
    this.workers.forgetIfIdle(worker);
  }

  private handOver(poll: LongPoll, reply: CoreReply, onLost?: () => void): void {
    this.pendingWork.add(poll.answer(reply, onLost));
  }
}

const stopOf = ({ endpoint, id }: RemoteWorker, job: string): string => JSON.stringify([endpoint, id, job]);
const json = (body: Json): CoreReply => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body });
const NOTHING: CoreReply = { status: 204, headers: {}, body: null };
/** The next poll must open a new connection. */
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
