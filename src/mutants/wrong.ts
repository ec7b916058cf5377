/** How the catalogue of wrongs is written down. */
import { isRequirementId, type RequirementId } from '../spec/index.js';

/** What a service may do wrong. */
export interface Wrong {
  /** Unique; words joined by hyphens. Never changes. */
  readonly id: string;
  /** What the faulty service does, as in a bug report. */
  readonly sentence: string;
  /** The requirements that it violates, the main one first. Each of them may catch it. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
}

/**
 * A table, a row a line: `id | sentence | requirements`. A line that begins with two blanks continues the row. A row whose id holds
 * `{a,b}` stands for one with each of these words, which `*` stands for in the other columns. Lines that begin with `#` are titles.
 *
 * @throws {Error} if a row is no such row, names a requirement that there is not, or an id again
 */
export function wrongsOf(table: string): readonly Wrong[] {
  const lines = table.replaceAll('\n  ', ' ').split('\n');
  const wrongs = lines.filter((line) => line !== '' && !line.startsWith('#')).flatMap(wrongsIn);
  if (new Set(wrongs.map(({ id }) => id)).size < wrongs.length) throw new Error('two wrongs have one id');
  return wrongs;
}

function wrongsIn(row: string): readonly Wrong[] {
  const [id = '', sentence, requirements, ...more] = row.split(' | ');
  if (sentence === undefined || requirements === undefined || more.length > 0)
    throw new Error(`a wrong needs three columns: ${row}`);
  const [before, words, after] = id.split(/[{}]/);
  if (words === undefined) return [{ id, sentence, breaks: idsIn(requirements) }];
  return words.split(',').map((word) => ({
    id: `${before}${word}${after}`,
    sentence: sentence.replaceAll('*', word),
    breaks: idsIn(requirements.replaceAll('*', word)),
  }));
}

function idsIn(column: string): Wrong['breaks'] {
  const [main, ...others] = column.split(/ +/).map((id): RequirementId => {
    if (!isRequirementId(id)) throw new Error(`there is no requirement ${id}`);
    return id;
  });
  return [main!, ...others];
}
