/**
 * Random choices. fast-check's generator supplies them for scripts, a stream of the seed for environments.
 */
export interface RandomSource {
  /** An integer from `lo` to `hi`, both included. */
  between(lo: number, hi: number): number;
  /** True with a probability of `perCent` %. */
  chance(perCent: number): boolean;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** One of the items, chosen by weight; null when all weights are 0. */
  weighted<T>(items: readonly Weighted<T>[]): T | null;
}

export interface Weighted<T> {
  readonly item: T;
  /** 0 or more, not necessarily an integer. */
  readonly weight: number;
}

/** Weights may be fractions, but an integer is drawn, so that no rounding depends on the machine. */
const WEIGHT_STEPS = 1_000_000;

export function randomSourceOf(between: RandomSource['between']): RandomSource {
  return {
    between,
    chance: (perCent) => between(0, 99) < perCent,
    pick: (items) => items[between(0, items.length - 1)]!,
    weighted(items) {
      const sum = items.reduce((total, { weight }) => total + weight, 0);
      if (sum <= 0) return null;
      let left = (between(0, WEIGHT_STEPS - 1) / WEIGHT_STEPS) * sum;
      for (const { item, weight } of items) {
        if (left < weight) return item;
        left -= weight;
      }
      return items.findLast(({ weight }) => weight > 0)?.item ?? null;
    },
  };
}
