/** How a job is deleted. */
import { seconds } from '../observed/reading.js';
import type { Context } from './context.js';
import { isFinished, type Draft, type Hypothesis } from './hypothesis.js';
import { UNSUCCESSFUL_KEPT_MS, type Life } from './life.js';
import { RULES } from './rules.js';
import { ENDED, LIFE, ZERO, type Zone } from './zone.js';

/** The job is deleted: by its ttl, or because its result's time is over. */
export function vanish(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft[] {
  const found: Draft[] = [];
  const gone = (goneBy: 'ttl' | 'retention', zone: Zone): void => {
    found.push({ ...from, place: 'gone', zone, goneBy, goneFrom: from.place });
  };
  const { ttlMs } = from.terms;
  const earlyMs = ttlMs === null ? 0 : ctx.earlyFor(ttlMs);
  const expiredByMs = ttlMs === null ? Infinity : byMs - ttlMs + earlyMs;
  const byTtl = from.zone.copy();
  if (ttlMs === null) gone('ttl', byTtl);
  else if (!ctx.isPlain || byTtl.allows(LIFE, ZERO, expiredByMs)) {
    const say = (): readonly string[] => [
      `submitted not before ${seconds(byTtl.earliest(LIFE))}, ttl ${seconds(ttlMs)} → not deleted before ${seconds(byTtl.earliest(LIFE) + ttlMs)}`,
      `but it was gone by ${seconds(byMs)}`,
    ];
    const rule = RULES.ttlNotEarly(life, from.place);
    if (ctx.bound(rule, byTtl, LIFE, ZERO, expiredByMs, say, earlyMs)) gone('ttl', byTtl);
  }
  if (from.place === 'cancelled' || from.place === 'purged') {
    gone('retention', from.zone.copy());
  } else if (isFinished(from.place)) {
    const keptMs = from.place === 'completed' ? from.terms.keptAtLeastMs : UNSUCCESSFUL_KEPT_MS;
    const zone = from.zone.copy();
    const rule = from.place === 'completed' ? RULES.retentionNotEarly(life) : RULES.failedKept(from.place);
    const say = (): readonly string[] => [
      `ended not before ${seconds(zone.earliest(ENDED))}, kept for ${seconds(keptMs)} → not deleted before ${seconds(zone.earliest(ENDED) + keptMs)}`,
      `but it was gone by ${seconds(byMs)}`,
    ];
    const keptEarlyMs = ctx.earlyFor(keptMs);
    if (ctx.bound(rule, zone, ENDED, ZERO, byMs - keptMs + keptEarlyMs, say, keptEarlyMs))
      gone('retention', zone);
  }
  return found;
}
