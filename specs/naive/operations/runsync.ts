/** `/runsync` (section 4.1) */
import { refuse, type Answer, type EndpointCall, type Reply } from '../call.js';
import type { Timer } from '../clock.js';
import type { Endpoint } from '../endpoint.js';
import { hasEnded, type Job } from '../job.js';
import { readWait, SECOND_MS } from '../submission.js';
import { isReply, readBody } from './body.js';
import { idAndStatus } from './common.js';

export function runsync(call: EndpointCall, answer: Answer): void {
  const { endpoint } = call;
  const { hooks } = endpoint.service;
  const wait = readWait(call.query.get('wait'), endpoint);
  const submission = readBody(call, 'runsync', wait);
  if (isReply(submission)) return answer(submission);
  const job = hooks.joined(endpoint, submission) ?? endpoint.submit(submission);
  const waiting = new Waiting(endpoint, job, hooks.waitMs(wait ?? 90 * SECOND_MS, wait), answer);
  if (hooks.answersAtOnce(endpoint)) return waiting.give(job);
  waiting.begin();
  call.onGone(() => waiting.close(null));
}

/** A call of `/runsync` that waits for its job. */
export class Waiting {
  readonly endpoint: Endpoint;
  readonly job: Job;
  timer: Timer | undefined;
  private answered = false;
  private readonly waitMs: number;
  private readonly answer: Answer;
  private readonly watch = (): void => this.look(false);

  constructor(endpoint: Endpoint, job: Job, waitMs: number, answer: Answer) {
    this.endpoint = endpoint;
    this.job = job;
    this.waitMs = waitMs;
    this.answer = answer;
  }

  begin(): void {
    const { hooks } = this.endpoint.service;
    this.endpoint.waiting.push(this);
    hooks.waitBegins(this);
    this.job.watchers.add(this.watch);
    this.look(true);
  }

  /** Begins to count the time. */
  arm(): void {
    const { clock, hooks } = this.endpoint.service;
    if (!Number.isFinite(this.waitMs)) return;
    this.timer = clock.at(clock.now() + this.waitMs, () => this.elapsed());
    hooks.timerSet('wait', this.timer, this.endpoint);
  }

  /** Answers with the record of a job that has ended. */
  give(ended: Job): void {
    const { choices, hooks } = this.endpoint.service;
    const body = hooks.runsyncRecord(this.endpoint.record(ended), ended);
    this.close({ code: choices.runsyncCode, body });
  }

  close(reply: Reply | null): void {
    if (this.answered) return;
    const { clock, hooks } = this.endpoint.service;
    const { waiting } = this.endpoint;
    this.answered = true;
    clock.stop(this.timer);
    this.job.watchers.delete(this.watch);
    if (waiting.includes(this)) waiting.splice(waiting.indexOf(this), 1);
    if (reply !== null) this.answer(reply);
    hooks.runsyncAnswered(this.job);
  }

  private look(isFirst: boolean): void {
    const { job } = this;
    if (this.endpoint.service.hooks.missesChange(this, isFirst)) return;
    if (job.deleted) return this.close(refuse(404, 'the job is gone'));
    if (hasEnded(job)) this.give(job);
  }

  private elapsed(): void {
    const { endpoint, job } = this;
    if (endpoint.service.hooks.waitOver(this)) return;
    if (job.deleted) return this.close(refuse(404, 'the job is gone'));
    this.close(hasEnded(job) ? { code: 200, body: endpoint.record(job) } : stillWaiting(endpoint, job));
  }
}

/** What the wait ends with when the job has not ended. */
function stillWaiting(endpoint: Endpoint, job: Job): Reply {
  const { choices, hooks } = endpoint.service;
  const shown = hooks.waitedRecord(endpoint.record(job));
  switch (choices.waitElapsed) {
    case 'record':
      return { code: choices.runsyncCode, body: shown };
    case 'id-and-status':
      return { code: choices.runsyncCode, body: idAndStatus(endpoint, job.id, job.status) };
    case 'accepted-202':
      return { code: 202, body: shown };
    case 'nothing-204':
      return { code: 204 };
    case 'see-other-303':
      return { code: 303, headers: { location: `/v2/${endpoint.id}/status/${encodeURIComponent(job.id)}` } };
    case 'timeout-408':
      return { code: 408, body: shown };
    case 'timeout-504':
      return refuse(504, `job ${job.id} has not ended in time`);
  }
}
