/** What the entry points of the package export: each name with its signature, its docstring and its tags. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './sources.js';

/** One name that an entry point exports. */
export interface PublicExport {
  readonly name: string;
  /** The declarations as a `.d.ts` has them, with their docstrings. */
  readonly signature: string;
  /** The text of its docstring; empty for none. */
  readonly doc: string;
  /** The names of the docstring's tags, such as `public`. */
  readonly tags: readonly string[];
  /** The bodies of its `@example` tags. */
  readonly examples: readonly string[];
  /** Below the root of the repository. */
  readonly file: string;
  /** Types of this package that the signature names. */
  readonly mentions: readonly Mention[];
}

interface Mention {
  readonly name: string;
  readonly file: string;
  /** Its docstring says `@internal`. */
  readonly isInternal: boolean;
}

/** An entry point: the name under which it is imported, and its source file. */
const ENTRY_POINTS = [
  { name: 'runproof', file: 'src/index.ts' },
  { name: 'runproof/vitest', file: 'src/vitest.ts' },
] as const;

let known: ReadonlyMap<string, readonly PublicExport[]> | null = null;

/** The exports of each entry point, sorted by name. The compiler reads them once for each process. */
export function publicApi(): ReadonlyMap<string, readonly PublicExport[]> {
  return (known ??= readApi());
}

function readApi(): ReadonlyMap<string, readonly PublicExport[]> {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const program = ts.createProgram(
    ENTRY_POINTS.map(({ file }) => join(ROOT, file)),
    { ...options, noEmit: false, declaration: true },
  );
  const reader = new Reader(program);
  return new Map(ENTRY_POINTS.map(({ name, file }) => [name, reader.exportsOf(join(ROOT, file))]));
}

class Reader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  /** The emitted declarations of each source file, by name. */
  readonly #emitted = new Map<ts.SourceFile, ReadonlyMap<string, string>>();

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  exportsOf(path: string): readonly PublicExport[] {
    const module = this.#checker.getSymbolAtLocation(this.#program.getSourceFile(path)!)!;
    return this.#checker
      .getExportsOfModule(module)
      .map((symbol) => this.#read(symbol))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #read(exported: ts.Symbol): PublicExport {
    const symbol = this.#resolved(exported);
    const declarations = symbol.declarations ?? [];
    const file = declarations[0]!.getSourceFile();
    const tags = symbol.getJsDocTags(this.#checker);
    const text = (tag: ts.JSDocTagInfo): string => ts.displayPartsToString(tag.text);
    return {
      name: exported.name,
      signature: this.#declarationsOf(file).get(symbol.name) ?? '',
      doc: ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)),
      tags: tags.map((tag) => tag.name),
      examples: tags.filter((tag) => tag.name === 'example').map(text),
      file: fileBelowRoot(file),
      mentions: this.#mentionsOf(declarations),
    };
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #declarationsOf(file: ts.SourceFile): ReadonlyMap<string, string> {
    const before = this.#emitted.get(file);
    if (before !== undefined) return before;
    let emitted = '';
    this.#program.emit(file, (_, text) => (emitted = text), undefined, true);
    const declarations = new Map<string, string>();
    for (const statement of ts.createSourceFile('a.d.ts', emitted, ts.ScriptTarget.ES2023).statements) {
      for (const name of namesOf(statement)) {
        // Before the first declaration stands what the file says of itself.
        const doc = ts.getLeadingCommentRanges(emitted, statement.pos)?.at(-1);
        const text = emitted.slice(doc?.pos ?? statement.pos, statement.end).trim();
        declarations.set(
          name,
          [declarations.get(name), text].filter((part) => part !== undefined).join('\n'),
        );
      }
    }
    this.#emitted.set(file, declarations);
    return declarations;
  }

  /** Types named where a user sees them: not in bodies, nor in what is private. */
  #mentionsOf(declarations: readonly ts.Declaration[]): readonly Mention[] {
    const found = new Map<string, Mention>();
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node) || isHidden(node)) return;
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : undefined;
      const symbol = name && this.#checker.getSymbolAtLocation(name);
      if (symbol !== undefined) this.#note(this.#resolved(symbol), found);
      ts.forEachChild(node, visit);
    };
    for (const declaration of declarations) {
      // The value of a constant is no part of its signature, unless it is what has the type.
      if (ts.isVariableDeclaration(declaration) && declaration.type !== undefined) visit(declaration.type);
      else visit(declaration);
    }
    return [...found.values()];
  }

  #note(symbol: ts.Symbol, found: Map<string, Mention>): void {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return;
    const file = fileBelowRoot(declaration.getSourceFile());
    if (!file.startsWith('src/')) return;
    const isInternal = symbol.getJsDocTags(this.#checker).some(({ name }) => name === 'internal');
    found.set(symbol.name, { name: symbol.name, file, isInternal });
  }
}

const fileBelowRoot = (file: ts.SourceFile): string =>
  file.fileName.replaceAll('\\', '/').replace(ROOT.replaceAll('\\', '/'), '');

function isHidden(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false;
  const { name } = node;
  return name !== undefined && ts.isPrivateIdentifier(name);
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}
