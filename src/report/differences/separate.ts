/** Which facts tell broken decisions from kept ones. */
import type { Decision } from '../../oracle/index.js';
import { getOrMake } from '../../util/maps.js';
import type { Facts } from './facts.js';

export interface Case {
  readonly decision: Decision;
  readonly facts: Facts;
}

/** How often the rule was broken and kept with each value of a fact. */
export interface Fact {
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly broken: number; readonly kept: number }[];
  /** 1: it tells each broken decision from each kept one; 0: nothing. */
  readonly tells: number;
}

/** Less tells nothing. */
const TELLING = 0.2;
/** These are the run's, not the job's: they separate few cases by chance. */
const BY_CHANCE: readonly string[] = ['workers at first', "worker's plan", 'size of the submission'];
/** More values are no answer. */
const VALUES_MAX = 3;
/** By fewer decisions of one kind, chance separates. */
const CASES_MIN = 2;
/** The last state that was seen need not be the last one. */
const EXCEPTIONS = 1 / 8;

/** Those that tell something, the most telling first; of those that tell about as much, in their order. */
export function tellingFacts(cases: readonly Case[]): readonly Fact[] {
  const counts = new Map<string, Map<string, { value: string; broken: number; kept: number }>>();
  for (const { facts, decision } of cases)
    for (const [name, value] of facts) {
      const values = getOrMake(counts, name, () => new Map());
      const count = getOrMake(values, value, () => ({ value, broken: 0, kept: 0 }));
      count[decision.isKept ? 'kept' : 'broken'] += 1;
    }
  return [...counts]
    .map(([name, values]): Fact => {
      const all = [...values.values()];
      const [broken, kept] = [sum(all.map((one) => one.broken)), sum(all.map((one) => one.kept))];
      const told = sum(all.map((one) => Math.max(one.broken / broken, one.kept / kept)));
      const inOrder = all.toSorted((one, other) => other.broken - one.broken || other.kept - one.kept);
      return { name, values: inOrder, tells: broken * kept === 0 ? 0 : told - 1 };
    })
    .filter(({ tells }) => tells >= TELLING)
    .toSorted((one, other) => Math.round(20 * other.tells) - Math.round(20 * one.tells));
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** What broken decisions have in common. */
export interface Common {
  /** `last state seen: IN_PROGRESS`. */
  readonly words: string;
  /** How many kept decisions have it as well. */
  readonly alsoKept: number;
}

/**
 * The fact that all broken decisions have and hardly any kept one; null: there is none.
 *
 * @param facts the most telling first
 */
export function inCommon(cases: readonly Case[], facts: readonly Fact[]): Common | null {
  const kept = cases.filter(({ decision }) => decision.isKept);
  const broken = cases.length - kept.length;
  if (kept.length < CASES_MIN || broken < CASES_MIN) return null;
  const common = facts.flatMap(({ name, values }): readonly Common[] => {
    const those = values.filter((one) => one.broken > 0).map(({ value }) => value);
    if (those.length > VALUES_MAX || BY_CHANCE.includes(name)) return [];
    const alsoKept = kept.filter((one) => those.includes(one.facts.get(name) ?? '')).length;
    return [{ words: `${name}: ${those.join(' or ')}`, alsoKept }];
  });
  const few = EXCEPTIONS * Math.min(broken, kept.length);
  return (
    common.find(({ alsoKept }) => alsoKept === 0) ?? common.find(({ alsoKept }) => alsoKept <= few) ?? null
  );
}
