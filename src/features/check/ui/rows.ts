/** What can be chosen on the page: scenarios and required rules, by section. */
import { isSelected } from '../../../history/selection.js';
import { compareSections, sectionOf } from '../../../report/document-lines.js';
import type { NamedScenario } from '../../../scenario/index.js';
import { REQUIREMENTS } from '../../../spec/index.js';
import { UsageError } from '../../../util/errors.js';
import { select, type Selection } from '../../../checking/selectors.js';
import type { CheckSettings } from '../index.js';

/** The kinds of rows, of which the page shows one at a time. */
export const KINDS = ['scenarios', 'rules'] as const;

export interface Row {
  readonly kind: (typeof KINDS)[number];
  /** As `--only` takes it. */
  readonly selector: string;
  readonly name: string;
  readonly section: string;
  readonly text: string;
  /** Rules that it exercises, or itself. */
  readonly rules: readonly string[];
  /** Scenarios that exercise it, or itself. */
  readonly scenarios: readonly string[];
}

/** By section. */
export function rowsOf({ scenarios, asked }: Pick<Selection, 'scenarios' | 'asked'>): readonly Row[] {
  const ofScenarios = scenarios.map(({ name, title, exercises }): Row => ({
    ...{ kind: 'scenarios', selector: `scenarios/${name}`, name, section: sectionOf(name), text: title },
    ...{ rules: exercises, scenarios: [name] },
  }));
  const ofRules = REQUIREMENTS.filter(({ id, level }) => level === 'must' && isSelected(asked, id)).map(
    ({ id, section, text }): Row => ({
      ...{ kind: 'rules', selector: id, name: id, section, text, rules: [id] },
      scenarios: scenarios.filter(({ exercises }) => exercises.includes(id)).map(({ name }) => name),
    }),
  );
  return [...ofScenarios, ...ofRules].sort((a, b) => compareSections(a.section, b.section));
}

export interface Matching {
  /** Selectors of rows. */
  readonly rows: readonly string[];
  /** The words, if they are selectors, or the rules of a shortened list that they mean; null: the rows tell it. */
  readonly only: readonly string[] | null;
}

interface Choice {
  readonly rows: readonly Row[];
  /** Of the command, which may have shortened them. */
  readonly settings: Selectors;
}

export type Selectors = Pick<CheckSettings, 'only' | 'skip'>;

const selected = ({ only, skip }: Selectors, scenarios: readonly NamedScenario[]): Selection =>
  select(only, skip, REQUIREMENTS, scenarios);

/** Plays what is chosen and judges, of the rules that the command selects, those that it concerns. */
export function chosenOf(
  chosen: readonly string[],
  { rows, settings }: Choice,
  scenarios: readonly NamedScenario[],
): Selectors {
  const { asked } = selected(settings, scenarios);
  const picked = rows.filter(({ selector }) => chosen.includes(selector));
  // A scenario alone would ask about all rules.
  if (asked.only === undefined || picked.every(({ kind }) => kind === 'rules'))
    return { only: chosen, skip: settings.skip };
  const played = new Set(picked.flatMap((row) => row.scenarios));
  const others = scenarios.filter(({ name }) => !played.has(name)).map(({ name }) => `scenarios/${name}`);
  const rules = new Set(picked.flatMap((row) => row.rules).filter((id) => isSelected(asked, id)));
  return { only: [...rules], skip: [...settings.skip, ...others] };
}

/** The rows that a text means: as selectors of `--only` if all its words are some, otherwise those that contain the words. */
export function matching(
  text: string,
  { rows, settings }: Choice,
  scenarios: readonly NamedScenario[],
): Matching {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const meant = meantBy(words, scenarios);
  const found = rows.filter((row) => (meant === null ? hasAll(row, words) : isMeant(row, meant)));
  const isShort = settings.only.length > 0;
  const only = meant !== null && isShort ? among(selected(settings, scenarios), meant, found) : words;
  return { rows: found.map(({ selector }) => selector), only: meant === null ? null : only };
}

/** The rules that both select; null: they do not play all that is shown. */
function among({ asked }: Selection, meant: Selection, shown: readonly Row[]): readonly string[] | null {
  const ids = (meant.asked.only ?? []).filter((id) => isSelected(asked, id));
  const playsAll = shown.every(({ rules }) => rules.some((id) => ids.includes(id)));
  return asked.only !== undefined && playsAll ? ids : null;
}

function isMeant({ kind, name }: Row, { scenarios, asked }: Selection): boolean {
  if (kind === 'scenarios') return scenarios.some((one) => one.name === name);
  return asked.only?.includes(name) ?? scenarios.some(({ exercises }) => exercises.some((id) => id === name));
}

/** Null: they are no selectors. */
function meantBy(words: readonly string[], scenarios: readonly NamedScenario[]): Selection | null {
  try {
    return selected({ only: words, skip: [] }, scenarios);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function hasAll({ name, text }: Row, words: readonly string[]): boolean {
  const all = `${name} ${text}`.toLowerCase();
  return words.every((word) => all.includes(word.toLowerCase()));
}
