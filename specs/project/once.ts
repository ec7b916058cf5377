/** What the sources do in one place only, so that it is done in one way. */
import ts from 'typescript';
import { importsOf } from './imports/imports.js';
import { parse, walk, type Source } from './sources.js';

interface Once {
  /** What a second place must not do. */
  readonly what: string;
  /** The files and folders that may. */
  readonly only: readonly string[];
  readonly found: (source: Source) => boolean;
}

export const ONCE: readonly Once[] = [
  {
    what: 'starts or serves a thread by itself: use src/threads/',
    only: ['src/threads/'],
    found: (source) => importsOf(source).some(({ from }) => /^(node:)?worker_threads$/.test(from ?? '')),
  },
  {
    what: 'listens by itself: use listen of src/wire/',
    only: ['src/wire/', 'proof/', 'bench/'],
    found: (source) => hasNode(source, /createServer|@hono/, isServer),
  },
  {
    what: 'says which hosts are this machine or private: use src/util/address.ts',
    only: ['src/util/address.ts'],
    found: (source) => hasNode(source, /127|localhost|::1|192|fe80/, isAboutHosts),
  },
  {
    what: 'says which operation a path names: use src/spec/operation-of.ts',
    only: ['src/spec/'],
    found: (source) => hasNode(source, /status|stream/, isAboutOperations),
  },
  {
    what: 'gives an HTTP call a shape of its own: use Exchange of src/history/exchange.ts',
    only: [
      ...['src/history/exchange.ts', 'src/core/', 'src/oracle/'],
      // What histories and reports are saved as.
      ...['src/history/events.ts', 'src/report/client/condition.ts', 'src/report/formats/har.ts'],
      // What users are told: by `serve --log`, at `/state` of the proxy, and in its alerts.
      ...['src/server/logged-call.ts', 'src/features/proxy/recent-calls.ts'],
      'src/judging/live/live-readings.ts',
    ],
    found: (source) => hasNode(source, /\bmethod\b/, isShapeOfCall),
  },
  {
    what: 'takes a text that is no JSON for something: use jsonIn of src/util/json.ts',
    only: ['src/util/json.ts'],
    found: (source) => hasNode(source, /JSON\.parse/, isTolerantParse),
  },
  {
    what: 'begins a page by itself: use htmlDocument of src/util/html-document.ts',
    only: ['src/util/html-document.ts'],
    found: ({ text }) => /<!doctype/i.test(text),
  },
  {
    what: 'keeps metrics by itself: use createMetrics of src/wire/metrics.ts',
    only: ['src/wire/metrics.ts'],
    found: (source) => importsOf(source).some(({ from }) => from === 'prom-client'),
  },
  {
    what: 'writes a word that only earlier versions wrote',
    only: ['src/scenario/earlier-words.ts', 'src/history/earlier-words.ts'],
    found: ({ text }) => /'beheaded'|\{neighbour\}|\bneighbour[?:]/.test(text),
  },
];

/** What a source does that another file is there for, one message each. */
export const secondPlaces = (source: Source): readonly string[] =>
  ONCE.filter(({ only, found }) => !only.some((path) => source.path.startsWith(path)) && found(source)).map(
    ({ what }) => `${source.path} ${what}`,
  );

const HOSTS = /^(\.?localhost|127\.[\d.]*|\[?::1\]?)$/;
const NETWORKS = /^((127|10|172\.16|192\.168|169\.254)\.[\d.]*|::1|fc00::|fe80::)\/\d+$/;
const COMPARED: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

/** `createServer` of a module of Node, whatever it is called there, or `serve` of Hono's adapter; not the word in a text. */
const isServer = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === 'createServer') ||
  (ts.isImportSpecifier(node) &&
    (node.propertyName ?? node.name).text === 'serve' &&
    /^'@hono\/node-server'$/.test(node.parent.parent.parent.moduleSpecifier.getText()));

/** A pattern of hosts, a comparison with one, or a network. */
function isAboutHosts(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node))
    return /127|localhost|192\\?\.168|169\\?\.254|fe80|::1/.test(node.text);
  if (!ts.isStringLiteralLike(node)) return false;
  if (NETWORKS.test(node.text)) return true;
  if (!HOSTS.test(node.text)) return false;
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return COMPARED.includes(parent.operatorToken.kind);
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(startsWith|endsWith|includes)$/.test(parent.expression.name.text)
  );
}

/** A choice of operations in a pattern, or the name that only edition `runpod` has. */
function isAboutOperations(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node))
    return /\/\((\?:)?(run|runsync|status|status-sync|stream|cancel|retry|purge-queue)\|/.test(node.text);
  return ts.isStringLiteralLike(node) && node.text === 'status-sync';
}

/** A type with a method, and with what came of it. */
function isShapeOfCall(node: ts.Node): boolean {
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeLiteralNode(node)) return false;
  const names = new Set<string>();
  walk(node, (one) => {
    if (ts.isPropertySignature(one)) names.add(one.name.getText());
  });
  return names.has('method') && ['status', 'reply', 'outcome'].some((name) => names.has(name));
}

/** `JSON.parse` alone in a `try` whose `catch` throws nothing. */
function isTolerantParse(node: ts.Node): boolean {
  if (!ts.isTryStatement(node) || node.catchClause === undefined) return false;
  const [only, ...more] = node.tryBlock.statements;
  if (only === undefined || more.length > 0) return false;
  let [parses, reads, throws] = [false, false, false];
  walk(only, (one) => {
    if (ts.isCallExpression(one)) {
      parses ||= one.expression.getText() === 'JSON.parse';
      reads ||= /^(read|gunzip|inflate|localStorage)/.test(one.expression.getText());
    }
  });
  walk(node.catchClause, (one) => {
    throws ||= ts.isThrowStatement(one);
  });
  return parses && !reads && !throws;
}

/** Whether a source has such a node; `text` tells early where it has none. */
function hasNode(source: Source, text: RegExp, is: (node: ts.Node) => boolean): boolean {
  if (!text.test(source.text)) return false;
  let found = false;
  walk(parse(source), (node) => {
    found ||= is(node);
  });
  return found;
}
