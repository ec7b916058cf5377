/** What the faults of the naive server are: the rows of `table.ts`, and those of the catalogue of the core that it can do as well. */
import { WRONGS } from '../../../src/mutants/wrongs.js';
import { FAULT_IDS, isFaultId, type FaultId } from './index.js';
import { TABLE } from './table.js';

/** One realistic fault: the sentence of the document it breaks, and what the server does instead. */
export interface Fault {
  readonly id: FaultId;
  /** Section of the document. */
  readonly section: string;
  /** Words of the document, verbatim. */
  readonly sentence: string;
  readonly fault: string;
  /** Why a lenient reader could call it legal; absent when the sentence leaves no doubt. */
  readonly contested?: string;
  /** What makes it legal, so that it must not be caught for certain. */
  readonly legal?: string;
}

const ofCore = new Map(WRONGS.map(({ id, sentence }) => [id, sentence]));

export const FAULTS: readonly Fault[] = TABLE.split('\n# ').slice(1).flatMap(faultsUnder);
if (new Set(FAULTS.map(({ id }) => id)).size < FAULTS.length || FAULTS.length < FAULT_IDS.length)
  throw new Error('specs/naive/faults/table.ts has not one row for each fault');

/** Of a sentence: its line, then its rows. */
function faultsUnder(text: string): readonly Fault[] {
  const [heading = '', ...lines] = text.replaceAll('\n  ', '\t').split('\n');
  const [section, sentence] = inTwo(heading, ' | ');
  return lines
    .filter((line) => line !== '')
    .flatMap((line) => (/ \| |\t/.test(line) ? [line] : line.split(' ')))
    .map((row) => {
      const [words = '', ...notes] = row.split('\t');
      const [id, own] = inTwo(words, ' | ');
      const fault = own === '' ? ofCore.get(id) : own;
      if (!isFaultId(id) || fault === undefined || (own !== '' && ofCore.has(id)))
        throw new Error(`no hooks, no sentence or two: ${row}`);
      return { id, section, sentence, fault, ...Object.fromEntries(notes.map((note) => inTwo(note, ': '))) };
    });
}

function inTwo(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
