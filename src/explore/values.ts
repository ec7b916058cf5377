/**
 * Draws JSON values that handlers receive and return: mostly plain ones, otherwise values that careless code
 * corrupts.
 */
import type { Json } from '../history/events.js';
import type { RandomSource } from './random-source.js';

interface Members {
  readonly [name: string]: Json;
}

const PLAIN: Json = { answer: 42 };

/** Values that are easily lost, converted or rounded. */
const ATOMS: readonly Json[] = [
  '',
  0,
  false,
  true,
  {},
  [],
  -1.5,
  1e21,
  1e-7,
  4_294_967_297,
  9_007_199_254_740_991,
  ' padded ',
  'null',
  '1e3',
  '2024-02-30',
  '{"json": true}',
  '<b>&amp;</b> %20 ${x}',
  '"\\\n\t\u0000',
  'čšž 日本 e\u0301 🚀',
];

/** Field names of the API, and names that style conversions rewrite. */
const NAMES = [
  'id',
  'status',
  'output',
  'error',
  'camelCase',
  'snake_case',
  'kebab-case',
  'UPPER',
  '1',
  '',
  'a.b/c',
  'ключ 🗝',
] as const;

/** Any JSON except `null` alone: the document does not say whether that is a result. */
export function drawValue(random: RandomSource): Json {
  if (random.chance(50)) return PLAIN;
  return random.weighted<() => Json>([
    { item: () => random.pick(ATOMS), weight: 5 },
    { item: () => drawMembers(random), weight: 3 },
    { item: () => drawItems(random), weight: 2 },
  ])!();
}

/** A few members, occasionally very many or very deep ones. */
export function drawMembers(random: RandomSource): Members {
  if (random.chance(5)) return { deep: deep(random.pick([12, 40])) };
  if (random.chance(5)) return many(random.pick([101, 300]));
  const count = random.between(1, 4);
  return Object.fromEntries(Array.from({ length: count }, () => [random.pick(NAMES), drawPart(random)]));
}

function drawItems(random: RandomSource): readonly Json[] {
  return Array.from({ length: random.between(1, 4) }, () => drawPart(random));
}

function drawPart(random: RandomSource): Json {
  if (random.chance(15)) return null;
  if (random.chance(15)) return { [random.pick(NAMES)]: random.pick(ATOMS) };
  return random.chance(10) ? [random.pick(ATOMS), null] : random.pick(ATOMS);
}

function deep(levels: number): Json {
  let value: Json = 'bottom';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { inner: value };
  return value;
}

function many(count: number): Members {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]));
}
