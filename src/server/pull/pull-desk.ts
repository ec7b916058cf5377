import type { CoreReply, WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';
import type { HandlerRunner, RunnerPorts, StartEffect } from '../handlers/handler-runner.js';
import type { WaitingCall } from '../waiting-calls.js';
import { createOutstanding } from '../outstanding.js';
import { JSON_TYPE } from '../refusals.js';
import { holdCall, type HeldCall } from './held-call.js';
import { createPods, type Pod, type Take } from './pods.js';
import type { PullRoute } from './routes.js';

/** Workers give up after 90 s; the answer that there is nothing has to be there before. */
export const POLL_MS = 85_000;

/** So many stops are remembered after a worker was told of them, the newest ones. */
const STOPS_TOLD_MAX = 1_000;

/** An attempt in the hands of a worker. */
interface Given {
  readonly pod: Pod;
  readonly job: string;
  /** The worker has shown that it knows of it. */
  known: boolean;
}

/**
 * Where workers from outside wait for jobs and report on them. To the host it is a runner of handlers, whose
 * handlers happen to run elsewhere.
 */
export class PullDesk implements HandlerRunner {
  private readonly ports: RunnerPorts;
  private readonly pollMs: number;
  private readonly pods = createPods();
  private readonly given = new Map<number, Given>();
  /** Jobs that a worker was told to stop, named with the worker (`stopOf`), oldest first. */
  private readonly stopsTold = new Set<string>();
  /** Answers on their way out: they belong to the present instant. */
  private readonly outstanding = createOutstanding();

  constructor(ports: RunnerPorts, pollMs = POLL_MS) {
    this.ports = ports;
    this.pollMs = pollMs;
  }

  take(route: Extract<PullRoute, { readonly kind: 'take' }>): WaitingCall {
    const { jobsMax, inList } = route;
    const pod = this.pods.of(route.endpoint, route.pod);
    if (route.atWork) this.seen(pod, null);
    pod.leaving = false;
    const held = holdCall(this.pollMs, (why) => {
      drop(pod.takes, take);
      if (why === 'elapsed') this.handOver(held, NOTHING);
      this.ask(pod);
    });
    const take: Take = { held, jobsMax, inList };
    pod.takes.push(take);
    this.ask(pod);
    return held.call;
  }

  stops(endpoint: string, id: string): WaitingCall {
    const pod = this.pods.of(endpoint, id);
    const held = holdCall(this.pollMs, (why) => {
      drop(pod.stops, held);
      if (why === 'elapsed') this.handOver(held, NOTHING);
      this.pods.tidy(pod);
    });
    pod.stops.push(held);
    this.seen(pod, []);
    this.tellStops(pod);
    return held.call;
  }

  ping(endpoint: string, id: string, jobs: readonly string[]): void {
    const pod = this.pods.of(endpoint, id);
    for (const attempt of pod.held) {
      const given = this.given.get(attempt)!;
      given.known ||= jobs.includes(given.job);
    }
    this.seen(pod, jobs);
    this.repeatStops(pod, jobs);
  }

  /** False when the job is not this worker's, or not any more; then nothing has changed. */
  report(endpoint: string, id: string, job: string, report: WorkerReport): boolean {
    const pod = this.pods.of(endpoint, id);
    const attempt = this.ports.attemptOf(endpoint, id, job);
    if (attempt === null) {
      // It knows by now.
      pod.toStop.delete(job);
      this.pods.tidy(pod);
      return false;
    }
    const given = this.given.get(attempt);
    if (given !== undefined) given.known = true;
    if (report.kind === 'success' || report.kind === 'error') this.forget(attempt);
    this.seen(pod, [job]);
    this.ports.report(attempt, report);
    if (pod.leaving) this.leave(pod);
    this.pods.tidy(pod);
    return true;
  }

  /** The worker stops once it holds no job. */
  stopsSoon(endpoint: string, id: string): void {
    const pod = this.pods.of(endpoint, id);
    pod.leaving = true;
    this.leave(pod);
    this.pods.tidy(pod);
  }

  start(effect: StartEffect): void {
    const pod = this.pods.of(effect.endpoint, effect.worker);
    pod.toStop.delete(effect.job);
    this.given.set(effect.attempt, { pod, job: effect.job, known: false });
    pod.held.add(effect.attempt);
    pod.outbox.push(effect);
    // What the worker is given besides at this instant goes into the same answer.
    if (pod.outbox.length === 1) this.outstanding.add(Promise.resolve().then(() => this.handOut(pod)));
  }

  stop(attempt: number): void {
    const given = this.forget(attempt);
    if (given === undefined) return;
    const { pod, job } = given;
    if (pod.outbox.some((effect) => effect.attempt === attempt)) return;
    pod.toStop.add(job);
    this.outstanding.add(Promise.resolve().then(() => this.tellStops(pod)));
  }

  askEnded(endpoint: string, id: string): void {
    const pod = this.pods.of(endpoint, id);
    for (const { held } of pod.takes.splice(0)) this.handOver(held, NOTHING);
    this.pods.tidy(pod);
  }

  settling(): Promise<void> | null {
    return this.outstanding.size === 0 ? null : this.outstanding.settled();
  }

  close(): void {
    for (const pod of this.pods.all()) {
      for (const { held } of pod.takes.splice(0)) this.handOver(held, CLOSING);
      for (const held of pod.stops.splice(0)) this.handOver(held, CLOSING);
    }
  }

  /** Asks for as many jobs as its open calls take; the core forgets an ask once it has answered it. */
  private ask(pod: Pod): void {
    const jobs = pod.takes.reduce((sum, { jobsMax }) => sum + jobsMax, 0);
    const who = { endpoint: pod.endpoint, worker: pod.id };
    this.ports.act(jobs === 0 ? { kind: 'worker-withdraws', ...who } : { kind: 'worker-asks', ...who, jobs });
    this.pods.tidy(pod);
  }

  private seen(pod: Pod, jobs: readonly string[] | null): void {
    this.ports.act({ kind: 'worker-seen', endpoint: pod.endpoint, worker: pod.id, jobs });
  }

  private leave(pod: Pod): void {
    if (pod.held.size > 0) return;
    pod.leaving = false;
    this.ports.act({ kind: 'worker-leaves', endpoint: pod.endpoint, worker: pod.id });
    // A process that goes on running asks again, and is a worker again.
    this.askEnded(pod.endpoint, pod.id);
  }

  /** A worker may have been told to stop a job before it had begun it: one that still names the job is told again. */
  private repeatStops(pod: Pod, named: readonly string[]): void {
    for (const job of named)
      if (this.stopsTold.has(stopOf(pod, job)) && this.ports.attemptOf(pod.endpoint, pod.id, job) === null)
        pod.toStop.add(job);
    this.tellStops(pod);
  }

  private handOut(pod: Pod): void {
    // One that was cancelled since has nobody to stop.
    const jobs = pod.outbox.filter(({ attempt }) => this.given.has(attempt));
    pod.outbox = [];
    while (jobs.length > 0) {
      const take = pod.takes.pop();
      if (take === undefined) break;
      const some = jobs.splice(0, take.jobsMax);
      this.handOver(take.held, jobsReply(some, take.inList), () => {
        this.takeBack(some);
      });
    }
    this.takeBack(jobs);
    this.ask(pod);
  }

  /** The worker cannot have learnt of them: as if they had never been given. */
  private takeBack(effects: readonly StartEffect[]): void {
    // Each goes to the front of the queue.
    for (const { attempt } of effects.toReversed()) {
      if (this.given.get(attempt)?.known !== false) continue;
      this.forget(attempt);
      this.ports.report(attempt, { kind: 'not-delivered' });
    }
  }

  private forget(attempt: number): Given | undefined {
    const given = this.given.get(attempt);
    this.given.delete(attempt);
    given?.pod.held.delete(attempt);
    return given;
  }

  private tellStops(pod: Pod): void {
    const held = pod.toStop.size === 0 ? undefined : pod.stops.pop();
    if (held !== undefined) {
      const jobs = [...pod.toStop];
      pod.toStop.clear();
      for (const job of jobs) this.stopsTold.add(stopOf(pod, job));
      for (const oldest of this.stopsTold) {
        if (this.stopsTold.size <= STOPS_TOLD_MAX) break;
        this.stopsTold.delete(oldest);
      }
      this.handOver(held, json({ jobsToStop: jobs }), () => {
        const same = this.pods.of(pod.endpoint, pod.id);
        // One that it was given anew meanwhile must run.
        const still = jobs.filter((job) => this.ports.attemptOf(pod.endpoint, pod.id, job) === null);
        for (const job of still) same.toStop.add(job);
        this.tellStops(same);
      });
    }
    this.pods.tidy(pod);
  }

  private handOver(held: HeldCall, reply: CoreReply, onLost?: () => void): void {
    this.outstanding.add(held.answer(reply, onLost));
  }
}

const stopOf = ({ endpoint, id }: Pod, job: string): string => JSON.stringify([endpoint, id, job]);
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
