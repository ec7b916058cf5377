/** Reports of workers about their attempts (section 3). */
import type { WorkerReport } from '../api.js';
import { endJob } from '../lifecycle.js';
import { returnUndelivered, loseWorker, redispatch } from './redelivery.js';
import type { ServiceState } from '../state.js';
import type { Job } from '../entities.js';
import { addResult } from '../streams.js';
import { answerChunkReaders } from '../waiting-calls.js';

/** Handles a report. Reports about attempts that are over change nothing. */
export function report(state: ServiceState, attempt: number, what: WorkerReport, nowMs: number): void {
  const job = state.attempts.get(attempt);
  if (job === undefined || !state.rules.reportCounts(job, what)) return;
  if (what.kind === 'progress') {
    job.progress = what.output; // lost with a restart, as is the run: nothing to persist
    return;
  }
  if (what.kind === 'stream') {
    addResult(state, job, what.output, what.metrics);
    return answerChunkReaders(state, job);
  }
  if (what.kind === 'not-delivered') return returnUndelivered(state, job, nowMs);
  const ending = state.rules.endingOf(what);
  if (ending === null) return;
  state.attempts.delete(attempt);
  const reason = what.kind === 'crash' ? 'crash' : 'report';
  const others = what.kind === 'crash' ? othersOf(state, job) : [];
  if (state.rules.redispatchesAfter(job, what)) redispatch(state, job, reason, nowMs);
  else {
    job.crashed = reason === 'crash';
    const { status, error } = ending;
    endJob(state, job, { status, output: state.rules.outputAtEnd(job, ending), error }, reason, nowMs);
  }
  for (const other of others) loseWorker(state, other, nowMs);
}

/** The other jobs that are lost when the worker of this job dies. */
function othersOf(state: ServiceState, job: Job): readonly Job[] {
  const worker = job.heldBy;
  if (worker === null || worker.external) return [];
  return [...job.endpoint.pool.own]
    .flatMap((one) => one.jobs)
    .filter((other) => other !== job && state.rules.lostWith(other, worker.id));
}
