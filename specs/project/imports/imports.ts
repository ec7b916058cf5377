import { posix } from 'node:path';
import ts from 'typescript';
import { parse, placeOf, walk, type Source } from '../sources.js';

/** One import of a module, whether by `import`, `export … from`, `import()` or `import('…').Type`. */
export interface Import {
  /** `src/sim/engine.ts:3` */
  readonly place: string;
  /** What is imported: a path below the root without its ending, the name of a package, or null when computed. */
  readonly from: string | null;
  /** The names taken, `*` for all. */
  readonly names: readonly string[];
  /** Nothing is left of it when the types are stripped. */
  readonly typeOnly: boolean;
}

/** By path and text: several specs of a process ask for the same. */
const known = new Map<string, readonly Import[]>();

/** Every import of a source file, in order. */
export function importsOf(source: Source): readonly Import[] {
  const key = `${source.path}\n${source.text}`;
  const imports = known.get(key) ?? readImports(source);
  known.set(key, imports);
  return imports;
}

function readImports(source: Source): readonly Import[] {
  const file = parse(source);
  const found: Import[] = [];
  const add = (
    node: ts.Node,
    specifier: ts.Node | undefined,
    names: readonly string[],
    typeOnly: boolean,
  ) => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : null;
    found.push({ place: placeOf(file, node), from: text && resolved(source.path, text), names, typeOnly });
  };
  const see = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node, node.moduleSpecifier, namesOf(node.importClause), isTypeImport(node.importClause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      const named = node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
      const elements = named ? [...node.exportClause.elements] : [];
      const typeOnly = node.isTypeOnly || (named && elements.every((element) => element.isTypeOnly));
      add(node, node.moduleSpecifier, named ? elements.map(originalName) : ['*'], typeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node, node.arguments[0], ['*'], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, [node.qualifier?.getText(file) ?? '*'], true);
    }
  };
  // Only these can stand below a statement.
  if (/\bimport\s*\(/.test(source.text)) walk(file, see);
  else file.statements.forEach(see);
  return found;
}

function resolved(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(path), specifier).replace(/\.[jt]sx?$/, '');
}

function namesOf(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return [];
  const whole = clause.name === undefined ? [] : ['default'];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return whole;
  return [...whole, ...(ts.isNamedImports(bindings) ? bindings.elements.map(originalName) : ['*'])];
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

const originalName = ({ name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier): string =>
  (propertyName ?? name).text;
