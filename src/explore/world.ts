import type { Dice } from './dice.js';

/** Between two bounds in ms, both included. */
export interface Spread {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What becomes of some calls on their way, as the simulator takes it. */
export interface Mishap {
  readonly op?: string;
  readonly perMille: number;
  readonly action:
    | { readonly do: 'drop-request'; readonly seen: 'reset' | 'timeout' }
    | { readonly do: 'drop-reply'; readonly seen: 'reset' | 'timeout' }
    | { readonly do: 'hang-up'; readonly afterMs: number };
}

/** When workers come and go, as the simulator takes it. */
export interface ComingAndGoing {
  readonly min: number;
  readonly coldStartMs: Spread;
  readonly idleTimeoutMs: number;
  readonly scaler:
    | { readonly kind: 'queue-delay'; readonly delayMs: number }
    | { readonly kind: 'request-count'; readonly jobsPerWorker: number };
}

/** The surroundings in which scripts are played: network, lateness, order of ties, mishaps, legal variant. Plain JSON. */
export interface World {
  /** Seed of the simulator's own draws. */
  readonly seed: number;
  /** Lateness that counts as conformant; null: as late as anything in this world can be. */
  readonly graceMs: number | null;
  readonly ties: 'default' | 'seeded';
  readonly arrivals: 'known' | 'hidden';
  readonly requestMs?: Spread;
  readonly replyMs?: Spread;
  readonly timersLateMs?: Spread;
  readonly dispatchMs?: Spread;
  readonly workersLateMs?: Spread;
  readonly mishaps: readonly Mishap[];
  /** Workers come as jobs do and go again; without it as many as a script wants are there. */
  readonly scaling?: ComingAndGoing;
  /** Name of a legal variant of the endpoint, or null for its default readings. */
  readonly variant: string | null;
}

/** As `check` excuses lateness on every clock. */
const GRACE_MS = 2_000;

export function plainWorld(seed: number): World {
  return { seed, graceMs: GRACE_MS, ties: 'default', arrivals: 'known', mishaps: [], variant: null };
}

/** Mostly a world in which everything is in time, else one with some of what real ones have. */
export function drawWorld(dice: Dice, seed: number, variants: readonly string[]): World {
  const plain = plainWorld(seed);
  const variant = variants.length > 0 && dice.chance(40) ? dice.pick(variants) : null;
  if (dice.chance(45)) return { ...plain, variant };
  if (dice.chance(25)) return { ...plain, graceMs: 0, variant, ties: dice.chance(50) ? 'seeded' : 'default' };
  const spread = (perCent: number, maxMs: number): Spread | undefined =>
    dice.chance(perCent) ? { fromMs: 0, toMs: dice.between(1, maxMs) } : undefined;
  const own = {
    requestMs: spread(60, 300),
    replyMs: spread(60, 300),
    timersLateMs: spread(40, 1_500),
    dispatchMs: spread(40, 1_500),
    workersLateMs: spread(40, 500),
  };
  return {
    ...plain,
    graceMs: dice.chance(50) ? GRACE_MS : null,
    ties: dice.chance(50) ? 'seeded' : 'default',
    arrivals: dice.chance(50) ? 'hidden' : 'known',
    ...(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Partial<World>),
    mishaps: dice.chance(40) ? [drawMishap(dice)] : [],
    variant,
    ...(dice.chance(20) ? { scaling: drawScaling(dice) } : {}),
  };
}

function drawScaling(dice: Dice): ComingAndGoing {
  const fromMs = dice.between(1, 5_000);
  return {
    min: dice.between(0, 1),
    coldStartMs: { fromMs, toMs: fromMs + dice.between(0, 40_000) },
    idleTimeoutMs: dice.between(0, 10_000),
    scaler: dice.chance(50)
      ? { kind: 'queue-delay', delayMs: dice.between(0, 5_000) }
      : { kind: 'request-count', jobsPerWorker: dice.between(1, 4) },
  };
}

function drawMishap(dice: Dice): Mishap {
  const op = dice.pick([undefined, 'run', 'runsync', 'status', 'cancel', 'retry', 'purge-queue', 'stream']);
  const action = dice.pick<Mishap['action']>([
    { do: 'drop-request', seen: 'reset' },
    { do: 'drop-request', seen: 'timeout' },
    { do: 'drop-reply', seen: 'reset' },
    { do: 'drop-reply', seen: 'timeout' },
    { do: 'hang-up', afterMs: dice.pick([0, 100, 5_000]) },
  ]);
  return { ...(op === undefined ? {} : { op }), perMille: dice.pick([50, 150, 400]), action };
}
