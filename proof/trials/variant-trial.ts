/** One correct endpoint, tried with the scenarios that distinguish it: nothing of it may fail. */
import { named } from '../../scenarios/index.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import { createRandom } from '../../src/time/random.js';
import { conformers, type Conformer } from '../../specs/variants/correct-endpoints.js';
import { distinguishingScenarios } from '../../specs/variants/distinguishing.js';
import { judgeVariant, type Judgement } from '../../specs/variants/judge-variant.js';
import { playVariant, QUICK_WAIT_MS, type Clock } from '../../specs/variants/play-variant.js';
import { keepRun, keptRun } from '../history-files.js';

export interface VariantTask {
  readonly kind: 'variant';
  readonly name: string;
  readonly clock: Clock;
  readonly seed: number;
  /** Combinations of readings for each edition, of which it may be one. */
  readonly combined: number;
  /** Scripts drawn of each scenario. */
  readonly runs: number;
  readonly scenarios: VariantScenarios;
  /** Where what was played is kept, and judged instead of being played again; null: nowhere. */
  readonly history: string | null;
}

/**
 * `others`: those that distinguish it from the plain endpoint of its edition, which are those that go otherwise on the
 * simulator, and so many others; null: all. `names`: these.
 */
type VariantScenarios = { readonly others: number | null } | { readonly names: readonly string[] };

const known = new Map<string, readonly Conformer[]>();

export function conformer({
  seed,
  combined,
  name,
}: Pick<VariantTask, 'seed' | 'combined' | 'name'>): Conformer {
  const key = `${seed} ${combined}`;
  const all = known.get(key) ?? conformers(seed, combined);
  known.set(key, all);
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no endpoint ${name}`);
  return found;
}

export async function tryVariant(task: VariantTask): Promise<Judgement> {
  const { clock, seed, runs, history } = task;
  const tried = conformer(task);
  const kept = history === null ? null : keptRun(history);
  if (kept !== null) return judgeVariant(tried, clock, kept);
  const run = await playVariant(tried, clock, { seed, runs, scenarios: scenariosOf(task) });
  if (history !== null) keepRun(history, run);
  return judgeVariant(tried, clock, run);
}

/** Enough where nearly every scenario distinguishes it. */
const TELLING_MAX = 24;

export function scenariosOf(task: VariantTask): readonly NamedScenario[] {
  const { scenarios: wanted, clock, seed, name } = task;
  if ('names' in wanted) return named.filter((one) => wanted.names.includes(one.name));
  if (wanted.others === null) return named;
  const maxWaitMs = clock === 'real' ? QUICK_WAIT_MS : Infinity;
  const telling = distinguishingScenarios(conformer(task), { seed, scenarios: named, maxWaitMs });
  const tells = (one: NamedScenario): boolean => telling?.has(one.name) === true;
  const drawn = createRandom(seed).fork(name).shuffle(named);
  const some = drawn.filter(tells).slice(0, TELLING_MAX);
  const others = drawn.filter((one) => !tells(one)).slice(0, wanted.others);
  return named.filter((one) => some.includes(one) || others.includes(one));
}
