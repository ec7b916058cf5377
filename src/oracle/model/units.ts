/**
 * Units in which `delayTime` and `executionTime` may be: the document does not show it. Milliseconds or seconds are
 * meant as a rule; finer ones come into question only where something speaks for them (`fine-times.ts`).
 */
export const UNIT_MS = { ms: 1, s: 1000, us: 0.001, ns: 0.000001 } as const;

export type TimeUnit = keyof typeof UNIT_MS;

export const COARSE: readonly TimeUnit[] = ['ms', 's'];
export const ALL: readonly TimeUnit[] = ['ms', 's', 'us', 'ns'];
