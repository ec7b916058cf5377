/**
 * The features of one script: some are switched off entirely, so that the remaining ones meet more often
 * (swarm testing).
 */
import type { Limits } from '../scenario/script.js';
import type { RandomSource } from './random-source.js';

const OPERATIONS_DRAWN = [
  'run',
  'runsync',
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
  'requests',
  'workers',
  'burst',
] as const;
type DrawnOperation = (typeof OPERATIONS_DRAWN)[number];

/** Timers mask each other (a short ttl hides retention), so most scripts are about one timer. */
const TIMERS = ['none', 'ttl', 'executionTimeout', 'retention', 'wait', 'webhook', 'mixed'] as const;
export type Timer = (typeof TIMERS)[number];

const TIMER_SIZES = ['default', 'minimum', 'small', 'retention', 'days'] as const;
export type TimerSize = (typeof TIMER_SIZES)[number];

const HANDLERS = ['quick', 'sleep', 'hang', 'fail', 'slow-fail', 'crash', 'stream', 'echo', 's3'] as const;
export type HandlerKind = (typeof HANDLERS)[number];

export interface Swarm {
  readonly operations: { readonly [op in DrawnOperation]: boolean };
  readonly timer: Timer;
  readonly sizes: readonly TimerSize[];
  readonly handlers: readonly HandlerKind[];
  readonly workers: number;
  readonly jobsMax: number;
  readonly steps: number;
  /** Share of steps that try an invalid request, in %. */
  readonly invalidPerCent: number;
  readonly webhooks: boolean;
  /** Uses bodies and results of megabytes: rare, since each costs as much as a hundred other scripts. */
  readonly large: boolean;
  /** Ends by using up a rate limit; rare for the same reason. */
  readonly endsWithRateBurst: boolean;
  readonly secondEndpoint: boolean;
  /** Share of steps that refer to a job as the n-th newest instead of by label, in %. */
  readonly nthPerCent: number;
}

/** One step in six. */
const INVALID_PER_CENT = 17;

export function drawSwarm(random: RandomSource, limits: Limits): Swarm {
  const timer = random.weighted<Timer>([
    { item: 'none', weight: 5 },
    { item: 'ttl', weight: 4 },
    { item: 'executionTimeout', weight: 4 },
    { item: 'retention', weight: 4 },
    { item: 'wait', weight: 3 },
    { item: 'webhook', weight: 2 },
    { item: 'mixed', weight: 4 },
  ])!;
  const endsWithRateBurst = random.chance(3);
  return {
    operations: drawOperations(random, timer),
    timer,
    sizes: some(random, TIMER_SIZES),
    handlers: handlersFor(random, timer),
    // Running workers raise the rate limits by an unspecified amount.
    workers:
      endsWithRateBurst && random.chance(50)
        ? 0
        : Math.min(limits.maxWorkers, random.pick([0, 1, 1, 1, 2, 2, 3])),
    jobsMax: random.pick([1, 2, 2, 3, 3, 4, 6]),
    steps: random.pick([4, 6, 8, 10, 12, 16, 20]),
    invalidPerCent: random.pick([0, INVALID_PER_CENT, INVALID_PER_CENT, 2 * INVALID_PER_CENT]),
    webhooks: timer === 'webhook' || random.chance(15),
    large: random.chance(1),
    endsWithRateBurst: endsWithRateBurst,
    secondEndpoint: random.chance(8),
    nthPerCent: random.pick([0, 0, 0, 30]),
  };
}

function drawOperations(random: RandomSource, timer: Timer): Swarm['operations'] {
  // Drawn once for all operations: some scripts lose nearly all of them, others none.
  const disabledPerCent = random.between(0, 70);
  const on = Object.fromEntries(OPERATIONS_DRAWN.map((op) => [op, !random.chance(disabledPerCent)])) as {
    [op in DrawnOperation]: boolean;
  };
  if (timer === 'wait') on.runsync = true;
  if (!on.run && !on.runsync) on[random.chance(70) ? 'run' : 'runsync'] = true;
  // Without reads nothing would be decided.
  on.status = true;
  return on;
}

function handlersFor(random: RandomSource, timer: Timer): readonly HandlerKind[] {
  const mix = some(random, HANDLERS);
  switch (timer) {
    case 'executionTimeout':
      return random.chance(60) ? ['hang', 'sleep'] : [...mix, 'hang', 'sleep'];
    case 'ttl':
      return random.chance(40) ? ['hang'] : [...mix, 'hang'];
    case 'wait':
      return [...mix, 'sleep'];
    case 'retention':
      return mix.includes('hang') && mix.length > 1 ? mix.filter((kind) => kind !== 'hang') : mix;
    default:
      return mix;
  }
}

/** A random subset with at least one item. */
function some<T>(random: RandomSource, items: readonly T[]): readonly T[] {
  const kept = items.filter(() => random.chance(50));
  return kept.length > 0 ? kept : [random.pick(items)];
}
