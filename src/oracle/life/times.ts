/**
 * `delayTime` and `executionTime` are the target's own measurements of two differences in the job's life.
 * The document does not show their unit: both are followed until one of them no longer fits.
 */
import { recordOf, seconds } from '../reading.js';
import type { Context } from './context.js';
import type { Hypothesis } from './hypothesis.js';
import type { Operation } from './operations.js';
import { RULES } from './rules.js';
import { ENDED, QUEUED, STARTED, SUBMITTED, type Zone } from './zone.js';

const UNIT_MS = { ms: 1, s: 1000 } as const;

/** Narrows by the two fields where they are there, and adds what is left to `found`. None: they contradict what was observed. */
export function times(ctx: Context, at: Hypothesis, op: Operation, found: Hypothesis[]): void {
  // After a retry or a second run, which of the runs and waits they tell of is not shown: all of them at the most.
  const told = hasRun(at) && at.runs <= at.retries && op.call !== null ? recordOf(op.call) : null;
  const delay = counted(told?.['delayTime']);
  const execution = counted(told?.['executionTime']);
  if (delay === null && execution === null) {
    found.push(at);
    return;
  }
  for (const unit of at.unit === null ? UNITS : [at.unit]) {
    const zone = at.zone.copy();
    if (delay !== null && !measures(ctx, at, zone, RULES.delayTime, delay, unit)) continue;
    if (execution !== null && !measures(ctx, at, zone, RULES.executionTime, execution, unit)) continue;
    found.push({ ...at, unit, zone });
  }
}

const UNITS = ['ms', 's'] as const;

function hasRun({ place }: Hypothesis): boolean {
  return place === 'completed' || place === 'failed' || place === 'timed-out';
}

function counted(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function measures(
  ctx: Context,
  at: Hypothesis,
  zone: Zone,
  rule: typeof RULES.delayTime | typeof RULES.executionTime,
  value: number,
  unit: 'ms' | 's',
): boolean {
  const perUnit = UNIT_MS[unit];
  const slackMs = ctx.graceMs + perUnit;
  const beforeMs = rule === RULES.executionTime ? at.spentMs : 0;
  const [field, later, earlier] =
    rule === RULES.delayTime
      ? (['delayTime', STARTED, at.retries > 0 ? SUBMITTED : QUEUED] as const)
      : (['executionTime', ENDED, STARTED] as const);
  const say = (): readonly string[] => [
    `${field} ${value} (read as ${unit})`,
    `but it lasted between ${seconds(-zone.bound(earlier, later))} and ${seconds(zone.bound(later, earlier))}`,
  ];
  return (
    (at.retries > 0 || ctx.bound(rule, zone, later, earlier, value * perUnit + slackMs, say, slackMs)) &&
    ctx.bound(rule, zone, earlier, later, -(value * perUnit - slackMs - beforeMs), say, slackMs)
  );
}
