/** When a job may start, and when it must, given when others hold the workers. */
import type { Session } from '../observed/session.js';
import type { RuleSet } from '../model/rule-set.js';
import type { Job } from './observed-jobs.js';

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Workers that a run, or several runs of one job, kept from others. */
export interface Held {
  /** When it certainly held a worker; empty if `toMs ≤ fromMs`. */
  readonly certain: Interval;
  /** When it may have held one, its restart after the run included. */
  readonly possible: Interval;
  /** How many at most. */
  readonly workers: number;
}

export interface Holder extends Held {
  readonly job: Job | null;
  /** It was observed running before any call with a later tick was sent; Infinity if it was not observed. */
  readonly observedTick: number;
}

/** The least and the greatest number of workers at an instant; they differ while a change is in flight. */
function workersAt(session: Session, ms: number): { readonly least: number; readonly most: number } {
  let least = session.workersAtFirst!;
  let most = least;
  let underWay = false;
  for (const change of session.workers) {
    if (change.sentMs > ms) break;
    // Of several changes at one instant, any may be the one in effect.
    underWay ||= change.receivedMs >= ms;
    least = underWay ? Math.min(least, change.workers) : change.workers;
    most = underWay ? Math.max(most, change.workers) : change.workers;
  }
  return { least, most };
}

/**
 * The first instant at which not all workers were certainly busy with other jobs. The job was queued not before `fromMs`, by
 * the call sent at this tick.
 */
export function firstChance(
  session: Session,
  fromMs: number,
  sentTick: number,
  others: readonly Holder[],
): number {
  let ms = fromMs;
  for (let round = 0; round <= others.length + session.workers.length; round += 1) {
    // Within one millisecond, and within the rounding of clocks, a job may have started after another one:
    // only a job that started earlier certainly keeps it waiting. A job observed running before this one was
    // queued did start earlier, whatever the milliseconds are.
    const busy = others.filter(
      ({ certain, observedTick }) => certain.toMs > ms && (certain.fromMs < ms || observedTick < sentTick),
    );
    const { most } = workersAt(session, ms);
    if (busy.length < most) return ms;
    const changes = session.workers.map((change) => change.sentMs).filter((at) => at > ms);
    ms = Math.min(...busy.map(({ certain }) => certain.toMs), ...changes);
    if (ms === Infinity) return Infinity;
  }
  return fromMs;
}

/** Until when a worker that is free from this instant on may take to pick up a job. */
export function freeUntilMs(rules: RuleSet, ms: number): number {
  return ms + rules.graceAt(ms, ms + rules.graceMs);
}

/** An instant by which a worker had certainly been free for as long as it may take to pick up a job. */
export function certainChance(
  rules: RuleSet,
  session: Session,
  queuedByMs: number,
  others: readonly Held[],
): number {
  const instants = [
    queuedByMs,
    ...others.map(({ possible }) => possible.toMs + 1),
    ...session.workers.map((change) => change.receivedMs + 1),
  ].filter((ms) => ms >= queuedByMs && ms < Infinity);
  instants.sort((left, right) => left - right);
  for (const ms of instants) {
    const untilMs = freeUntilMs(rules, ms);
    const busy = others.filter(({ possible }) => possible.fromMs <= untilMs && possible.toMs >= ms);
    const least = Math.min(workersAt(session, ms).least, workersAt(session, untilMs).least);
    if (busy.reduce((sum, { workers }) => sum + workers, 0) < least) return untilMs;
  }
  return Infinity;
}
