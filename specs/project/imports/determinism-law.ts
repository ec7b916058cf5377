import ts from 'typescript';
import { importsOf } from './imports.js';
import { parse, placeOf, walk, type Source } from '../sources.js';

/** Globals that bring in time, chance, or an order that is not the program's own. */
const BARRED_GLOBALS: ReadonlySet<string> = new Set([
  'Date',
  'Intl',
  'Promise',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** Members that depend on chance or on the language of the machine. */
const BARRED_MEMBERS: ReadonlySet<string> = new Set([
  'localeCompare',
  'toLocaleDateString',
  'toLocaleLowerCase',
  'toLocaleString',
  'toLocaleTimeString',
  'toLocaleUpperCase',
]);

/** What Node offers that depends on its arguments alone. */
const PURE: ReadonlySet<string> = new Set(['createHash']);

/** What a source file does against the determinism law, one message each. */
export function lawBreaches(source: Source): readonly string[] {
  const file = parse(source);
  const found: string[] = [];
  walk(file, (node) => {
    const what = breach(node);
    if (what !== null) found.push(`${placeOf(file, node)}: ${what}`);
  });
  const parts = importsOf(source).filter(
    ({ from, names, typeOnly }) =>
      from?.startsWith('node:') && !typeOnly && !(names.length > 0 && names.every((name) => PURE.has(name))),
  );
  return [...found, ...parts.map(({ place, from }) => `${place}: imports ${from}`)];
}

function breach(node: ts.Node): string | null {
  if (ts.isForInStatement(node)) return 'for…in';
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) {
    return 'await';
  }
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (ts.isIdentifier(node) && BARRED_GLOBALS.has(node.text) && namesGlobal(node)) return node.text;
  if (!ts.isPropertyAccessExpression(node)) return null;
  const member = node.name.text;
  if (member === 'random' && node.expression.getText() === 'Math') return 'Math.random';
  if (BARRED_MEMBERS.has(member)) return member;
  const call = ts.isCallExpression(node.parent) && node.parent.expression === node ? node.parent : null;
  if ((member === 'sort' || member === 'toSorted') && call?.arguments.length === 0) {
    return `${member} without a comparator`;
  }
  return null;
}

/** Whether an identifier stands for itself, and not for a member or a key of that name. */
function namesGlobal(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) {
    return parent.expression === node || parent.expression.getText() === 'globalThis';
  }
  if (ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  if (ts.isMethodSignature(parent) || ts.isMethodDeclaration(parent)) return parent.name !== node;
  if (ts.isPropertyAssignment(parent)) return parent.name !== node;
  return true;
}
