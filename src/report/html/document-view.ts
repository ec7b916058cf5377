/** The document, line by line, with each requirement's sentence coloured by its verdict. */
import type { Requirement } from '../../spec/types.js';
import { locateQuote } from '../document-lines.js';
import type { ReportRequirement } from '../report.js';
import { markOf, MARK_WORDS, MARKS, type Mark } from '../formatting.js';
import { h, trusted, type Markup } from './markup.js';

interface Note {
  readonly id: string;
  readonly mark: Mark;
  readonly from: number;
  readonly to: number;
}

type Notes = ReadonlyMap<number, readonly Note[]>;

function notesByLine(
  documentText: string,
  findings: readonly ReportRequirement[],
  catalogue: readonly Requirement[],
): Notes {
  const quotes = new Map(catalogue.map(({ id, quote }) => [id, quote]));
  const notes = new Map<number, Note[]>();
  for (const finding of findings) {
    const place = locateQuote(documentText, finding.section, quotes.get(finding.id) ?? '');
    if (place === null) continue;
    const note = { id: finding.id, mark: markOf(finding), from: place.from, to: place.to };
    notes.set(place.line, [...(notes.get(place.line) ?? []), note]);
  }
  return notes;
}

/** A character of the source with its style; markup characters are dropped. */
interface Glyph {
  readonly text: string;
  readonly code: boolean;
  readonly bold: boolean;
  readonly notes: readonly Note[];
}

function glyphs(line: string, from: number, to: number, notes: readonly Note[]): Glyph[] {
  const out: Glyph[] = [];
  let code = false;
  let bold = false;
  for (let index = from; index < to; index += 1) {
    const text = line[index] ?? '';
    if (text === '`') code = !code;
    else if (!code && line.startsWith('**', index)) {
      bold = !bold;
      index += 1;
    } else
      out.push({ text, code, bold, notes: notes.filter((note) => note.from <= index && index < note.to) });
  }
  return out;
}

function sameKind(a: Glyph, b: Glyph): boolean {
  return a.code === b.code && a.bold === b.bold && sameNotes(a, b);
}

function sameNotes(a: Glyph, b: Glyph): boolean {
  return a.notes.length === b.notes.length && a.notes.every((note, index) => note === b.notes[index]);
}

function groupConsecutive(all: readonly Glyph[], same: (a: Glyph, b: Glyph) => boolean): Glyph[][] {
  const out: Glyph[][] = [];
  for (const glyph of all) {
    const last = out.at(-1);
    const before = last?.[0];
    if (last !== undefined && before !== undefined && same(before, glyph)) last.push(glyph);
    else out.push([glyph]);
  }
  return out;
}

function styled(part: readonly Glyph[]): Markup {
  const text = part.map((glyph) => glyph.text).join('');
  if (part[0]?.code) return h`<code>${text}</code>`;
  return part[0]?.bold ? h`<strong>${text}</strong>` : h`${text}`;
}

/** The part of a line between two columns, as inline markup. */
function inline(line: string, from: number, to: number, notes: readonly Note[]): Markup {
  const parts = groupConsecutive(glyphs(line, from, to, notes), sameNotes).map((stretch) => {
    const inside = groupConsecutive(stretch, sameKind).map(styled);
    const own = stretch[0]?.notes ?? [];
    const worst = MARKS.find((mark) => own.some((note) => note.mark === mark));
    const first = own.find(({ mark }) => mark === worst);
    if (worst === undefined || first === undefined) return h`${inside}`;
    const title = own.map(({ id, mark }) => `${id}: ${MARK_WORDS[mark]}`).join('\n');
    const ids = own.map(({ id }) => id).join(' ');
    return h`<a class="note ${worst}" href="#${first.id}" data-ids="${ids}" title="${title}">${inside}</a>`;
  });
  return h`${parts}`;
}

/** The columns at which the cells of a table row begin and end. */
function cellRanges(line: string): (readonly [number, number])[] {
  const bars = [...line.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  return bars.slice(1).map((bar, index) => [(bars[index] ?? 0) + 1, bar] as const);
}

function tableRow(line: string, notes: readonly Note[], cell: 'td' | 'th'): Markup {
  const cells = cellRanges(line).map(([from, to]) => {
    const trimmedFrom = from + (line.slice(from, to).length - line.slice(from, to).trimStart().length);
    const content = inline(line, trimmedFrom, from + line.slice(from, to).trimEnd().length, notes);
    return cell === 'th' ? h`<th scope="col">${content}</th>` : h`<td>${content}</td>`;
  });
  return h`<tr>${cells}</tr>`;
}

type Block = 'none' | 'ul' | 'ol' | 'table';

const OPEN: { readonly [block in Block]: string } = {
  none: '',
  ul: '<ul>',
  ol: '<ol>',
  table: '<div class="scroll"><table>',
};
const CLOSE: { readonly [block in Block]: string } = {
  none: '',
  ul: '</ul>',
  ol: '</ol>',
  table: '</tbody></table></div>',
};

function blockOf(line: string): Block {
  if (line.startsWith('- ')) return 'ul';
  if (/^\d+\. /.test(line)) return 'ol';
  return line.startsWith('|') ? 'table' : 'none';
}

function lineMarkup(line: string, block: Block, isFirst: boolean, notes: readonly Note[]): Markup {
  const end = line.length;
  if (block === 'ul') return h`<li>${inline(line, 2, end, notes)}</li>`;
  if (block === 'ol') return h`<li>${inline(line, line.indexOf(' ') + 1, end, notes)}</li>`;
  if (block === 'table') {
    if (/^\|[-:| ]+\|$/.test(line)) return h``;
    if (!isFirst) return tableRow(line, notes, 'td');
    return h`<thead>${tableRow(line, notes, 'th')}</thead><tbody>`;
  }
  const heading = /^(#{1,3}) (?:(\d+(?:\.\d+)?)\.? )?/.exec(line);
  if (heading !== null) return headingMarkup(line, heading, notes);
  return line.trim() === '' ? h`` : h`<p>${inline(line, 0, end, notes)}</p>`;
}

function headingMarkup(line: string, heading: RegExpExecArray, notes: readonly Note[]): Markup {
  const hashes = heading[1] ?? '#';
  const content = inline(line, hashes.length + 1, line.length, notes);
  // The page has its own h1 and shows the document under an h2, so headings move down.
  if (hashes.length === 1) return h`<p class="doc-title">${content}</p>`;
  const id = `doc-${heading[2] ?? line.slice(hashes.length + 1)}`;
  return hashes.length === 2 ? h`<h3 id="${id}">${content}</h3>` : h`<h4 id="${id}">${content}</h4>`;
}

/** Headings, paragraphs, lists, tables, code spans and bold: the Markdown that the document uses. */
export function documentView(
  documentText: string,
  findings: readonly ReportRequirement[],
  catalogue: readonly Requirement[],
): Markup {
  const notes = notesByLine(documentText, findings, catalogue);
  const out: string[] = [];
  let open: Block = 'none';
  documentText.split('\n').forEach((line, index) => {
    const block = blockOf(line);
    if (block !== open) out.push(CLOSE[open], OPEN[block]);
    out.push(lineMarkup(line, block, block !== open, notes.get(index + 1) ?? []).markup);
    open = block;
  });
  out.push(CLOSE[open]);
  return trusted(out.filter((part) => part !== '').join('\n'));
}
