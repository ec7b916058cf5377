/** One endpoint: its jobs and what becomes of them. It knows nothing of HTTP. */
import type { Choices } from './choices.js';
import type { Clock } from './clock.js';
import type { Hooks } from './hooks.js';
import type { Ids } from './ids.js';
import { hasEnded, newJob, recordOf, tell, type Job, type Status } from './job.js';
import type { JsonObject } from './json.js';
import { Lifespans } from './ttl-and-retention.js';
import type { Allowance } from './limits.js';
import type { Waiting } from './operations/runsync.js';
import { newDefaults, type EndpointDefaults, type Submission } from './submission.js';
import type { Webhooks } from './webhooks.js';
import { Workers } from './workers.js';

/** What all endpoints of a server share. */
export interface Service {
  readonly clock: Clock;
  readonly choices: Choices;
  readonly hooks: Hooks;
  readonly ids: Ids;
  readonly webhooks: Webhooks;
  readonly endpoints: Map<string, Endpoint>;
  readonly unpermittedKey: string;
}

export class Endpoint {
  readonly id: string;
  readonly service: Service;
  readonly workers: Workers;
  readonly lifespans: Lifespans;
  received = 0;
  closed = false;
  /** After a crash under a fault: every call fails. */
  broken = false;
  readonly jobs = new Map<string, Job>();
  readonly allowances = new Map<string, Allowance>();
  readonly defaults: EndpointDefaults;
  /** Answers that are given again for a while, by path. */
  readonly cache = new Map<string, { untilMs: number; answer: JsonObject }>();
  /** The job submitted last. */
  latest: Job | null = null;
  /** Calls of /runsync that wait, oldest first. */
  readonly waiting: Waiting[] = [];
  readonly counts = { completed: 0, failed: 0, timedOut: 0, cancelled: 0, retried: 0, redispatched: 0 };

  constructor(id: string, workers: number, service: Service) {
    this.id = id;
    this.service = service;
    this.workers = new Workers(this, workers);
    this.lifespans = new Lifespans(service);
    this.defaults = service.hooks.defaults(newDefaults(service.choices));
  }

  submit(submission: Submission): Job {
    const { clock, ids, hooks } = this.service;
    const id = hooks.jobId(ids.next(submission.kind), submission, this);
    const twin = hooks.twin(this, id);
    if (twin !== undefined) return twin;
    const job = newJob(id, submission, clock.now(), this);
    this.jobs.set(id, job);
    this.latest = job;
    this.lifespans.watchTtl(job, job.submittedMs);
    hooks.submitted(job);
    hooks.enter(job, () => this.workers.enqueue(job));
    return job;
  }

  /** Gives the job its final state. */
  settle(job: Job, status: Status, webhookDone?: () => void): void {
    const { clock, hooks } = this.service;
    job.status = status;
    job.endedMs = clock.now();
    if (status === 'COMPLETED') this.counts.completed += 1;
    if (status === 'FAILED') this.counts.failed += 1;
    if (status === 'TIMED_OUT') this.counts.timedOut += 1;
    if (status === 'CANCELLED') this.counts.cancelled += 1;
    hooks.counted(job, status);
    this.lifespans.retain(job);
    hooks.ended(job, status);
    if (hooks.notifies(this.mustNotify(status), job, status)) this.notify(job, webhookDone);
    else webhookDone?.();
    tell(job);
    hooks.shown(job);
  }

  /** Gives a job that is in the queue its final state. */
  endWaiting(job: Job, status: Status): void {
    if (this.service.hooks.leavesQueue('ended')) this.workers.leaveQueue(job);
    this.settle(job, status);
  }

  /** Deletes the job, stops its handler, answers who waits for it. */
  remove(job: Job): void {
    const { clock, hooks } = this.service;
    if (job.deleted) return;
    hooks.removing(job);
    if (hooks.leavesQueue('removed')) this.workers.leaveQueue(job);
    this.forget(job);
    clock.stop(job.ttlTimer);
    clock.stop(job.retentionTimer);
    if (job.run !== null) this.workers.stop(job.run);
  }

  /** Deletes the record alone. */
  forget(job: Job): void {
    job.deleted = true;
    this.jobs.delete(job.id);
    this.service.hooks.forgotten(job);
    tell(job);
  }

  /** Under lazy expiry, removes what is past its time; called before the endpoint is looked at. */
  sweep(): void {
    const { clock, choices } = this.service;
    if (choices.expiry !== 'lazy') return;
    const nowMs = clock.now();
    for (const job of this.jobs.values())
      if (job.ttlAtMs <= nowMs || job.retainedUntilMs <= nowMs) this.remove(job);
  }

  /** The jobs that have ended. */
  ended(): Job[] {
    return [...this.jobs.values()].filter(hasEnded);
  }

  /** Ends everything: the endpoint is being emptied or deleted. */
  close(): void {
    this.closed = true;
    this.workers.close();
    for (const job of this.jobs.values()) this.remove(job);
  }

  record(job: Job): JsonObject {
    const { clock, choices, hooks } = this.service;
    return recordOf(job, clock.now(), choices, hooks);
  }

  /** Calls the job's webhook, then `done`. */
  notify(job: Job, done?: () => void): void {
    const { choices, hooks, webhooks } = this.service;
    const url = hooks.webhookOf(job);
    if (url === null) return done?.();
    const { retries } = job;
    const notice = hooks.notice(
      {
        url,
        body: this.noticeOf(job),
        wanted: () => {
          if (this.closed) return false;
          if (job.deleted && choices.webhookOfDeletedJob === 'stops') return false;
          return job.retries === retries || choices.webhookOnRetryCall === 'continues';
        },
        done: (succeeded) => {
          hooks.noticeDone(job, succeeded);
          done?.();
        },
      },
      job,
    );
    if (notice === null) done?.();
    else webhooks.send(notice);
  }

  private mustNotify(status: Status): boolean {
    const { webhookOn } = this.service.choices;
    if (status === 'COMPLETED') return true;
    if (webhookOn === 'completed') return false;
    if (webhookOn === 'completed-and-failed') return status === 'FAILED';
    return status !== 'CANCELLED' || webhookOn === 'every-end';
  }

  private noticeOf(job: Job): JsonObject {
    const { webhookBody } = this.service.choices;
    const record = this.record(job);
    if (webhookBody === 'id-and-status') return { id: job.id, status: job.status };
    if (webhookBody === 'record-and-input') return { ...record, input: job.input, webhook: job.webhook };
    if (webhookBody === 'event') return { event: 'job.finished', data: record };
    return record;
  }
}
