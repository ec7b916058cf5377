/** How a section states its requirements: what its rows have in common is said once. */
import { filled, type Filled } from '../filled.js';
import type { Operation, Requirement } from '../types.js';

/** A requirement as a section states it. Without `needs` it needs nothing, without `waitMs` no wait. */
export type Row<Id extends string> = Omit<Requirement, 'id' | 'section' | 'needs' | 'waitMs'> &
  Partial<Pick<Requirement, 'needs' | 'waitMs'>> & { readonly id: Id };

/** The requirements of a section, in the document's order. */
export function inSection<const Section extends string, Id extends `${Section}/${string}`>(
  section: Section,
  rows: readonly Row<Id>[],
): readonly (Requirement & { readonly id: Id; readonly section: Section })[] {
  return rows.map(({ id, level, text, code, quote, needs = [], waitMs = 0, ...others }) => ({
    ...{ id, section, level, text },
    ...(code === undefined ? {} : { code }),
    ...{ quote, needs, waitMs },
    ...others,
  }));
}

type FamilyRow = Omit<Row<string>, 'id'>;

/**
 * Requirements that differ in one word, made from one row: the word stands for the `*` of the pattern and of the text.
 * `idsFor` makes the same ids from the same pattern, next to their check.
 */
export function family<const Pattern extends string, const Word extends string | number>(
  pattern: Pattern,
  words: readonly Word[],
  row: FamilyRow | ((word: Word) => FamilyRow),
): readonly Row<Filled<Pattern, Word>>[] {
  return words.map((word) => {
    const { text, broken, ...others } = typeof row === 'function' ? row(word) : row;
    return {
      id: filled(pattern, word),
      text: filled(text, word),
      ...(broken === undefined ? {} : { broken: filled(broken, word) }),
      ...others,
    };
  });
}

/** The first requirement of each family, then the second of each, and so on. */
export function inTurn<Id extends string>(...families: readonly (readonly Row<Id>[])[]): readonly Row<Id>[] {
  return families[0]!.flatMap((_, at) => families.map((rows) => rows[at]!));
}

/** What it takes for a call of an operation to succeed: a failed job to retry, a queue that may be purged. */
export function neededBy(op: Operation): Requirement['needs'] {
  return op === 'retry' ? ['scripted-worker'] : op === 'purge-queue' ? ['dedicated'] : [];
}
