import { importsOf } from './imports.js';
import type { Source } from '../sources.js';

const ROOM = 'src/oracle/';

/** Folders of the oracle, and those beneath that each may import: all rows are read from the observation up to the verdict. */
const LAYERS: { readonly [folder: string]: readonly string[] } = {
  observed: [],
  model: ['observed'],
  proof: ['observed', 'model'],
  jobs: ['observed', 'model'],
  'in-traffic': ['observed'],
  ledger: ['observed', 'model', 'proof', 'jobs', 'in-traffic'],
  context: ['observed', 'model', 'proof', 'jobs', 'ledger'],
  attribution: ['observed', 'model', 'proof', 'jobs', 'ledger', 'context'],
  calls: ['observed', 'model', 'jobs', 'ledger', 'context'],
  results: ['observed', 'model', 'proof', 'jobs', 'ledger', 'context', 'attribution', 'calls'],
  effects: ['observed', 'model', 'jobs', 'context'],
  counts: ['observed', 'model', 'proof', 'jobs', 'ledger', 'context', 'calls'],
  rates: ['observed', 'model', 'jobs', 'ledger', 'context', 'calls'],
  webhooks: ['observed', 'model', 'proof', 'jobs', 'ledger', 'context', 'calls'],
  questions: ['observed', 'model', 'jobs', 'context', 'calls', 'counts', 'rates', 'webhooks'],
};

/** What a file of the oracle imports from a folder that stands above its own or beside it, one message each. */
export function layerBreaches(source: Source): readonly string[] {
  const folder = folderOf(source.path);
  // What stands beside the folders joins them: it may import all.
  if (folder === null) return [];
  const row = LAYERS[folder];
  if (row === undefined)
    return [`${source.path}: no row in specs/project/imports/oracle-layers.ts for ${folder}/`];
  return importsOf(source).flatMap(({ place, from }) => {
    if (from === null || !from.startsWith(ROOM)) return [];
    const other = folderOf(from);
    if (other === folder || (other !== null && row.includes(other))) return [];
    return [`${place}: ${folder}/ may not import ${from.slice(ROOM.length)}`];
  });
}

function folderOf(path: string): string | null {
  const [folder, file] = path.slice(ROOM.length).split('/');
  return file === undefined ? null : folder!;
}

/** Each row names only rows above it: no circle of folders can be written down. */
export function isAcyclic(): boolean {
  const seen = new Set<string>();
  return Object.entries(LAYERS).every(([folder, row]) => {
    const isBelow = row.every((other) => seen.has(other));
    seen.add(folder);
    return isBelow;
  });
}
