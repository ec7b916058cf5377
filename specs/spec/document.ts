/** Cuts the document into sections and sentences, so that specs can tell what of it is covered. */
import { readFileSync } from 'node:fs';

export interface Sentence {
  readonly section: string;
  /** The whole line, and the part of it that is the sentence or the table cell. */
  readonly line: string;
  readonly from: number;
  readonly to: number;
}

const DOCUMENT = new URL('../../docs/queue-endpoint-api.md', import.meta.url);

/** The lines of each section, headings left out; a section does not contain its subsections. */
export function readSections(text = readFileSync(DOCUMENT, 'utf8')): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)?)\.? /.exec(line);
    if (heading?.[1] !== undefined) sections.set(heading[1], (current = []));
    else if (line.trim() !== '') current.push(line);
  }
  return sections;
}

const isRule = (line: string | undefined): boolean => line?.startsWith('|---') ?? false;

/** Where the cells of a table row, or the whole of another line, begin and end. */
function pieces(line: string): readonly (readonly [number, number])[] {
  if (!line.startsWith('|')) return [[0, line.length]];
  return [...line.matchAll(/[^|]+/g)].map((cell) => [cell.index, cell.index + cell[0].length]);
}

function sentencesOf(section: string, line: string): readonly Sentence[] {
  const found: Sentence[] = [];
  for (const [start, end] of pieces(line)) {
    let from = start;
    for (const gap of line.slice(start, end).matchAll(/(?<=[.;])\s+/g)) {
      found.push({ section, line, from, to: start + gap.index });
      from = start + gap.index + gap[0].length;
    }
    found.push({ section, line, from, to: end });
  }
  return found.filter(({ from, to }) => /[a-z]/i.test(line.slice(from, to)));
}

/** Every sentence and every table cell of the document that holds a letter; table headings left out. */
export function sentences(sections = readSections()): readonly Sentence[] {
  return [...sections].flatMap(([section, lines]) =>
    lines.flatMap((line, at) => (isRule(line) || isRule(lines[at + 1]) ? [] : sentencesOf(section, line))),
  );
}

/** True when a quote of the same section shares a letter or a digit with the sentence. */
export function isCovered(sentence: Sentence, quotes: readonly string[]): boolean {
  const { line, from, to } = sentence;
  return quotes.some((quote) => {
    for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
      if (/\w/.test(line.slice(Math.max(at, from), Math.min(at + quote.length, to)))) return true;
    }
    return false;
  });
}
