/** Which requirements a run was asked about, so that its history is judged again by the same question. */

/** The requirements that `--only` and `--skip` name, by id. @public */
export interface RunSelection {
  /** Those asked about; absent: all. */
  readonly only?: readonly string[];
  /** Those left out of what is asked; absent: none. */
  readonly skip?: readonly string[];
}

/** Everything. */
export const WHOLE: RunSelection = {};

export function isLeftOut({ skip = [] }: RunSelection, id: string): boolean {
  return skip.includes(id);
}

/** Whether the run was asked about the requirement. */
export function isSelected(selection: RunSelection, id: string): boolean {
  return !isLeftOut(selection, id) && (selection.only === undefined || selection.only.includes(id));
}

interface Judged {
  readonly id: string;
  readonly level: string;
  readonly verdict: string;
}

/**
 * Which verdicts count: those asked about; and where none of their musts failed, a must outside the selection
 * that did, because a run that saw a violation never conforms. What is left out by name never counts.
 */
export function whatCounts(
  selection: RunSelection,
  findings: readonly Judged[],
): (finding: Judged) => boolean {
  const isBroken = ({ level, verdict }: Judged): boolean => level === 'must' && verdict === 'fail';
  const isExplained = findings.some((one) => isBroken(one) && isSelected(selection, one.id));
  return (one) =>
    isSelected(selection, one.id) || (!isExplained && isBroken(one) && !isLeftOut(selection, one.id));
}

/** The findings, without the failures of requirements that neither were asked about nor count all the same. */
export function withoutUnasked<One extends Judged & { readonly failures: readonly unknown[] }>(
  selection: RunSelection,
  findings: readonly One[],
): readonly One[] {
  const counts = whatCounts(selection, findings);
  return findings.map((one) => (counts(one) ? one : { ...one, failures: [] }));
}
