import ts from 'typescript';
import { parse, placeOf, walk, type Source } from './sources.js';

/** What a reader can hold in mind. */
export const OWN_LINES_MAX = 60;

export interface LongFunction {
  /** `src/core/service.ts:62`. */
  readonly place: string;
  readonly lines: number;
}

/** The functions with more lines of code of their own: those of functions in it, comments and blank lines do not count. */
export function longFunctionsIn(source: Source): readonly LongFunction[] {
  const file = parse(source);
  const long: ts.Node[] = [];
  walk(file, (node) => {
    if (hasBody(node) && linesOf(file, node).length > OWN_LINES_MAX) long.push(node);
  });
  // Looking at every token takes long, and most files have no such function.
  if (long.length === 0) return [];
  const withCode = linesWithCode(file);
  const found: LongFunction[] = [];
  for (const node of long) {
    const own = new Set(linesOf(file, node).filter((line) => withCode.has(line)));
    walkOutside(node, (inner) => linesOf(file, inner).forEach((line) => own.delete(line)));
    if (own.size > OWN_LINES_MAX) found.push({ place: placeOf(file, node), lines: own.size });
  }
  return found;
}

const hasBody = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) && (node as { readonly body?: ts.Node }).body !== undefined;

/** Calls `visit` for the outermost functions within a node. */
function walkOutside(node: ts.Node, visit: (inner: ts.Node) => void): void {
  node.forEachChild((child) => (hasBody(child) ? visit(child) : walkOutside(child, visit)));
}

const lineAt = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line;

function linesOf(file: ts.SourceFile, node: ts.Node): readonly number[] {
  const first = lineAt(file, node.getStart(file));
  return Array.from({ length: lineAt(file, node.end) - first + 1 }, (_, index) => first + index);
}

/** Lines in which a token stands. */
function linesWithCode(file: ts.SourceFile): ReadonlySet<number> {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const parts = node.getChildren(file);
    if (parts.length > 0) parts.forEach(visit);
    else if (node.end > node.getStart(file)) for (const line of linesOf(file, node)) lines.add(line);
  };
  visit(file);
  return lines;
}
