/** How many workers run a job, and how many wait for one, where the number of workers is known. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { ENDED } from '../model/zone.js';
import { meantBy } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isMadeForTests } from '../observed/session.js';
import { howMany, whereDuring, type Census, type Interval } from './census.js';

/** A worker whose job was stopped may need a while before it is idle again: deployed ones about a minute. */
const BACK_WITHIN_MS = 120_000;

export function judgeWorkers(
  scene: Scene,
  call: CallEvent,
  census: Census,
  workers: { readonly [key: string]: unknown },
  check: (id: RequirementId, name: string, value: unknown, range: Interval) => void,
): void {
  const total = workersDuring(scene, call);
  if (total === null || scene.session.run.edition === 'runpod') return;
  const running = howMany(census, ['progress']);
  const busy = { least: Math.min(running.least, total), most: Math.min(total, running.most) };
  const { running: told, idle } = workers;
  observe(scene, call, census, total, told, idle);
  const toldMore = (typeof told === 'number' && told > busy.most) || Number(idle) < total - busy.most;
  if (toldMore) {
    const stopped = howMany(census, ['cancelled', 'timed-out', 'gone', 'failed'], (job) =>
      endedLongAgo(scene, job, call),
    );
    const completed = howMany(census, ['completed'], (job) => !justEnded(scene, job, call));
    busy.most = Math.min(total, busy.most + stopped.most + completed.most);
  }
  // All that are up may count as running, and as idle: what either counts is open (2.7).
  check('4.8/counts-workers-running', 'workers.running', told, told === total ? exactly(total) : busy);
  const free = { least: total - busy.most, most: total - busy.least };
  const isOpen = idle === total || (idle === 0 && told === total);
  check('4.8/counts-workers-idle', 'workers.idle', idle, isOpen ? exactly(idle) : free);
}

const exactly = (count: number): Interval => ({ least: count, most: count });

/** What the two figures count, where it is certain how many workers have a job, and that none of them is still coming back. */
function observe(
  scene: Scene,
  call: CallEvent,
  census: Census,
  total: number,
  running: unknown,
  idle: unknown,
): void {
  const busy = howMany(census, ['progress']);
  const back = howMany(census, ['cancelled', 'timed-out', 'gone', 'failed', 'completed'], (job) =>
    endedLongAgo(scene, job, call),
  );
  if (busy.least !== busy.most || back.most > 0 || busy.most > total) return;
  const { ledger } = scene;
  if (busy.most < total)
    if (running === busy.most) ledger.observe('2.7/workers-running-meaning', 'busy');
    else if (running === total) ledger.observe('2.7/workers-running-meaning', 'live');
  if (busy.most > 0)
    if (idle === total - busy.most) ledger.observe('2.7/workers-idle-meaning', 'started-only');
    else if (idle === total) ledger.observe('2.7/workers-idle-meaning', 'every');
}

/** The endpoint's workers, where they are known and have not just been changed. */
function workersDuring(scene: Scene, call: CallEvent): number | null {
  const { session } = scene;
  if (!isMadeForTests(session)) return null;
  if (session.workers.some((change) => change.sentMs <= call.sentMs)) return null;
  return session.workersAtFirst;
}

/** So lately that its worker may still be tidying up: to take the next job it has as long. */
function justEnded(scene: Scene, job: Job, call: CallEvent): boolean {
  const sinceMs = call.sentMs - scene.graceAt(call.sentMs);
  return scene.lifeOf(job).mayBe(({ zone }) => zone.latest(ENDED) >= sinceMs);
}

/** An earlier count found it ended, and nothing has made it run since. */
function endedLongAgo(scene: Scene, job: Job, call: CallEvent): boolean {
  return scene.cast.roll.counts.some((earlier) => {
    if ((earlier.receivedMs ?? Infinity) + BACK_WITHIN_MS > call.sentMs) return false;
    const where = whereDuring(scene, job, earlier);
    if (typeof where === 'string' || where.has('queue') || where.has('progress')) return false;
    return !job.calls.some(
      (one) => meantBy(one) === 'retry' && (one.endedTick ?? Infinity) > earlier.sentTick,
    );
  });
}
