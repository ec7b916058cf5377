/** What handlers report about the attempts they were given (section 3). */
import type { WorkerReport } from './api.js';
import { dispatch, end, release } from './lifecycle.js';
import type { Machine } from './machine.js';
import { backToQueue } from './requeue.js';
import type { Job } from './state.js';
import { produce } from './streams.js';
import { answerReaders } from './waiting.js';

/** What a handler reports. Reports of attempts that are over change nothing. */
export function report(m: Machine, attempt: number, what: WorkerReport, nowMs: number): void {
  const job = m.attempts.get(attempt);
  if (job === undefined || !m.rules.reportCounts(job, what)) return;
  if (what.kind === 'progress') {
    job.progress = what.output;
    return;
  }
  if (what.kind === 'stream') {
    produce(m, job, what.output);
    return answerReaders(m, job);
  }
  const ending = m.rules.endingOf(what);
  if (ending === null) return;
  m.attempts.delete(attempt);
  const reason = what.kind === 'crash' ? 'crash' : 'report';
  if (m.rules.runsAgainAfter(job, what)) return redispatch(m, job, reason, nowMs);
  job.crashed = reason === 'crash';
  end(m, job, { ...ending, output: m.rules.outputAtEnd(job, ending) }, reason, nowMs);
}

/** IN_PROGRESS → IN_QUEUE: the service runs the job again by itself. */
function redispatch(m: Machine, job: Job, reason: 'report' | 'crash', nowMs: number): void {
  release(m, job, reason, nowMs);
  job.redispatches++;
  job.endpoint.redispatched++;
  backToQueue(m, job, nowMs);
  dispatch(m, job.endpoint, 'worker-free', nowMs);
}
