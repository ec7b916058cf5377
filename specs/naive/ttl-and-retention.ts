/** How long jobs live (`ttl`, section 2.2) and results are kept (sections 4.1 and 4.2). */
import type { Service } from './endpoint.js';
import type { Job } from './job.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './submission.js';
import type { TimerKind } from './hooks.js';

/** Differs from instant to instant, and is the same each time. */
const lateness = (atMs: number, mostMs: number): number => (Math.floor(atMs) * 7919) % (mostMs + 1);

export class Lifespans {
  private readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  watchTtl(job: Job, fromMs: number): void {
    const ms = this.service.hooks.ttl(job.ttlMs, job);
    if (ms !== null) this.expireAt(job, fromMs + ms);
  }

  restartTtl(job: Job): void {
    this.watchTtl(job, this.service.clock.now());
  }

  /** Sets the instant of the job's end of life. */
  expireAt(job: Job, atMs: number): void {
    const { clock, hooks } = this.service;
    clock.stop(job.ttlTimer);
    job.ttlAtMs = atMs;
    if (!Number.isFinite(atMs)) return;
    job.ttlTimer = clock.at(this.swept(atMs, 'ttl'), () => this.ttlExpired(job));
    hooks.timerSet('ttl', job.ttlTimer, job.endpoint);
  }

  /** `/status?ttl=` (section 4.3) */
  setTtl(job: Job, ttlMs: number): void {
    const { clock, choices, hooks } = this.service;
    const fromMs = choices.statusTtlFrom === 'submission' ? job.submittedMs : clock.now();
    let right = ttlMs;
    if (choices.statusTtlBelowMinimum === 'clamped') right = Math.max(10 * SECOND_MS, right);
    if (choices.statusTtlAboveMaximum === 'clamped') right = Math.min(7 * DAY_MS, right);
    const ms = hooks.statusTtl(right, job);
    if (ms === null) return;
    if (fromMs + ms <= clock.now()) return job.endpoint.remove(job);
    if (hooks.keepsStatusTtl()) job.ttlMs = ms;
    this.expireAt(job, fromMs + ms);
  }

  /** When what is due at `atMs` is really done. */
  swept(atMs: number, what: TimerKind): number {
    const { expiry, timersLateMs } = this.service.choices;
    const sweptMs = this.service.hooks.swept(atMs, what);
    if (sweptMs !== null) return sweptMs;
    return expiry === 'sweep' ? Math.ceil(atMs / 500) * 500 : atMs + lateness(atMs, timersLateMs);
  }

  retain(job: Job): void {
    const right = { ms: this.retentionMs(job), fromMs: this.service.clock.now() };
    const { ms, fromMs } = this.service.hooks.retention(right, job);
    this.retainUntil(job, fromMs + ms);
  }

  retainUntil(job: Job, untilMs: number): void {
    const { clock, choices, hooks } = this.service;
    clock.stop(job.retentionTimer);
    job.retainedUntilMs = untilMs;
    if (!Number.isFinite(untilMs)) return;
    job.retentionTimer = clock.at(this.swept(untilMs, 'retention'), () => {
      if (hooks.retentionOver(job) || choices.expiry === 'lazy') return;
      job.endpoint.remove(job);
    });
    hooks.timerSet('retention', job.retentionTimer, job.endpoint);
  }

  private ttlExpired(job: Job): void {
    const { choices, hooks } = this.service;
    if (job.deleted || (choices.expiry === 'lazy' && job.status !== 'IN_PROGRESS')) return;
    if (!hooks.ttlExpires(job)) job.endpoint.remove(job);
  }

  private retentionMs({ status, kind, waitMs, submittedMs }: Job): number {
    const { choices } = this.service;
    if (status === 'CANCELLED' && choices.cancelledAfter === 'gone') return 0;
    if (status === 'CANCELLED' && choices.cancelledAfter === 'kept-one-minute') return MINUTE_MS;
    const unsuccessful = status === 'FAILED' || status === 'TIMED_OUT';
    if (unsuccessful && choices.failedRetention === 'until-ttl') return Infinity;
    if (kind === 'run') return 30 * MINUTE_MS;
    const waitedMs = waitMs ?? 90 * SECOND_MS;
    if (this.service.clock.now() > submittedMs + waitedMs) {
      if (choices.outlivedRetention === 'as-run') return 30 * MINUTE_MS;
      if (choices.outlivedRetention === 'as-wait') return Math.max(MINUTE_MS, waitedMs);
    }
    if (waitMs === null) return MINUTE_MS;
    switch (choices.waitRetention) {
      case 'minute':
        return MINUTE_MS;
      case 'longer-of-minute-and-wait':
        return Math.min(5 * MINUTE_MS, Math.max(MINUTE_MS, waitMs));
      case 'five-minutes':
        return 5 * MINUTE_MS;
      case 'minute-and-wait':
        return Math.min(5 * MINUTE_MS, MINUTE_MS + waitMs);
    }
  }
}
