/** For how long a job could be read after its end, where its submission alone says when its `ttl` strikes. */
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  RUN_RETENTION_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import type { Place } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import { remembered } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { orLater, plus, theOne, type Span } from './spans.js';

interface Kept {
  /** Where it ended. */
  readonly place: Place;
  readonly ended: Span;
  /** When it ceased to be found. */
  readonly seen: Span;
  /** When its `ttl` strikes: what that deleted tells nothing of its retention, unless nothing else ever would have. */
  readonly ttlEnds: Span;
}

/** Null where nothing tells. */
export const kept = remembered((job: SeenJob): Kept | null => {
  const place = job.life.agreed((at) => (at.place === 'gone' ? at.goneFrom : at.place)) ?? null;
  const seen = job.expiry({ cancelled: place === 'cancelled' });
  const { ttlMs } = job;
  if (place === null || seen === null || ttlMs === null || isTtlSetLater(job)) return null;
  if ((place === 'cancelled' || job.calls('cancel').length > 0) && !job.isStopped) return null;
  return { place, ended: job.when(ENDED), seen, ttlEnds: plus(job.submitted, ttlMs) };
});

/** `/status` was asked to set its `ttl`, whatever came of it. */
export function isTtlSetLater(job: SeenJob): boolean {
  return job.calls('status').some(({ request }) => request.query['ttl'] !== undefined);
}

/** When a job that ended then is deleted, if it is kept as a completed one is. */
export function retentionEnd({ job }: SeenJob, ended: Span): Span {
  const { terms } = job;
  const leastMs = Math.min(...terms.map(({ keptAtLeastMs }) => keptAtLeastMs));
  return plus(ended, leastMs, Math.max(...terms.map(({ keptAtMostMs }) => keptAtMostMs)));
}

/** Of a `/runsync` job that completed, where its `ttl` comes after any retention. */
export function keptSync(job: SeenJob): Kept | null {
  const found = kept(job);
  if (found?.place !== 'completed' || !job.job.sync) return null;
  return found.ttlEnds.fromMs < found.ended.byMs + RUN_RETENTION_MS ? null : found;
}

/** Was the result of this `/runsync` job kept as that of any, or as that of a `/run` job? */
export function asRunsyncOrRun(job: SeenJob, { seen, ended }: Kept): 'as-runsync' | 'as-run' | null {
  const atMostMs = job.job.life.waitGiven ? RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : WAIT_DEFAULT_MS;
  return theOne(job.scene, seen, {
    'as-runsync': plus(ended, RUNSYNC_RETENTION_MS, atMostMs),
    'as-run': orLater(plus(ended, RUN_RETENTION_MS)),
  });
}
