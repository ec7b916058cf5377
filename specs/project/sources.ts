import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The folder that holds package.json. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A source text with the path it has below the root, such as `src/core/api.ts`. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** All TypeScript sources below a folder, sorted by path; none where there is no such folder. */
export function sourcesIn(folder: string): readonly Source[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The room of `src/` that a path lies in: a folder's name, or the name of a file beside the folders. */
export const roomOf = (path: string): string => path.split('/').slice(1, 2).join('');

export function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** Where a node stands, for messages: `src/core/api.ts:12`. */
export function placeOf(file: ts.SourceFile, node: ts.Node): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
}
