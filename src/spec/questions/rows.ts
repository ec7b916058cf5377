/** How a section states its open questions: what its rows have in common is said once. */
import type { OpenQuestion } from '../types.js';

/**
 * An open question as a section states it. Without `quote` the document says nothing; without `sticky` one
 * implementation answers alike in all cases.
 */
type Row = Omit<OpenQuestion, 'section' | 'quote' | 'sticky'> &
  Partial<Pick<OpenQuestion, 'quote' | 'sticky'>>;

/** The question of a row, whose section, id and readings the type checker knows. @internal */
export type QuestionOf<Section extends string, R> = R extends Row
  ? R & Pick<OpenQuestion, 'quote' | 'sticky'> & { readonly section: Section }
  : never;

/** The open questions of a section, in the document's order. */
export function openIn<const Section extends string, const Rows extends readonly Row[]>(
  section: Section,
  rows: Rows,
): readonly QuestionOf<Section, Rows[number]>[] {
  return rows.map(({ id, question, quote = null, readings, sticky = true, ...others }) => ({
    ...{ id, section, question, quote, readings, sticky },
    ...others,
  })) as readonly OpenQuestion[] as readonly QuestionOf<Section, Rows[number]>[];
}
