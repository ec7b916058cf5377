/** Combinations of readings of the open questions, drawn at random: each is an endpoint that conforms. */
import { rulesFor, type Dialect, type Rules } from '../../src/core/rules.js';
import { legalVariants, type Variant } from '../../src/mutants/index.js';
import type { Edition } from '../../src/spec/types.js';
import type { RandomStream } from '../../src/time/random.js';

/** How many questions are answered otherwise than by default, by the name of the world's variant. */
const MIXTURES: { readonly [name: string]: readonly [min: number, max: number] } = {
  'one reading': [1, 1],
  'some readings': [2, 6],
  'many readings': [10, 40],
  'most readings': [40, 150],
};

export interface DrawnDialect {
  readonly variants: readonly string[];
  readonly dialect: Dialect;
  readonly rules: Rules;
  /** The most that a timer is late by these rules, in ms. */
  readonly lateMs: number;
}

const isTiming = ({ dialect }: Variant): boolean => Object.keys(dialect).length === 0;
const ALL = { document: legalVariants('document'), runpod: legalVariants('runpod') } as const;
const READINGS = {
  document: ALL.document.filter((variant) => !isTiming(variant)),
  runpod: ALL.runpod.filter((variant) => !isTiming(variant)),
} as const;

/** Whole variants are taken, so that readings that make sense only together stay together. */
function drawDialect(random: RandomStream, mixture: string, edition: Edition): DrawnDialect {
  const [min, max] = MIXTURES[mixture] ?? [0, 0];
  const count = random.intBetween(min, max);
  const variants: string[] = [];
  const dialect: Record<string, string> = {};
  for (let i = 0; i < count; i += 1) {
    const variant = random.pick(READINGS[edition]);
    const readings = Object.entries(variant.dialect);
    if (readings.some(([question, reading]) => (dialect[question] ?? reading) !== reading)) continue;
    Object.assign(dialect, variant.dialect);
    variants.push(variant.id);
  }
  const rules = rulesFor(dialect, edition);
  return { variants, dialect: dialect, rules, lateMs: 0 };
}

/** A variant by its name, or by the name of a mixture. */
export function rulesOf(random: RandomStream, name: string | null, edition: Edition): DrawnDialect {
  const timing = ALL[edition].find((variant) => variant.id === name && isTiming(variant));
  if (timing !== undefined)
    return { variants: [timing.id], dialect: {}, rules: timing.rules(), lateMs: timing.lateMs };
  return drawDialect(random, name ?? '', edition);
}

export const WORLD_VARIANTS: readonly string[] = [
  ...Object.keys(MIXTURES),
  ...ALL.document.filter(isTiming).map(({ id }) => id),
];
