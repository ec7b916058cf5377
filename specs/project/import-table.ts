import { importsOf, type Import } from './imports.js';
import { roomOf, type Source } from './sources.js';

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
];

/** Every room may import it; it imports nothing. */
const LEAF = 'util';

const FACE: Row = {
  rooms: [...ALL_ROOMS, 'app', 'package-files.ts', '../scenarios'],
  packages: ['node:fs', 'node:path', 'node:url'],
};

/** What each room may import. */
export const TABLE: { readonly [room: string]: Row } = {
  util: { rooms: [] },
  spec: { rooms: [] },
  time: { rooms: [] },
  threads: { rooms: [], packages: ['node:fs', 'node:url', 'node:worker_threads'] },
  core: { rooms: ['spec'], types: { history: JSON_TYPE } },
  sim: { rooms: ['spec', 'time', 'core', 'worker'] },
  history: { rooms: ['spec'], packages: ['node:crypto'] },
  scenario: { rooms: ['spec'], types: { history: 'any' }, packages: ['fast-check'] },
  runner: { rooms: ['spec', 'history', 'scenario'] },
  schedule: { rooms: ['spec', 'time', 'scenario'] },
  target: {
    rooms: ['spec', 'time', 'history', 'sim', 'scenario', 'runner', 'schedule'],
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
  client: { rooms: ['spec'], types: { history: 'any' } },
  proxy: { rooms: [], packages: ['node:*', '@hono/node-server'] },
  report: {
    rooms: ['spec', 'history', 'client'],
    types: { oracle: 'any', traffic: ['Hint'] },
    packages: ['node:crypto', 'sarif'],
  },
  server: {
    rooms: ['spec', 'time', 'threads', 'core', 'worker', 'traffic', 'make-folder.ts', 'program-name.ts'],
    types: { history: JSON_TYPE, scenario: ['Script'] },
    packages: ['node:*', 'hono', '@hono/node-server', 'libsql', 'prom-client', 'undici'],
    loadsFiles: true,
  },
  // The pages' scripts. They share types with what sends them their data, and run elsewhere.
  browser: { rooms: [], types: { server: 'any', core: 'any', spec: 'any' }, packages: ['hono'] },
  // How a worker reports is the core's word; the worker itself knows no core.
  worker: { rooms: [], types: { history: 'any', core: ['WorkerReport'] } },
  mutants: { rooms: ['spec', 'core'], types: { history: JSON_TYPE } },
  // What the commands do; `cli` only reads their arguments and prints what comes of it.
  app: {
    rooms: [...ALL_ROOMS, 'package-files.ts', 'make-folder.ts', 'program-name.ts', '../scenarios'],
    packages: ['node:*', 'fast-check', 'bullmq', 'ioredis', 'pg', 'prom-client'],
  },
  cli: {
    rooms: [
      ...ALL_ROOMS,
      'app',
      'index.ts',
      'package-files.ts',
      'make-folder.ts',
      'program-name.ts',
      '../scenarios',
    ],
    packages: ['node:*', 'yargs', 'jiti'],
    loadsFiles: true,
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
    .filter((found) => !allows(row, room, found))
    .map(({ place, from, names, typeOnly }) => {
      const kind = typeOnly ? 'the types ' : '';
      return `${place}: ${room} may not import ${kind}${names.join(', ')} from ${from ?? 'a computed name'}`;
    });
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
