/** Combined readings: an endpoint with an unusual answer to every open question is as correct as any. */
import { legalVariants } from '../../src/mutants/index.js';
import type { Dialect, Edition } from '../../src/spec/index.js';
import { createRandom } from '../../src/time/random.js';

export interface Combination {
  /** `pair a=b + c=d`, or `dialect 17`, which the same seed draws again. */
  readonly id: string;
  readonly dialect: Dialect;
}

/** Half of them are pairs, half of them complete dialects. */
export function combinations(edition: Edition, seed: number, count: number): readonly Combination[] {
  const single = legalVariants(edition).filter(({ dialect }) => Object.keys(dialect).length > 0);
  const byQuestion = new Map<string, (typeof single)[number][]>();
  for (const variant of single) {
    const question = variant.id.slice(0, variant.id.indexOf('='));
    byQuestion.set(question, [...(byQuestion.get(question) ?? []), variant]);
  }
  const questions = [...byQuestion.values()];
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom(seed).fork(edition).fork(String(index));
    if (index % 2 === 0) {
      const chosen = [random.pick(single), random.pick(single)];
      const dialect = merged(chosen.map((variant) => variant.dialect));
      return { id: `pair ${chosen.map(({ id }) => id).join(' + ')}`, dialect };
    }
    // Each question keeps its own reading as often as it takes another.
    const chosen = questions.flatMap((readings) => {
      const at = random.intBetween(-readings.length, readings.length - 1);
      return at < 0 ? [] : [readings[at]!.dialect];
    });
    return { id: `dialect ${index}`, dialect: merged(chosen) };
  });
}

/** The first reading wins: a reading that depends on another would not hold without it. */
function merged(dialects: readonly Dialect[]): Dialect {
  const all: { [question: string]: string } = {};
  for (const dialect of dialects) {
    const entries = Object.entries(dialect);
    if (entries.some(([question, reading]) => (all[question] ?? reading) !== reading)) continue;
    Object.assign(all, dialect);
  }
  return all;
}
