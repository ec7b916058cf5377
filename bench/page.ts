/** The tables in docs/performance.md that benchmarks write. */
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'docs/performance.md';

/** The text of the page. */
export const pageText = (): string => readFileSync(PAGE, 'utf8');

export const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Puts a table at its place in the page. @param rows the first one is its head @throws {Error} if there is no such place */
export function writeTable(name: string, rows: readonly (readonly string[])[]): void {
  const [head = [], ...others] = rows;
  const lines = [head, head.map(() => '-'), ...others].map(tableLine).join('\n');
  const text = pageText();
  const between = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
  if (!between.test(text)) throw new Error(`${PAGE} has no place for the table of ${name}`);
  writeFileSync(
    PAGE,
    text.replace(between, (_, from: string, to: string) => `${from}\n${lines}\n\n${to}`),
  );
}
