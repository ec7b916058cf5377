/** How the lists of what faults really break are written down. */

/**
 * Faults and requirements are ids, or globs with `*`, separated by blanks. Of every fault of the row each of the
 * requirements is broken, by the document's words; the last column says why.
 */
export type Row = readonly [faults: string, requirements: string, why: string];

export interface BreaksList {
  /** The file to edit. */
  readonly file: string;
  readonly rows: readonly Row[];
}

/** A table, a row a line: `faults | requirements | why`. Lines that are empty or begin with `#` are left out. */
export function rowsOf(table: string): readonly Row[] {
  const lines = table.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [faults, requirements, why, ...more] = line.split(' | ');
    if (faults === undefined || requirements === undefined || why === undefined || more.length > 0)
      throw new Error(`a row of a list of breaks needs three columns: ${line}`);
    return [faults, requirements, why];
  });
}

/** Ids and globs of one column. */
export function wordsOf(column: string): readonly string[] {
  return column.split(/\s+/).filter((word) => word !== '');
}

export function fits(glob: string): (id: string) => boolean {
  if (!glob.includes('*')) return (id) => id === glob;
  const pattern = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const whole = new RegExp(`^${pattern}$`);
  return (id) => whole.test(id);
}
