/** Where source code names requirements: by their ids, or by the patterns of `idsFor` and `family`. */
import * as spec from '../../spec/index.js';

/** File and line, in the form that editors and terminals open: `src/oracle/calls/keys.ts:12`. */
export type SourcePlace = `${string}:${number}`;

export interface Source {
  /** Relative to the root of the package. */
  readonly path: string;
  readonly text: string;
}

const ID = /'(\d(?:\.\d)?\/[a-z0-9-]+)'/g;
const PATTERN = /\b(?:idsFor|family)\(\s*'([^'*]*)\*([^'*]*)',\s*(\[[^\]]*\]|[A-Z_]+)/g;

/** The word lists that may follow a pattern. */
const LISTS: { readonly [name: string]: unknown } = spec;

const ALL: readonly string[] = spec.REQUIREMENTS.map(({ id }) => id);

/** The first place of every id in the source. Comments do not count. */
export function idsIn({ path, text }: Source): ReadonlyMap<string, SourcePlace> {
  const code = withoutComments(text);
  const places = new Map<string, SourcePlace>();
  const add = (id: string, at: number): void => {
    if (!places.has(id)) places.set(id, `${path}:${lineAt(code, at)}`);
  };
  for (const { 1: id, index } of code.matchAll(ID)) add(id!, index);
  for (const { 1: before, 2: after, 3: words, index } of code.matchAll(PATTERN))
    for (const id of idsOf(before!, after!, words!)) add(id, index);
  return places;
}

/**
 * The ids of a pattern and a list of words: `['run', 400]`, the name of a list of `spec/`, or a list that
 * includes others: `[...LIST, 'run']`. For an unknown name, all ids that match.
 */
function idsOf(before: string, after: string, list: string): readonly string[] {
  const tokens = list.matchAll(/'([^']+)'|\b(\d+)\b|\b([A-Z][A-Z_]+)\b/g);
  return [...tokens].flatMap(([, text, number, name]) => {
    const words = name === undefined ? [text ?? number] : LISTS[name];
    if (Array.isArray(words)) return words.map((word) => `${before}${word}${after}`);
    return ALL.filter((id) => id.startsWith(before) && id.endsWith(after));
  });
}

/** Line numbers do not change. Text in quotes is not a comment. */
function withoutComments(text: string): string {
  return text.replace(/'[^'\n]*'|\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, (found) =>
    found.startsWith("'") ? found : found.replace(/[^\n]/g, ' '),
  );
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
