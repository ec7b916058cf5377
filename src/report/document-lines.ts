/** The document as lines: its section titles, and the position of each requirement's sentence. */

export interface SourceRange {
  /** Counted from 1. */
  readonly line: number;
  /** Characters within the line, end excluded. */
  readonly from: number;
  readonly to: number;
}

const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? +(.+)$/;

/** `2.2` → `policy object`, without the document's markup. */
export function sectionTitles(documentText: string): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const line of documentText.split('\n')) {
    const match = HEADING.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined)
      titles.set(match[1], match[2].replaceAll('`', ''));
  }
  return titles;
}

/** The position of the quote, searched in its own section first; null if it is not found. */
export function locateQuote(documentText: string, section: string, quote: string): SourceRange | null {
  const lines = documentText.split('\n');
  const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === section);
  for (const first of start === -1 ? [0] : [start, 0]) {
    for (let index = first; index < lines.length; index += 1) {
      const from = (lines[index] ?? '').indexOf(quote);
      if (from !== -1 && quote !== '') return { line: index + 1, from, to: from + quote.length };
    }
  }
  return null;
}

/** The section with which an id begins. Reports of other versions have requirements that this one does not know. */
export const sectionOf = (id: string): string => id.split('/')[0]!;

/** `§2.2 policy object`; what rests on no section of the document has a word in its place. */
export const sectionName = (section: string, titles?: ReadonlyMap<string, string>): string =>
  `${/^\d/.test(section) ? '§' : ''}${section} ${titles?.get(section) ?? ''}`.trim();

/** Compares section numbers: `2.2` before `2.10`, `10` after `9`; words come last. */
export function compareSections(a: string, b: string): number {
  const left = numbersIn(a);
  const right = numbersIn(b);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbersIn = (section: string): readonly number[] =>
  section.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : Number.MAX_SAFE_INTEGER));
