import ts from 'typescript';
import { importsOf } from './imports/imports.js';
import { parse, placeOf, walk, type Source } from './sources.js';

/** Where explanations are found, and lists of them are at home. */
const ENGINE: readonly string[] = ['src/oracle/model/', 'src/oracle/proof/'];
/** Files that may follow jobs. */
const FOLLOWERS: ReadonlySet<string> = new Set([
  'src/oracle/judge-job.ts',
  'src/oracle/jobs/start-windows.ts',
]);
/** What follows a life, and gives lists of explanations. */
const FOLLOWING: ReadonlySet<string> = new Set([
  'linearize',
  'Linearization',
  'OnStep',
  'Followed',
  'explainJob',
  'checkJob',
]);

/**
 * How a source of the oracle could take an unknown life for one without explanations, one message each: outside the engine
 * nobody has a list of explanations, says what is known of a life, or puts something else in the place of what is.
 */
export function flattenings(source: Source): readonly string[] {
  if (ENGINE.some((folder) => source.path.startsWith(folder))) return [];
  const file = parse(source);
  const found: string[] = [];
  walk(file, (node) => {
    const what = flattening(file, node, FOLLOWERS.has(source.path));
    if (what !== null) found.push(`${placeOf(file, node)}: ${what}`);
  });
  if (FOLLOWERS.has(source.path)) return found;
  const imports = importsOf(source).filter(({ from }) => ENGINE.some((folder) => from?.startsWith(folder)));
  for (const { place, names } of imports)
    for (const name of names) if (FOLLOWING.has(name)) found.push(`${place}: ${name} follows a life`);
  return found;
}

function flattening(file: ts.SourceFile, node: ts.Node, isFollower: boolean): string | null {
  if (ts.isArrayTypeNode(node) && isHypothesis(node.elementType)) return 'a list of explanations';
  if (ts.isTypeReferenceNode(node) && node.typeArguments?.some(isHypothesis) === true)
    return 'a list of explanations';
  if (
    ts.isBinaryExpression(node) &&
    (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken ||
      node.operatorToken.kind === ts.SyntaxKind.BarBarToken) &&
    /\bexplanationsOf\b[^;]*$/.test(node.left.getText(file)) &&
    ts.isArrayLiteralExpression(node.right)
  )
    return 'something else in the place of a life';
  if (isFollower) return null;
  if (ts.isNewExpression(node) && /^(?:Unknown|Contradicted)$/.test(node.expression.getText(file)))
    return 'says what is known of a life';
  if (ts.isPropertyAccessExpression(node) && node.expression.getText(file) === 'Explained')
    return 'says what is known of a life';
  return null;
}

const isHypothesis = (type: ts.TypeNode): boolean =>
  ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Hypothesis';
