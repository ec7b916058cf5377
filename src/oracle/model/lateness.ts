/** How late the timers of a job's life were seen to strike. */
import type { Decided } from './decided.js';
import { isOverrun, type Hypothesis } from './hypothesis.js';
import { agreed, every, type Look } from './look.js';
import { ENDED, LIFE, STARTED } from './zone.js';

/** How late the job's timers were seen to strike: alive after its deadline, or gone and ended after it. */
export function measureLateness(decided: Decided, look: Look): void {
  const { op, before, after } = look;
  if (op.kind !== 'status') return;
  if (op.code === 404) {
    if (!every(before, ({ place }) => place === 'gone')) goneLate(decided, look);
    return;
  }
  if (op.shows === null || op.answer !== 'ok') return;
  const [first] = after;
  if (first !== undefined) {
    const { place, zone, terms } = first;
    if (terms.ttlMs !== null) decided.late('ttl', op.fromMs - zone.latest(LIFE) - terms.ttlMs, null);
    if (place === 'progress' && terms.executionMs !== null)
      decided.late('executionTimeout', op.fromMs - zone.latest(STARTED) - terms.executionMs, null);
    if (place === 'completed')
      decided.late('retention', op.fromMs - zone.latest(ENDED) - terms.keptAtMostMs, null);
    if (isOverrun(first) && terms.executionMs !== null && !every(before, (at) => at.place === place)) {
      const ranMs = zone.bound(ENDED, STARTED);
      decided.late(
        'executionTimeout',
        -zone.bound(STARTED, ENDED) - terms.executionMs,
        ranMs - terms.executionMs,
      );
    }
  }
  dispatchedLate(decided, look);
}

/** A first run, of which it is known by when a worker was free. */
function dispatchedLate(decided: Decided, { ctx, job, before, after }: Look): void {
  const { byMs } = job.life.startWindow;
  const first = after[0];
  if (byMs === Infinity || first === undefined || first.place === 'queue') return;
  if (!every(before, ({ place }) => place === 'queue') || !every(after, ({ runs }) => runs === 0)) return;
  const freeMs = byMs - ctx.graceMs;
  decided.late('dispatch', first.zone.earliest(STARTED) - freeMs, first.zone.latest(STARTED) - freeMs);
}

/** It had gone by the end of the call, and not before its deadline. */
function goneLate(decided: Decided, { op, after }: Look): void {
  const by = agreed(after, (at) => at.goneBy);
  if (by === undefined || by === null || !every(after, (at) => at.place === 'gone')) return;
  const dueMs = ({ zone, terms }: Hypothesis): number =>
    by === 'ttl'
      ? zone.earliest(LIFE) + (terms.ttlMs ?? Infinity)
      : zone.earliest(ENDED) + terms.keptAtLeastMs;
  const certain = by === 'ttl' || every(after, (at) => at.goneFrom === 'completed');
  const firstMs = Math.min(...after.map(dueMs));
  if (certain && Number.isFinite(firstMs)) decided.late(by, 0, op.byMs - firstMs);
}
