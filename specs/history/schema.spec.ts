/** The shipped schema of a history says what `events.ts` says: each member of each kind of event, and no other. */
import ts from 'typescript';
import { expect, it } from 'vitest';
import { shippedSchema } from '../../src/package-files.js';
import { parse, sourcesIn } from '../project/sources.js';

type Schema = { readonly [keyword: string]: unknown };

const SCHEMA = shippedSchema('history');
const FILES = ['src/history/events.ts', 'src/history/selection.ts', 'src/spec/types.ts'];

const TYPES = new Map<string, ts.InterfaceDeclaration | ts.TypeNode>();
for (const source of sourcesIn('src').filter(({ path }) => FILES.includes(path)))
  for (const statement of parse(source).statements) {
    if (ts.isInterfaceDeclaration(statement)) TYPES.set(statement.name.text, statement);
    if (ts.isTypeAliasDeclaration(statement)) TYPES.set(statement.name.text, statement.type);
  }

function resolved({ $ref, ...schema }: Schema): Schema {
  if (typeof $ref !== 'string') return schema;
  return (SCHEMA['$defs'] as { readonly [name: string]: Schema })[$ref.slice('#/$defs/'.length)]!;
}

/** The alternatives of a type, without names and null. */
function alternativesOf(type: ts.TypeNode): readonly (ts.InterfaceDeclaration | ts.TypeNode)[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(alternativesOf);
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return alternativesOf(type.type);
  if (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword) return [];
  const named = ts.isTypeReferenceNode(type) ? TYPES.get(type.typeName.getText()) : undefined;
  if (named === undefined || named === TYPES.get('Json')) return [type];
  return ts.isInterfaceDeclaration(named) ? [named] : alternativesOf(named);
}

const isMember = (node: ts.Node): node is ts.PropertySignature => ts.isPropertySignature(node);

/** What the schema says otherwise than the type, each with its place. */
function differences(type: ts.TypeNode, schema: Schema, place: string): readonly string[] {
  const alternatives = alternativesOf(type);
  const { enum: words, oneOf, properties, required, items } = resolved(schema);
  if (Array.isArray(oneOf)) {
    if (oneOf.length !== alternatives.length) return [`${place}: ${oneOf.length} alternatives`];
    return oneOf.flatMap((one: Schema, at) =>
      membersDiffer(alternatives[at]!, resolved(one), `${place}/${at}`),
    );
  }
  if (Array.isArray(words)) {
    const texts = alternatives.map((one) => (ts.isTypeNode(one) ? one.getText().replaceAll("'", '') : ''));
    const missing = texts.filter((text) => !words.includes(text));
    const more = words.filter((word) => word !== null && !texts.includes(String(word)));
    return [...missing, ...more].map((word) => `${place}: ${String(word)}`);
  }
  const [only] = alternatives;
  if (only !== undefined && ts.isArrayTypeNode(only) && items !== undefined)
    return differences(only.elementType, items as Schema, `${place}[]`);
  return only === undefined ? [] : membersDiffer(only, { properties, required }, place);
}

function membersDiffer(
  type: ts.InterfaceDeclaration | ts.TypeNode,
  { properties, required }: Schema,
  place: string,
): readonly string[] {
  if (!ts.isInterfaceDeclaration(type) && !ts.isTypeLiteralNode(type)) return [];
  const members = type.members.filter(isMember);
  // An object of any names, such as header fields.
  if (members.length === 0) return [];
  const known = (properties ?? {}) as { readonly [name: string]: Schema };
  const names = members.map(({ name }) => name.getText());
  const more = Object.keys(known).filter((name) => !names.includes(name));
  return [
    ...more.map((name) => `${place}.${name}: no member`),
    ...members.flatMap(({ name: word, questionToken, type: of }) => {
      const name = word.getText();
      const schema = known[name];
      const at = `${place}.${name}`;
      if (schema === undefined) return [`${at}: missing in the schema`];
      const isRequired = ((required ?? []) as readonly string[]).includes(name);
      if (isRequired !== (questionToken === undefined)) return [`${at}: required, or not`];
      return differences(of!, schema, at);
    }),
  ];
}

it('has each member of each event, and no other', () => {
  expect(differences(TYPES.get('HistoryEvent') as ts.TypeNode, SCHEMA, '')).toEqual([]);
});

it('and would tell', () => {
  const run = SCHEMA['$defs'] as { readonly run: { readonly properties: object; readonly required: object } };
  const { seed: _, ...properties } = run.run.properties as { readonly [name: string]: Schema };
  const type = TYPES.get('RunEvent') as ts.InterfaceDeclaration;
  expect(membersDiffer(type, { ...run.run, properties: { ...properties, more: {} } }, 'run')).toEqual([
    'run.more: no member',
    'run.seed: missing in the schema',
  ]);
});
