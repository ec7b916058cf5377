/** Occasions, made in few words. */
import { getOrMake } from '../../util/maps.js';
import type { Occasion } from '../rule.js';
import type { ClientCall, SeenSession } from '../session.js';

export const kept = (calls: readonly ClientCall[]): Occasion => ({
  calls: numbersOf(calls),
  violation: null,
});

export const violated = (calls: readonly ClientCall[], violation: string): Occasion => ({
  calls: numbersOf(calls),
  violation,
});

/** What shows that one process did it (`isLoop` of an occasion). */
export const LOOP = { isLoop: true } as const;

/** Recorded calls end where the recording does: so soon before, what a client does not do it may do next. */
const RECORDED_ON_MS = 10_000;

export const mayGoOn = ({ weather, end }: SeenSession, sinceMs: number): boolean =>
  weather === null && end.atMs - sinceMs < RECORDED_ON_MS;

const numbersOf = (calls: readonly ClientCall[]): readonly number[] => calls.map(({ id }) => id);

/**
 * One occasion for each thing that calls did against a rule, and one for all calls that kept it: a client that polls
 * a hundred times without its key does one thing wrong.
 */
export function ofCalls<One extends ClientCall>(
  calls: readonly One[],
  violationOf: (call: One) => string | null,
): readonly Occasion[] {
  const byText = new Map<string | null, ClientCall[]>();
  for (const call of calls) {
    const text = violationOf(call);
    getOrMake(byText, text, (): ClientCall[] => []).push(call);
  }
  return [...byText].map(([text, those]) => (text === null ? kept(those) : violated(those, text)));
}
