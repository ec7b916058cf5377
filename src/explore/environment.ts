import type { RandomSource } from './random-source.js';

/** A range in ms, both bounds included. */
interface Spread {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A fault that affects some calls on the network, as the simulator takes it. */
interface NetworkFault {
  readonly op?: string;
  readonly perMille: number;
  readonly action:
    | { readonly do: 'drop-request'; readonly seen: 'reset' | 'timeout' }
    | { readonly do: 'drop-reply'; readonly seen: 'reset' | 'timeout' }
    | { readonly do: 'hang-up'; readonly afterMs: number };
}

/** How workers are started and stopped, as the simulator takes it. */
interface Autoscaling {
  readonly min: number;
  readonly coldStartMs: Spread;
  readonly idleTimeoutMs: number;
  readonly scaler:
    | { readonly kind: 'queue-delay'; readonly delayMs: number }
    | { readonly kind: 'request-count'; readonly jobsPerWorker: number };
}

/**
 * The environment in which scripts are run: network, lateness, order of ties, network faults, variant of the
 * endpoint. Plain JSON, stored with failures.
 */
export interface Environment {
  /** Seed of the simulator. */
  readonly seed: number;
  /** Tolerated lateness; null: the greatest lateness possible in this environment. */
  readonly graceMs: number | null;
  readonly ties: 'default' | 'seeded';
  readonly arrivals: 'known' | 'hidden';
  readonly requestMs?: Spread;
  readonly replyMs?: Spread;
  readonly timersLateMs?: Spread;
  readonly dispatchMs?: Spread;
  readonly workersLateMs?: Spread;
  readonly mishaps: readonly NetworkFault[];
  /** Workers are started and stopped with the load; without it a script has a fixed number of workers. */
  readonly scaling?: Autoscaling;
  /** Name of a conformant variant of the endpoint; null for its default readings. */
  readonly variant: string | null;
}

/** The lateness that `check` tolerates by default. */
export const GRACE_MS = 2_000;

export function plainEnvironment(seed: number): Environment {
  return { seed, graceMs: GRACE_MS, ties: 'default', arrivals: 'known', mishaps: [], variant: null };
}

/** Draws an environment: often a perfect one, otherwise one with some of the faults of real ones. */
export function drawEnvironment(
  random: RandomSource,
  seed: number,
  variants: readonly string[],
): Environment {
  const plain = plainEnvironment(seed);
  const variant = variants.length > 0 && random.chance(40) ? random.pick(variants) : null;
  if (random.chance(45)) return { ...plain, variant };
  if (random.chance(25))
    return { ...plain, graceMs: 0, variant, ties: random.chance(50) ? 'seeded' : 'default' };
  const spread = (perCent: number, maxMs: number): Spread | undefined =>
    random.chance(perCent) ? { fromMs: 0, toMs: random.between(1, maxMs) } : undefined;
  const own = {
    requestMs: spread(60, 300),
    replyMs: spread(60, 300),
    timersLateMs: spread(40, 1_500),
    dispatchMs: spread(40, 1_500),
    workersLateMs: spread(40, 500),
  };
  return {
    ...plain,
    graceMs: random.chance(50) ? GRACE_MS : null,
    ties: random.chance(50) ? 'seeded' : 'default',
    arrivals: random.chance(50) ? 'hidden' : 'known',
    ...(Object.fromEntries(
      Object.entries(own).filter(([, value]) => value !== undefined),
    ) as Partial<Environment>),
    mishaps: random.chance(40) ? [drawNetworkFault(random)] : [],
    variant,
    ...(random.chance(20) ? { scaling: drawAutoscaling(random) } : {}),
  };
}

function drawAutoscaling(random: RandomSource): Autoscaling {
  const fromMs = random.between(1, 5_000);
  return {
    min: random.between(0, 1),
    coldStartMs: { fromMs, toMs: fromMs + random.between(0, 40_000) },
    idleTimeoutMs: random.between(0, 10_000),
    scaler: random.chance(50)
      ? { kind: 'queue-delay', delayMs: random.between(0, 5_000) }
      : { kind: 'request-count', jobsPerWorker: random.between(1, 4) },
  };
}

function drawNetworkFault(random: RandomSource): NetworkFault {
  const op = random.pick([undefined, 'run', 'runsync', 'status', 'cancel', 'retry', 'purge-queue', 'stream']);
  const action = random.pick<NetworkFault['action']>([
    { do: 'drop-request', seen: 'reset' },
    { do: 'drop-request', seen: 'timeout' },
    { do: 'drop-reply', seen: 'reset' },
    { do: 'drop-reply', seen: 'timeout' },
    { do: 'hang-up', afterMs: random.pick([0, 100, 5_000]) },
  ]);
  return { ...(op === undefined ? {} : { op }), perMille: random.pick([50, 150, 400]), action };
}
