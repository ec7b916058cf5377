/** What can be chosen on the page: scenarios and required rules, by section. */
import { isSelected } from '../../../history/selection.js';
import { compareSections, sectionOf } from '../../../report/document-lines.js';
import type { NamedScenario } from '../../../scenario/index.js';
import { REQUIREMENTS } from '../../../spec/index.js';
import { UsageError } from '../../../util/errors.js';
import { select, type Selection } from '../../../checking/selectors.js';

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
  /** The words, if they are selectors themselves and mean no more than the rows; otherwise null. */
  readonly only: readonly string[] | null;
}

interface Choice {
  readonly rows: readonly Row[];
  /** Whether `--only` has shortened them. */
  readonly isNarrowed: boolean;
}

/** The rows that a text means: as selectors of `--only` if all its words are some, otherwise those that contain the words. */
export function matching(
  text: string,
  { rows, isNarrowed }: Choice,
  scenarios: readonly NamedScenario[],
): Matching {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const meant = meantBy(words, scenarios);
  const found = rows.filter(meant ?? ((row) => hasAll(row, words)));
  return { rows: found.map(({ selector }) => selector), only: meant === null || isNarrowed ? null : words };
}

/** Null: they are no selectors. */
function meantBy(
  words: readonly string[],
  scenarios: readonly NamedScenario[],
): ((row: Row) => boolean) | null {
  try {
    const { scenarios: found, asked } = select(words, [], REQUIREMENTS, scenarios);
    const names = new Set(found.map(({ name }) => name));
    const rules = new Set(asked.only ?? found.flatMap(({ exercises }) => exercises));
    return ({ kind, name }) => (kind === 'rules' ? rules : names).has(name);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function hasAll({ name, text }: Row, words: readonly string[]): boolean {
  const all = `${name} ${text}`.toLowerCase();
  return words.every((word) => all.includes(word.toLowerCase()));
}
