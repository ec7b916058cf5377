import { join } from 'node:path';
import ts from 'typescript';
import { isQuestionId, isRequirementId } from '../../src/spec/index.js';
import { placeOf, ROOT, sourcesIn, walk, type Source } from './sources.js';

/** Members that hold an id, although their type is any text. */
const HOLDING_IDS: ReadonlySet<string> = new Set([
  'Requirement.id',
  'OpenQuestion.id',
  'RequirementFinding.id',
  'QuestionFinding.id',
  'Failure.requirement',
  'MissingOperation.requirement',
]);

/** Whether what the user selects includes an id: that may be a pattern. */
const OF_INPUT = 'isSelected';

/** Where a source reads something out of the letters of an id. */
interface TakenApart {
  /** Below the root of the repository. */
  readonly path: string;
  readonly message: string;
}

/**
 * Where the oracle reads something out of the letters of an id of a requirement or a question: uses a member of its text,
 * matches it, or gives it away as any text, after which nobody can see what becomes of it.
 *
 * @param planted a further source, as if the oracle had it
 */
export function idsTakenApart(planted: Source): readonly TakenApart[] {
  const program = programOf(planted);
  const reader = new Reader(program.getTypeChecker());
  return [...sourcesIn('src/oracle'), planted].flatMap(({ path }) => {
    const file = program.getSourceFile(join(ROOT, path))!;
    const found: TakenApart[] = [];
    walk(file, (node) => {
      if (reader.takesApart(node))
        found.push({ path, message: `${placeOf(file, node).slice(ROOT.length)}: ${node.getText()}` });
    });
    return found;
  });
}

function programOf(planted: Source): ts.Program {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const plantedPath = join(ROOT, planted.path);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === plantedPath || fileExists(path);
  host.getSourceFile = (path, ...others) =>
    path === plantedPath
      ? ts.createSourceFile(path, planted.text, ts.ScriptTarget.ES2023, true)
      : getSourceFile(path, ...others);
  const roots = [...sourcesIn('src/oracle'), planted].map(({ path }) => join(ROOT, path));
  return ts.createProgram(roots, options, host);
}

class Reader {
  readonly #checker: ts.TypeChecker;
  readonly #known = new Map<ts.Type, boolean>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  takesApart(node: ts.Node): boolean {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.#isId(node.expression);
    if (ts.isSpreadElement(node) || ts.isForOfStatement(node)) return this.#isId(node.expression);
    if (ts.isAsExpression(node)) return isText(node.type) && this.#isId(node.expression);
    if (ts.isVariableDeclaration(node))
      return isText(node.type) && node.initializer !== undefined && this.#isId(node.initializer);
    return ts.isCallExpression(node) && this.#givesAway(node);
  }

  #givesAway(call: ts.CallExpression): boolean {
    const ids = call.arguments.map((argument) => this.#isId(argument));
    if (!ids.includes(true) || call.expression.getText() === OF_INPUT) return false;
    const taken = this.#checker.getResolvedSignature(call)?.declaration?.parameters ?? [];
    return ids.some((isId, index) => {
      const parameter = taken[index] ?? taken.at(-1);
      if (!isId || parameter === undefined || ts.isJSDocParameterTag(parameter)) return false;
      const { type } = parameter;
      const isRest = parameter.dotDotDotToken !== undefined && type !== undefined && ts.isArrayTypeNode(type);
      return isText(isRest ? type.elementType : type);
    });
  }

  #isId(expression: ts.Expression): boolean {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(expression));
    if (type.flags & ts.TypeFlags.String) return this.#holdsId(expression);
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const isId = isIdType(type);
    this.#known.set(type, isId);
    return isId;
  }

  /** An expression of any text that is a member which holds an id, or a name for one. */
  #holdsId(expression: ts.Expression): boolean {
    if (ts.isPropertyAccessExpression(expression))
      return isHolding(this.#checker.getSymbolAtLocation(expression.name));
    if (!ts.isIdentifier(expression)) return false;
    const declared = this.#checker.getSymbolAtLocation(expression)?.valueDeclaration;
    if (declared === undefined) return false;
    if (ts.isBindingElement(declared)) {
      const name = (declared.propertyName ?? declared.name).getText();
      return isHolding(this.#checker.getTypeAtLocation(declared.parent).getProperty(name));
    }
    return (
      ts.isVariableDeclaration(declared) &&
      declared.type === undefined &&
      declared.initializer !== undefined &&
      this.#isId(declared.initializer)
    );
  }
}

const isText = (type: ts.TypeNode | undefined): boolean => type?.kind === ts.SyntaxKind.StringKeyword;

/** One id, or a union of ids. */
function isIdType(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(isIdType);
  return type.isStringLiteral() && (isRequirementId(type.value) || isQuestionId(type.value));
}

function isHolding(member: ts.Symbol | undefined): boolean {
  return (member?.declarations ?? []).some(
    ({ parent }) =>
      ts.isInterfaceDeclaration(parent) && HOLDING_IDS.has(`${parent.name.text}.${member!.name}`),
  );
}
