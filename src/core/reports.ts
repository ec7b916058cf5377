/** What handlers report about the attempts they were given (section 3). */
import type { WorkerReport } from './api.js';
import { end } from './lifecycle.js';
import { giveBack, lose, redispatch } from './losses.js';
import type { Machine } from './machine.js';
import type { Job } from './state.js';
import { produce } from './streams.js';
import { answerReaders } from './waiting.js';

/** What a handler reports. Reports of attempts that are over change nothing. */
export function report(m: Machine, attempt: number, what: WorkerReport, nowMs: number): void {
  const job = m.attempts.get(attempt);
  if (job === undefined || !m.rules.reportCounts(job, what)) return;
  if (what.kind === 'progress') {
    job.progress = what.output; // of this run only: nobody need keep it
    return;
  }
  if (what.kind === 'stream') {
    produce(m, job, what.output, what.metrics);
    return answerReaders(m, job);
  }
  if (what.kind === 'not-delivered') return giveBack(m, job, nowMs);
  const ending = m.rules.endingOf(what);
  if (ending === null) return;
  m.attempts.delete(attempt);
  const reason = what.kind === 'crash' ? 'crash' : 'report';
  const others = what.kind === 'crash' ? othersOf(m, job) : [];
  if (m.rules.runsAgainAfter(job, what)) redispatch(m, job, reason, nowMs);
  else {
    job.crashed = reason === 'crash';
    end(m, job, { ...ending, output: m.rules.outputAtEnd(job, ending) }, reason, nowMs);
  }
  for (const other of others) lose(m, other, nowMs);
}

/** The jobs that die with it, when it takes its worker with it. */
function othersOf(m: Machine, job: Job): readonly Job[] {
  const worker = job.heldBy;
  if (worker === null || worker.external) return [];
  return [...job.endpoint.fleet.own]
    .flatMap((one) => [...one.jobs.keys()])
    .filter((other) => other !== job && m.rules.diesWith(other, worker.id));
}
