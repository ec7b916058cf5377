import ts from 'typescript';
import { importsOf, type Import } from './imports.js';
import { parse, roomOf, type Source } from '../sources.js';

/** What a room may import besides itself. */
export interface Row {
  /** Rooms whose values and types it may use. */
  readonly rooms: readonly string[];
  /** Rooms of which it may use types alone: all of them, or those named. */
  readonly types?: { readonly [room: string]: 'any' | readonly string[] };
  /** Packages, and parts of Node as `node:…`; `node:*` is all of it. */
  readonly packages?: readonly string[];
  /** It may load modules whose names are known at run time only: the user's own files. */
  readonly loadsFiles?: true;
}

/** `Json` says what a JSON value is. It stands in the history, where every body ends up. */
const JSON_TYPE = ['Json'] as const;

const ALL_ROOMS = [
  'spec',
  'time',
  'core',
  'sim',
  'history',
  'scenario',
  'explore',
  'target',
  'runner',
  'schedule',
  'oracle',
  'traffic',
  'client',
  'report',
  'server',
  'worker',
  'mutants',
  'proxy',
  'threads',
  'wire',
];

/** What the page of a failure shows. */
const PAGE_DATA = ['Band', 'JobLane', 'MomentRow', 'PageData', 'Reason', 'StepRow'];

/** Every room may import it; it imports nothing. */
const LEAF = 'util';

/** Where this package, its user and the user's folders are. */
const OWN_FILES = ['package-files.ts', 'make-folder.ts', 'program-name.ts'];

/** Rooms, with a space between two, and more. */
const among = (rooms: string, more: readonly string[]): readonly string[] => [...rooms.split(' '), ...more];

const FACE: Row = {
  rooms: [...ALL_ROOMS, 'test-bed', 'judging', 'checking', 'features', 'package-files.ts', '../scenarios'],
  packages: ['node:fs', 'node:path', 'node:url'],
};

/** What each room may import. */
export const TABLE: { readonly [room: string]: Row } = {
  util: { rooms: [] },
  spec: { rooms: [] },
  time: { rooms: [] },
  threads: { rooms: [], packages: ['node:fs', 'node:url', 'node:v8', 'node:worker_threads'] },
  core: { rooms: ['spec'], types: { history: JSON_TYPE } },
  sim: { rooms: ['spec', 'time', 'core', 'worker'] },
  history: { rooms: ['spec'], packages: ['node:crypto'] },
  scenario: { rooms: ['spec'], types: { history: 'any' }, packages: ['fast-check'] },
  runner: { rooms: ['spec', 'history', 'scenario'] },
  schedule: { rooms: ['spec', 'time', 'scenario'] },
  target: {
    rooms: ['spec', 'time', 'history', 'sim', 'scenario', 'runner', 'schedule', 'wire'],
    packages: ['node:*', 'undici', '@sinonjs/fake-timers'],
  },
  explore: {
    rooms: ['spec', 'time', 'scenario', 'runner'],
    types: { history: 'any', target: 'any' },
    packages: ['fast-check'],
  },
  oracle: { rooms: ['spec', 'history'] },
  traffic: {
    rooms: ['spec', 'history', 'scenario'],
    packages: ['@streamparser/json', 'har-format', 'node:crypto', 'node:zlib'],
  },
  client: { rooms: ['spec', 'history'] },
  // The one server that listens.
  wire: { rooms: [], packages: ['node:*', 'prom-client'] },
  proxy: {
    rooms: ['history', 'wire'],
    types: { spec: ['Names'] },
    packages: ['node:*', '@hono/node-server'],
  },
  report: {
    rooms: ['spec', 'history', 'client'],
    types: { oracle: 'any', traffic: ['Hint'] },
    packages: ['node:crypto', 'sarif'],
  },
  server: {
    rooms: among('spec time threads history core worker traffic wire make-folder.ts program-name.ts', []),
    types: { scenario: ['Script'] },
    packages: ['node:*', 'hono', '@hono/node-server', 'libsql', 'undici'],
    loadsFiles: true,
  },
  // The pages' scripts. They share types with what sends them their data, and run elsewhere.
  browser: {
    rooms: ['worker'],
    types: { server: 'any', core: 'any', spec: 'any', report: PAGE_DATA },
    packages: ['hono'],
  },
  // How a worker reports is the core's word; the worker itself knows no core.
  worker: { rooms: [], types: { history: 'any', core: ['WorkerReport'] } },
  mutants: { rooms: ['spec', 'core'], types: { history: JSON_TYPE } },
  'test-bed': {
    rooms: among('spec threads core scenario explore oracle mutants target report', OWN_FILES),
    types: { history: 'any' },
  },
  files: {
    rooms: among('spec history scenario target report ../scenarios', OWN_FILES),
    types: { explore: 'any' },
    packages: ['node:*'],
  },
  // From events to findings, and from findings to a report: of a run, in parts, or while calls pass.
  judging: {
    rooms: among(
      'spec time threads core history scenario schedule explore target oracle traffic client proxy report test-bed files',
      OWN_FILES,
    ),
    packages: ['node:*'],
  },
  // What an exploration leaves behind, for the commands that make it, share it, repeat it and shrink it.
  exploring: {
    rooms: among(
      'spec threads history scenario explore oracle mutants report test-bed judging files',
      OWN_FILES,
    ),
    packages: ['node:*'],
  },
  // From a target to a report: for `check` and its kin, for the library and for vitest.
  checking: {
    rooms: among(
      'spec threads history scenario schedule explore target oracle mutants server report test-bed judging files ../scenarios',
      OWN_FILES,
    ),
    packages: ['node:*'],
  },
  // What commands share: options and their values, what is printed, and where to.
  cli: {
    rooms: [
      ...ALL_ROOMS,
      'test-bed',
      'files',
      'judging',
      'exploring',
      'checking',
      '../scenarios',
      ...OWN_FILES,
    ],
    packages: ['node:*', 'jiti', 'yargs'],
    loadsFiles: true,
  },
  // A command each. None imports another, and others import its face alone: `importBreaches` checks both besides.
  features: {
    rooms: [...ALL_ROOMS, 'test-bed', 'files', 'judging', 'exploring', 'checking', 'cli', ...OWN_FILES],
    packages: ['node:*', 'fast-check', 'bullmq', 'ioredis', 'pg'],
    loadsFiles: true,
  },
  shell: {
    rooms: ['threads', 'report', 'files', 'cli', 'features', 'index.ts', ...OWN_FILES],
    packages: ['node:*', 'yargs'],
  },
  'index.ts': FACE,
  // It writes failures down where the specs run, and finds them again.
  'vitest.ts': { rooms: [...FACE.rooms, 'index.ts'], packages: ['vitest', 'node:*'] },
  'package-files.ts': { rooms: [], packages: ['node:fs', 'node:path', 'node:url'] },
  // How the user starts this process.
  'program-name.ts': { rooms: ['report'], packages: ['node:path'] },
  'make-folder.ts': { rooms: [], packages: ['node:fs', 'node:path'] },
};

/** What a source file imports against the table, one message each. */
export function importBreaches(source: Source): readonly string[] {
  const room = roomOf(source.path);
  const row = TABLE[room];
  if (row === undefined) return [`${source.path}: the table has no row for ${room}`];
  return importsOf(source)
    .filter(
      (found) =>
        !allows(row, room, found) || intoFeature(source.path, found.from) || isRaw(source.path, found),
    )
    .map(({ place, from, names, typeOnly }) => {
      const kind = typeOnly ? 'the types ' : '';
      return `${place}: ${room} may not import ${kind}${names.join(', ')} from ${from ?? 'a computed name'}`;
    });
}

/** Whether a feature imports another one, or others import more of a feature than its face. */
function intoFeature(path: string, from: string | null): boolean {
  const [here, there] = [path, from ?? ''].map((each) => /^src\/features\/([^/]+)\//.exec(each)?.[1]);
  if (there === undefined || here === there) return false;
  return here !== undefined || from !== `src/features/${there}/index`;
}

/** What options are before their rows have read them: the parser of the command line has it alone. */
const RAW = ['RawOptions', 'settingsOf', '*'];

function isRaw(path: string, { from, names }: Import): boolean {
  if (path === 'src/cli/options/option.ts' || roomOf(path) === 'shell') return false;
  return from === 'yargs' || (from === 'src/cli/option' && names.some((name) => RAW.includes(name)));
}

/** What others may see of a room, or of a feature. */
const FACE_NAMES_MAX = 20;
/** Whose words everyone uses: the document, and what is found. */
const WORDS = ['src/spec/index.ts', 'src/oracle/index.ts'];

/** The faces of rooms and features that show too much of them, one message each. */
export function faceBreaches(source: Source): readonly string[] {
  if (!/^src\/(features\/)?[^/]+\/index\.ts$/.test(source.path) || WORDS.includes(source.path)) return [];
  const count = parse(source).statements.flatMap(exportedBy).length;
  return count <= FACE_NAMES_MAX ? [] : [`${source.path} exports ${count} names`];
}

/** The names that a statement exports. */
function exportedBy(statement: ts.Statement): readonly string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: clause } = statement;
    // Of a whole module it is not known how many: as many as may not be.
    if (clause === undefined) return Array.from({ length: FACE_NAMES_MAX + 1 }, () => '*');
    return ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [clause.name.text];
  }
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return ['default'];
}

function allows(row: Row, room: string, { from, names, typeOnly }: Import): boolean {
  if (from === null) return row.loadsFiles === true;
  if (from.startsWith('scenarios/')) return row.rooms.includes('../scenarios');
  if (!from.startsWith('src/')) return (row.packages ?? []).some((allowed) => isPartOf(allowed, from));
  const other = roomOf(from) in TABLE ? roomOf(from) : `${roomOf(from)}.ts`;
  if (other === room || other === LEAF || row.rooms.includes(other)) return true;
  const types = row.types?.[other];
  return typeOnly && types !== undefined && (types === 'any' || names.every((name) => types.includes(name)));
}

const isPartOf = (allowed: string, name: string): boolean =>
  allowed === 'node:*' ? name.startsWith('node:') : name === allowed || name.startsWith(`${allowed}/`);
