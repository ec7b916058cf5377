/**
 * How the runs of a campaign are cut into chunks. It depends on the campaign alone, so that every machine finds
 * the same chunks, with the same names.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { __version as fastCheckVersion } from 'fast-check';
import { batchTask } from '../../explore/batch.js';
import { batchesInRound } from '../../explore/exploration.js';
import { batchesFor, type BatchTask } from '../../explore/index.js';
import { PACKAGE_ROOT, packageVersion } from '../../package-files.js';
import type { TestBedSettings } from '../../test-bed/test-bed.js';

export interface CampaignSettings {
  readonly seed: number;
  readonly runs: number;
  readonly testBed: TestBedSettings;
}

/** Batches of one round. The rounds of a campaign are those of `Exploration`; here they are epochs. */
export interface Epoch {
  readonly number: number;
  readonly firstBatch: number;
  readonly batches: number;
}

export interface Chunk {
  readonly epoch: number;
  readonly firstBatch: number;
  readonly batches: number;
}

/** A chunk plays a known fault beside every so many chunks; it must be found. */
const CHUNKS_PER_CANARY = 50;
/** A chunk of so many batches takes some ten seconds. */
const BATCHES_PER_CHUNK_MAX = 64;
/** Short epochs have small chunks, so that many machines share them. */
const CHUNKS_PER_EPOCH = 256;
/** Faults that some run in ten shows. */
const CANARIES = [
  'errors-as-html',
  'health-without-retried',
  'progress-shown-as-queued',
  'run-without-status',
  'webhook-slash-added',
] as const;
export const CANARY_RUNS = 640;

export function epochsOf(runs: number): readonly Epoch[] {
  const all = batchesFor(runs);
  const epochs: Epoch[] = [];
  for (let firstBatch = 0; firstBatch < all;) {
    const batches = Math.min(batchesInRound(firstBatch), all - firstBatch);
    epochs.push({ number: epochs.length, firstBatch, batches });
    firstBatch += batches;
  }
  return epochs;
}

export function chunksOf({ number, firstBatch, batches }: Epoch): readonly Chunk[] {
  const size = Math.min(BATCHES_PER_CHUNK_MAX, Math.ceil(batches / CHUNKS_PER_EPOCH));
  return Array.from({ length: Math.ceil(batches / size) }, (_, index) => ({
    epoch: number,
    firstBatch: firstBatch + index * size,
    batches: Math.min(size, batches - index * size),
  }));
}

/** The known faults that are played beside the chunks of an epoch, with the seeds of their runs. */
export function canariesOf(
  { number, firstBatch }: Epoch,
  chunks: number,
): readonly { readonly mutant: string; readonly seed: number }[] {
  // One with the first epoch, so that no campaign goes without.
  const count = number === 0 ? 1 : Math.floor(chunks / CHUNKS_PER_CANARY);
  return Array.from({ length: count }, (_, index) => ({
    mutant: CANARIES[(number + index) % CANARIES.length]!,
    seed: firstBatch + index,
  }));
}

export function batchTasks(
  settings: CampaignSettings,
  { firstBatch, batches }: Chunk,
  coverage: BatchTask['coverage'],
): readonly BatchTask[] {
  return Array.from({ length: batches }, (_, index) => batchTask(settings, firstBatch + index, coverage));
}

/** Equal campaigns have equal names, so that one started twice is one. `kind`: over the simulator, or over targets. */
export function nameOf(kind: 's' | 't', settings: { readonly seed: number }, code: string): string {
  return `${kind}${settings.seed}-${fingerprint({ settings, code }).slice(0, 8)}`;
}

export const chunkId = ({ epoch, firstBatch }: Chunk): string => `e${epoch}-b${firstBatch}`;

/** SHA-256 of a JSON value. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * SHA-256 of everything that a result depends on besides the settings: the program, and fast-check, which draws
 * the scripts. Workers whose code differs never share a campaign.
 */
export function codeHash(): string {
  const hash = createHash('sha256').update(packageVersion());
  // `lib` in the package, `src` in the repository, `dist` in its benchmarks.
  const [folder = ''] = relative(PACKAGE_ROOT, fileURLToPath(import.meta.url)).split(sep);
  const files = readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
    .sort();
  for (const file of files) hash.update(file).update(readFileSync(join(PACKAGE_ROOT, folder, file)));
  return hash.update(fastCheckVersion).digest('hex');
}
