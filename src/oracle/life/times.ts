/**
 * `delayTime` and `executionTime` are the target's own measurements of two differences in the job's life.
 * The document does not show their unit: both are followed until one of them no longer fits.
 */
import { recordOf, seconds } from '../reading.js';
import type { Context } from './context.js';
import type { Hypothesis } from './hypothesis.js';
import type { Operation } from './operations.js';
import { RULES } from './rules.js';
import { ENDED, QUEUED, STARTED, type Instant } from './zone.js';

const UNIT_MS = { ms: 1, s: 1000 } as const;

/** Narrows by the two fields where they are there. Empty: they contradict what was observed. */
export function times(ctx: Context, at: Hypothesis, op: Operation): Hypothesis[] {
  if (at.place !== 'completed' && at.place !== 'failed' && at.place !== 'timed-out') return [at];
  // After a retry or a second run, which of the runs and waits they tell of is not shown.
  if (at.runs > 0 || op.call === null) return [at];
  const record = recordOf(op.call);
  const delay = counted(record?.['delayTime']);
  const execution = counted(record?.['executionTime']);
  if (delay === null && execution === null) return [at];
  const units = at.unit === null ? (['ms', 's'] as const) : [at.unit];
  const found: Hypothesis[] = [];
  for (const unit of units) {
    const one: Hypothesis = { ...at, unit, zone: at.zone.copy() };
    if (delay !== null && !measures(ctx, one, op, RULES.delayTime, STARTED, QUEUED, delay, unit)) continue;
    if (execution !== null && !measures(ctx, one, op, RULES.executionTime, ENDED, STARTED, execution, unit))
      continue;
    found.push(one);
  }
  return found;
}

function counted(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function measures(
  ctx: Context,
  at: Hypothesis,
  op: Operation,
  rule: typeof RULES.delayTime | typeof RULES.executionTime,
  later: Instant,
  earlier: Instant,
  value: number,
  unit: 'ms' | 's',
): boolean {
  const perUnit = UNIT_MS[unit];
  const slackMs = ctx.graceMs + perUnit;
  const field = rule === RULES.delayTime ? 'delayTime' : 'executionTime';
  const say = (): readonly string[] => [
    `${field} ${value} (read as ${unit})`,
    `but it lasted between ${seconds(-at.zone.bound(earlier, later))} and ${seconds(at.zone.bound(later, earlier))}`,
  ];
  return (
    ctx.bound(rule, at.zone, later, earlier, value * perUnit + slackMs, say) &&
    ctx.bound(rule, at.zone, earlier, later, -(value * perUnit - slackMs), say)
  );
}
