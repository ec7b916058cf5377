/**
 * Finer units than milliseconds come into question only where a time is longer than there was a job: else any time that
 * is too long could be called a short one in a finer unit.
 */
import type { Cast, Job } from '../cast/cases.js';
import { isWaitingOrRunning, sightingsOf } from '../cast/sightings.js';
import type { Ledger } from './ledger.js';
import { ALL, COARSE, type TimeUnit } from '../model/times.js';
import { recordOf } from '../observed/reading.js';

/** The units that this run's target may use, as far as it has been judged. */
export function unitsOf(ledger: Ledger, { jobs }: Cast, graceMs: number): readonly TimeUnit[] {
  ledger.timesAreFine ||= jobs.some((job) => outlastsItself(job, graceMs));
  return ledger.timesAreFine ? ALL : COARSE;
}

function outlastsItself(job: Job, graceMs: number): boolean {
  return sightingsOf(job).some(({ call, shows }) => {
    if (shows === 'GONE' || isWaitingOrRunning(shows)) return false;
    const livedMs = call.receivedMs! - job.submitted.sentMs + graceMs;
    const { delayTime, executionTime } = recordOf(call) ?? {};
    return Math.max(Number(delayTime ?? 0), Number(executionTime ?? 0)) > livedMs;
  });
}
