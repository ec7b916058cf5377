/** Occasions, made in few words. */
import { getOrMake } from '../../util/maps.js';
import type { Occasion } from '../rule.js';
import type { ClientCall } from '../session.js';

export const kept = (calls: readonly ClientCall[]): Occasion => ({
  calls: numbersOf(calls),
  violation: null,
});

export const violated = (calls: readonly ClientCall[], violation: string): Occasion => ({
  calls: numbersOf(calls),
  violation,
});

const numbersOf = (calls: readonly ClientCall[]): readonly number[] => calls.map(({ id }) => id);

/**
 * One occasion for each thing that calls did against a rule, and one for all calls that kept it: a client that polls
 * a hundred times without its key does one thing wrong.
 */
export function ofCalls(
  calls: readonly ClientCall[],
  violationOf: (call: ClientCall) => string | null,
): readonly Occasion[] {
  const byText = new Map<string | null, ClientCall[]>();
  for (const call of calls) {
    const text = violationOf(call);
    getOrMake(byText, text, (): ClientCall[] => []).push(call);
  }
  return [...byText].map(([text, those]) => (text === null ? kept(those) : violated(those, text)));
}
