/** Steps that use up a rate limit and exceed it a little, and call again after its window. */
import type { BurstStep, Limits, Step } from '../scenario/script.js';
import { RATE_WINDOW_MS, RATES } from '../spec/rates.js';
import { SECOND_MS } from '../spec/limits.js';
import type { RandomSource } from './random-source.js';

type BurstOperation = 'cancel' | 'status' | 'stream' | 'run' | 'runsync';

/** Calls beyond the limit: enough that they cannot be explained by the next window. */
const CALLS_BEYOND_LIMIT = 20;

export interface RateBurstOptions {
  /** Label of a job that these steps submit. */
  readonly label: string;
  readonly secondEndpoint: string | null;
}

export function drawRateBurst(
  random: RandomSource,
  { marginMs }: Limits,
  { label, secondEndpoint }: RateBurstOptions,
): readonly Step[] {
  const afterWindow = { waitMs: RATE_WINDOW_MS + 2 * marginMs + 1 };
  const kind = random.weighted<BurstOperation | 'purge' | 'requests' | 'waiting'>([
    { item: 'cancel', weight: 4 },
    { item: 'purge', weight: 3 },
    { item: 'status', weight: 1 },
    { item: 'stream', weight: 0.5 },
    { item: 'run', weight: 1 },
    { item: 'runsync', weight: 0.5 },
    { item: 'requests', weight: 1 },
    { item: 'waiting', weight: 1 },
  ])!;
  if (kind === 'waiting') return concurrentWaits();
  if (kind === 'purge') {
    const purge: Step = { do: 'purge-queue' };
    // At once, apart, or too many for any two windows.
    const [more, waitMs] = random.pick([
      [2, 0],
      [2, 2_000],
      [2, 4_000],
      [7, 1_200],
    ] as const);
    return [
      purge,
      ...Array.from({ length: more }, () => ({ ...purge, at: { waitMs } })),
      { do: 'health' },
      { ...purge, at: afterWindow },
    ];
  }
  const { requests, concurrency } = RATES[kind];
  if (kind === 'requests') {
    // One after the other, since no more than two may be in progress at once.
    const read: Step = { do: 'requests' };
    return [...Array.from({ length: requests + 2 }, () => read), { ...read, at: afterWindow }];
  }
  const count = concurrency ?? requests;
  // Whether a failing call counts is open, so the calls need an existing job.
  const onJob = kind === 'run' || kind === 'runsync' ? {} : { job: label };
  const burst = (many: number): BurstStep => ({
    do: 'burst',
    op: kind,
    count: many,
    ...onJob,
    ...(kind === 'runsync' ? { wait: 1_000 } : {}),
  });
  return [
    ...('job' in onJob ? [{ do: 'run', job: label, plan: [{ hang: true }] } as const] : []),
    ...Array.from({ length: Math.ceil(requests / count) }, () => burst(count)),
    burst(CALLS_BEYOND_LIMIT),
    ...(secondEndpoint === null
      ? []
      : [{ do: 'burst', op: kind, count: 1, endpoint: secondEndpoint } as const]),
    { do: 'health' },
    { ...burst(1), at: afterWindow },
  ];
}

/** As many concurrent waiting calls as allowed, and then some more. */
function concurrentWaits(): readonly Step[] {
  const { concurrency } = RATES.runsync ?? {};
  // The jobs hang, since a call whose job has ended no longer waits.
  const plan = [{ hang: true }] as const;
  return [
    { do: 'burst', op: 'runsync', count: concurrency ?? 1, wait: 5 * SECOND_MS, plan, lane: 'crowd' },
    {
      do: 'burst',
      op: 'runsync',
      count: 3 * CALLS_BEYOND_LIMIT,
      wait: SECOND_MS,
      plan,
      at: { waitMs: SECOND_MS },
      lane: 'beyond',
    },
    { do: 'health', at: { waitMs: 2 * SECOND_MS } },
  ];
}
