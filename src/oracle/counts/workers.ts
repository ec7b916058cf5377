/** How many workers run a job, and how many wait for one, where the number of workers is known. */
import type { Job } from '../cast/cases.js';
import { ENDED } from '../model/zone.js';
import { meantBy } from '../observed/reading.js';
import { isMadeForTests } from '../observed/session.js';
import { figureIn, howMany, whereDuring, type Census, type Sum } from './census.js';

/** A worker whose job was stopped may need a while before it is idle again: deployed ones about a minute. */
const BACK_WITHIN_MS = 120_000;

/** All that are up may count as running, and as idle: what either counts is open (2.7). */
export function runningWorkers(census: Census, told: number): Sum | null {
  const total = workersDuring(census);
  if (total === null) return null;
  if (told === total) return { least: total, most: total };
  const busy = busyWorkers(census, total);
  return told > busy.most ? { ...busy, most: mostAtWork(census, total, busy) } : busy;
}

export function idleWorkers(census: Census, told: number): Sum | null {
  const total = workersDuring(census);
  if (total === null) return null;
  const isOpen = told === total || (told === 0 && figureIn(census.call, 'workers.running') === total);
  if (isOpen) return { least: told, most: told };
  const busy = busyWorkers(census, total);
  const most = told < total - busy.most ? mostAtWork(census, total, busy) : busy.most;
  return { least: total - most, most: total - busy.least };
}

/** The endpoint's workers, where they are known and have not just been changed. */
function workersDuring({ scene: { session }, call }: Census): number | null {
  if (!isMadeForTests(session) || session.run.edition === 'runpod') return null;
  if (session.workers.some((change) => change.sentMs <= call.sentMs)) return null;
  return session.workersAtFirst;
}

function busyWorkers(census: Census, total: number): Sum {
  const { least, most } = howMany(census, ['progress']);
  return { least: Math.min(least, total), most: Math.min(total, most) };
}

const STOPPED = ['cancelled', 'timed-out', 'gone', 'failed'] as const;

/** With those that may still be on their way back from a job. */
function mostAtWork(census: Census, total: number, busy: Sum): number {
  const stopped = howMany(census, STOPPED, (job) => hasEndedLongAgo(census, job));
  const completed = howMany(census, ['completed'], (job) => !hasJustEnded(census, job));
  return Math.min(total, busy.most + stopped.most + completed.most);
}

/** What the two figures count, where it is certain how many workers have a job, and that none of them is still coming back. */
export function observeWorkers(census: Census): void {
  const { call, scene } = census;
  const total = workersDuring(census);
  const busy = howMany(census, ['progress']);
  if (total === null || busy.least !== busy.most || busy.most > total) return;
  if (howMany(census, [...STOPPED, 'completed'], (job) => hasEndedLongAgo(census, job)).most > 0) return;
  const [running, idle] = [figureIn(call, 'workers.running'), figureIn(call, 'workers.idle')];
  if (busy.most < total)
    if (running === busy.most) scene.ledger.observe('2.7/workers-running-meaning', 'busy');
    else if (running === total) scene.ledger.observe('2.7/workers-running-meaning', 'live');
  if (busy.most > 0)
    if (idle === total - busy.most) scene.ledger.observe('2.7/workers-idle-meaning', 'started-only');
    else if (idle === total) scene.ledger.observe('2.7/workers-idle-meaning', 'every');
}

/** So lately that its worker may still be tidying up: to take the next job it has as long. */
function hasJustEnded({ scene, call }: Census, job: Job): boolean {
  const sinceMs = call.sentMs - scene.graceAt(call.sentMs);
  return scene.lifeOf(job).mayBe(({ zone }) => zone.latest(ENDED) >= sinceMs);
}

/** An earlier count found it ended, and nothing has made it run since. */
function hasEndedLongAgo({ scene, call }: Census, job: Job): boolean {
  return scene.cast.roll.counts.some((earlier) => {
    if ((earlier.receivedMs ?? Infinity) + BACK_WITHIN_MS > call.sentMs) return false;
    const where = whereDuring(scene, job, earlier);
    if (typeof where === 'string' || where.has('queue') || where.has('progress')) return false;
    return !job.calls.some(
      (one) => meantBy(one) === 'retry' && (one.endedTick ?? Infinity) > earlier.sentTick,
    );
  });
}
