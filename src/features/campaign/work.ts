/**
 * A worker of a campaign. It keeps nothing: one that is killed loses nothing, as its chunk is given to another.
 * Threads play; this one only renews the leases of the chunks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { batchOf, mergedTally, type ViolationRef, type TallyOf } from '../../explore/index.js';
import type { ExplorePool } from '../../exploring/pool.js';
import { resultOf, type Campaign, type Failure, type Work, type WorkResult } from './campaign.js';
import { batchTasks, CANARY_RUNS, fingerprint } from './chunks.js';
import type { Engine, Job } from './engine.js';

/** Batches after which a chunk notes how far it is: a second or two. */
const BATCHES_PER_MARK = 8;
/** Work that takes longer is ended, and tried again. */
const LIMIT_MS = 15 * 60_000;
const POLL_MS = 2_000;

export interface WorkOptions {
  readonly pool: ExplorePool;
  /** A worker that is silent for this many ms counts as dead. */
  readonly leaseMs: number;
  readonly stop: AbortSignal;
  readonly tell: (text: string) => void;
}

/** How far a chunk is: the fingerprint of each part played. A worker that plays it again must come to the same. */
interface Marks {
  readonly marks: readonly string[];
}

/** Works until the campaign has ended or is stopped, or until `stop`. */
export async function workOn(engine: Engine, campaign: Campaign, options: WorkOptions): Promise<void> {
  const { pool, leaseMs, stop, tell } = options;
  const worker = engine.worker<Work, string>(
    campaign.work.name,
    async (job) => JSON.stringify(await resultFor(campaign, job, options)),
    {
      concurrency: pool.threads,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      drainDelay: 1,
    },
  );
  const goOn = async (): Promise<boolean> => {
    try {
      return await campaign.goOn();
    } catch (error) {
      tell(`will be tried again: ${(error as Error).message}`);
      return false;
    }
  };
  // The last chunk of an epoch lets the next begin at once.
  worker.on('completed', () => void goOn());
  worker.on('failed', (job, error) => {
    if ((job?.attemptsMade ?? 0) < (job?.opts.attempts ?? 1)) return;
    tell(`set aside after ${job?.attemptsMade} tries: ${job?.id}: ${error.message}`);
    void goOn();
  });
  while (!stop.aborted && !(await goOn()) && !(await campaign.work.isPaused())) await pause(POLL_MS, stop);
  await worker.close();
}

async function resultFor(
  campaign: Campaign,
  job: Job<Work, string>,
  options: WorkOptions,
): Promise<WorkResult> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const { pool } = options;
  const { seed, testBed } = campaign.record;
  const { data } = job;
  switch (data.kind) {
    case 'chunk':
      return chunkResult(campaign, job, data, options, limit);
    case 'prove': {
      const settings = { ...testBed, mutant: data.mutant };
      const task = { kind: 'prove', settings, seed, runs: campaign.record.runs } as const;
      const proof = inTime(await pool.run(task, limit));
      return { fingerprint: fingerprint(proof), proof };
    }
    case 'canary': {
      const settings = { ...testBed, mutant: data.mutant };
      const task = { kind: 'prove', settings, seed: data.seed, runs: CANARY_RUNS } as const;
      const { found } = inTime(await pool.run(task, limit));
      return { fingerprint: '', caught: found !== null };
    }
    case 'failure': {
      const failure = await reproduced(campaign, data.violation, data.shrink, pool, limit);
      return { fingerprint: fingerprint({ failure, seed }), failure };
    }
  }
}

async function chunkResult(
  campaign: Campaign,
  job: Job<Work, string>,
  chunk: Extract<Work, { kind: 'chunk' }>,
  { pool }: WorkOptions,
  limit: AbortSignal,
): Promise<WorkResult> {
  // Another worker has summed the epoch up meanwhile: nothing needs this chunk.
  if ((await campaign.finished()).length > chunk.epoch) return { fingerprint: '' };
  const coverage = await campaign.steering(chunk.epoch);
  if (coverage === null) throw new Error(`epoch ${chunk.epoch} has begun before the one before it has ended`);
  const tasks = batchTasks(campaign.record, chunk, coverage);
  const before = (job.progress as Partial<Marks>).marks ?? [];
  const tallies: TallyOf<ViolationRef>[] = [];
  const marks: string[] = [];
  for (let first = 0; first < tasks.length; first += BATCHES_PER_MARK) {
    const task = { kind: 'tally', tasks: tasks.slice(first, first + BATCHES_PER_MARK) } as const;
    const tally = inTime(await pool.run({ ...task, settings: campaign.record.testBed }, limit));
    tallies.push(tally);
    marks.push(fingerprint(tally));
    const earlier = before[marks.length - 1];
    if (earlier !== undefined && earlier !== marks.at(-1)) await mismatch(campaign, job);
    if (tasks.length > BATCHES_PER_MARK && marks.length > before.length) await job.updateProgress({ marks });
  }
  const result = { fingerprint: fingerprint(marks), tally: mergedTally(tallies) };
  // If this worker was believed dead, another may have been faster.
  const other = await campaign.work.getJob(job.id ?? '');
  const otherResult = other === undefined ? null : resultOf(other);
  if (otherResult !== null && ![result.fingerprint, ''].includes(otherResult.fingerprint))
    await mismatch(campaign, job);
  return result;
}

function mismatch(campaign: Campaign, { id }: Job<Work, string>): Promise<void> {
  return campaign.alarm({
    id: id ?? '',
    text: `${id} was played twice and came out differently: a bug of Runproof, or a machine with bad memory. Do not trust this campaign`,
  });
}

/** The violation with its script, shrunk if that is wanted. Depends on the campaign alone. */
export async function reproduced(
  campaign: Campaign,
  { requirement, run }: ViolationRef,
  shrink: boolean,
  pool: ExplorePool,
  signal: AbortSignal,
): Promise<Failure> {
  const settings = campaign.record.testBed;
  const batch = batchOf(run);
  const epoch = campaign.epochs.find(({ firstBatch, batches }) => batch < firstBatch + batches);
  const coverage = epoch === undefined ? null : await campaign.steering(epoch.number);
  if (coverage === null) throw new Error(`run ${run} is not a run of this campaign`);
  const chunk = { epoch: epoch!.number, firstBatch: batch, batches: 1 };
  const [task] = batchTasks(campaign.record, chunk, coverage);
  const { violations } = inTime(await pool.run({ kind: 'batch', settings, task: task! }, signal));
  const found = violations.find((each) => each.requirement === requirement && each.run === run);
  if (found === undefined) throw new Error(`run ${run} did not violate ${requirement} again`);
  const shrunk = shrink ? await pool.run({ kind: 'shrink', settings, found }, signal) : null;
  return { found, shrunk };
}

function inTime<T>(answer: T | null): T {
  if (answer === null)
    throw new Error(`it took longer than ${LIMIT_MS / 60_000} minutes, or was interrupted`);
  return answer;
}

/** Ends early at `stop`. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => {});
}
