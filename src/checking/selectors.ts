/**
 * `--only` and `--skip`: requirement ids, sections, scenario names, globs. Scenario names look like
 * requirement ids; if both match, the selector means the requirement, and `scenarios/…` means the scenario.
 */
import { isSelected, type RunSelection } from '../history/selection.js';
import type { NamedScenario } from '../scenario/index.js';
import type { Requirement } from '../spec/types.js';
import { program } from '../program-name.js';
import { pluralize } from '../report/formatting.js';
import { UsageError } from '../util/errors.js';
import { didYouMean } from '../util/suggest.js';

export interface Selection {
  readonly scenarios: readonly NamedScenario[];
  /** The requirements asked about: their verdicts count. */
  readonly asked: RunSelection;
  /** Where requirements were named: the other scenarios, for calls in ordinary situations. */
  readonly beside?: readonly NamedScenario[];
  /** Which part of a whole selection it is; absent: it is whole. */
  readonly shard?: Shard;
}

/** The I-th of N parts. @internal */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

interface Matched {
  readonly requirements: ReadonlySet<string>;
  readonly scenarios: ReadonlySet<string>;
}

function globToRegExp(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i');
}

interface Matcher {
  readonly requirement: (id: string, section: string) => boolean;
  readonly scenario: (name: string) => boolean;
}

/** `2` matches section 2 and its subsections; a name matches itself and everything in its folder. */
function matcher(selector: string): Matcher {
  const isScenario = /^\.?\/?scenarios\//.test(selector);
  const pattern = selector
    .replace(/^\.?\/?scenarios\//, '')
    .replace(/^§/, '')
    .replace(/\/$/, '')
    .replace(/\.[tj]s$/, '');
  const glob = /[*?]/.test(pattern) ? globToRegExp(pattern) : null;
  const fits = (name: string): boolean =>
    glob === null ? name === pattern || name.startsWith(`${pattern}/`) : glob.test(name);
  return {
    requirement: (id, section) => !isScenario && (fits(id) || `${section}.`.startsWith(`${pattern}.`)),
    scenario: fits,
  };
}

function match(
  option: string,
  selectors: readonly string[],
  requirements: readonly Requirement[],
  scenarios: readonly NamedScenario[],
): Matched {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const selector of selectors) {
    const fits = matcher(selector);
    const foundIds = requirements
      .filter(({ id, section }) => fits.requirement(id, section))
      .map(({ id }) => id);
    const foundNames =
      foundIds.length > 0 ? [] : scenarios.filter(({ name }) => fits.scenario(name)).map(({ name }) => name);
    if (foundIds.length + foundNames.length === 0) {
      const sections = requirements.map(({ section }) => section);
      const known = [...requirements.map(({ id }) => id), ...scenarios.map(({ name }) => name), ...sections];
      throw new UsageError(
        `--${option} "${selector}" matches no requirement, section or scenario.${didYouMean(selector, known)}` +
          ` "${program()} list scenarios" and "${program()} list requirements" show them all.`,
      );
    }
    for (const id of foundIds) ids.add(id);
    for (const name of foundNames) names.add(name);
  }
  return { requirements: ids, scenarios: names };
}

/**
 * A requirement selects the scenarios that exercise it, and only its own verdict; a scenario selects every
 * verdict that it decides.
 *
 * @throws {UsageError} for a selector that matches nothing, and if no scenario is left
 */
export function select(
  only: readonly string[],
  skip: readonly string[],
  requirements: readonly Requirement[],
  scenarios: readonly NamedScenario[],
): Selection {
  const wanted = match('only', only, requirements, scenarios);
  const unwanted = match('skip', skip, requirements, scenarios);
  const asksAll = only.length === 0 || wanted.scenarios.size > 0;
  const asked: RunSelection = {
    ...(asksAll ? {} : { only: [...wanted.requirements] }),
    ...(unwanted.requirements.size === 0 ? {} : { skip: [...unwanted.requirements] }),
  };
  const left = scenarios.filter(
    ({ name, exercises }) =>
      !unwanted.scenarios.has(name) &&
      (only.length === 0 ||
        wanted.scenarios.has(name) ||
        exercises.some((id) => wanted.requirements.has(id))) &&
      (exercises.length === 0 || exercises.some((id) => isSelected(asked, id))),
  );
  if (left.length === 0) {
    const what = only.length > 0 ? only.join(', ') : `everything but ${skip.join(', ')}`;
    throw new UsageError(
      `no scenario is left for ${what}: "${program()} list scenarios" shows what each exercises`,
    );
  }
  if (asked.only === undefined) return { scenarios: left, asked };
  const beside = scenarios.filter((one) => !unwanted.scenarios.has(one.name) && !left.includes(one));
  return { scenarios: left, asked, beside };
}

/**
 * Every N-th scenario: a selection is divided in the same way on every target, and scenarios of one folder, which take about as
 * long, are in different shards.
 */
export function shardOf(selection: Selection, shard: Shard | undefined): Selection {
  if (shard === undefined) return selection;
  const { index, count } = shard;
  const { scenarios: all, beside = [] } = selection;
  if (count > all.length)
    throw new UsageError(
      `--shard ${index}/${count}: too many shards for ${pluralize(all.length, 'scenario')}`,
    );
  const scenarios = all.filter((_, number) => number % count === index - 1);
  return {
    ...selection,
    ...{ scenarios, shard },
    // Where a shard calls an operation in one situation only, it also makes the calls of ordinary use.
    beside: [...all.filter((one) => !scenarios.includes(one)), ...beside],
  };
}
