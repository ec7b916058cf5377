import { importsOf } from './imports.js';
import type { Source } from './sources.js';

const ROOM = 'src/oracle/';

/** Folders of the oracle, and those beneath that each may import: all rows are read from the observation up to the verdict. */
const LAYERS: { readonly [folder: string]: readonly string[] } = {
  observed: [],
  model: ['observed'],
  proof: ['observed', 'model'],
  cast: ['observed', 'model'],
  ledger: ['observed', 'model', 'proof', 'cast'],
  scene: ['observed', 'model', 'proof', 'cast', 'ledger'],
  blame: ['observed', 'model', 'proof', 'cast', 'ledger', 'scene'],
  calls: ['observed', 'model', 'cast', 'ledger', 'scene'],
  results: ['observed', 'model', 'proof', 'cast', 'ledger', 'scene', 'blame', 'calls'],
  effects: ['observed', 'model', 'cast', 'scene'],
  counts: ['observed', 'model', 'proof', 'cast', 'ledger', 'scene', 'calls'],
  rates: ['observed', 'model', 'cast', 'ledger', 'scene', 'calls'],
  webhooks: ['observed', 'model', 'proof', 'cast', 'scene', 'calls'],
  questions: ['observed', 'model', 'cast', 'scene', 'calls', 'counts', 'rates', 'webhooks'],
};

/** What a file of the oracle imports from a folder that stands above its own or beside it, one message each. */
export function layerBreaches(source: Source): readonly string[] {
  const folder = folderOf(source.path);
  // What stands beside the folders joins them: it may import all.
  if (folder === null) return [];
  const row = LAYERS[folder];
  if (row === undefined) return [`${source.path}: no row in specs/project/oracle-layers.ts for ${folder}/`];
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
