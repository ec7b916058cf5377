/**
 * A campaign in the queue: its record, its chunks, and a note for each finished epoch. All of it are jobs of
 * BullMQ with names that follow from the campaign, so that whatever is done twice is done once.
 */
import { EMPTY_TALLY, mergedTally, type TallyOf, type ViolationRef } from '../../explore/index.js';
import {
  canariesOf,
  chunkId,
  chunksOf,
  epochsOf,
  fingerprint,
  type CampaignSettings,
  type Chunk,
  type Epoch,
} from './chunks.js';
import { SHRUNK_MAX, type ShrunkFailure } from '../../exploring/outcome-files.js';
import { severalMutants } from '../../exploring/proof-files.js';
import type { Proof } from '../../test-bed/worker.js';
import type { Engine, Job, Queue } from './engine.js';
import { textOf, valueIn } from './json-text.js';
import { EPOCH_NOTE_SCHEMA } from './schemas.js';

export interface CampaignRecord extends CampaignSettings {
  readonly name: string;
  readonly code: string;
  readonly runproof: string;
  readonly startedAt: string;
}

/** What a worker is asked. */
export type Work =
  | ({ readonly kind: 'chunk' } & Chunk)
  | { readonly kind: 'canary'; readonly mutant: string; readonly seed: number }
  | { readonly kind: 'prove'; readonly mutant: string }
  | { readonly kind: 'failure'; readonly violation: ViolationRef; readonly shrink: boolean };

export interface WorkResult {
  readonly fingerprint: string;
  readonly tally?: TallyOf<ViolationRef>;
  readonly failure?: Failure;
  readonly proof?: Proof;
  /** Whether the known fault was found. */
  readonly caught?: boolean;
}

/** A violation with its script. */
export type Failure = Omit<ShrunkFailure, 'runs'>;

/** Work that failed three times and was set aside. */
export interface Aside {
  readonly id: string;
  readonly reason: string;
}

/** What is known after an epoch. */
export interface EpochNote {
  readonly tally: TallyOf<ViolationRef>;
  readonly aside: readonly Aside[];
  /** Of a campaign over several known faults: which were found. */
  readonly proofs: readonly Proof[];
}

export const NOTHING_YET: EpochNote = { tally: EMPTY_TALLY, aside: [], proofs: [] };

/** Something that must never happen: told before everything else. */
export interface Alarm {
  readonly id: string;
  readonly text: string;
}

/** Work that throws is tried so often. A worker that dies does not count: its work is given to another. */
const ATTEMPTS = 3;
/** The queue that lists all campaigns. */
export const INDEX = 'campaigns';
export const UNDONE = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

export class Campaign {
  readonly record: CampaignRecord;
  readonly epochs: readonly Epoch[];
  /** The known faults, each of which is looked for; null if one endpoint is explored. */
  readonly mutants: readonly string[] | null;
  readonly work: Queue<Work, string>;
  private readonly notes: Queue;
  private readonly known: EpochNote[] = [];

  constructor(engine: Engine, record: CampaignRecord) {
    this.record = record;
    this.mutants = severalMutants(record.testBed.mutant);
    this.epochs = this.mutants === null ? epochsOf(record.runs) : [{ number: 0, firstBatch: 0, batches: 0 }];
    this.work = engine.queue(`campaign-${record.name}`);
    this.notes = engine.queue(`campaign-${record.name}-notes`);
  }

  /** Notes of the epochs that are finished, oldest first. */
  async finished(): Promise<readonly EpochNote[]> {
    // Several callers may be here at once: each note has its place.
    for (let epoch = this.known.length; epoch < this.epochs.length; epoch++) {
      const note = await this.notes.getJob(`epoch-${epoch}`);
      if (note === undefined) break;
      this.known[epoch] = valueIn<EpochNote>(note.data, EPOCH_NOTE_SCHEMA, `campaign ${this.record.name}`);
    }
    return this.known;
  }

  /** Coverage that steers the batches of an epoch. Null if an earlier epoch is not finished. */
  async steering(epoch: number): Promise<TallyOf<ViolationRef>['coverage'] | null> {
    if (epoch === 0) return EMPTY_TALLY.coverage;
    return (await this.finished())[epoch - 1]?.tally.coverage ?? null;
  }

  async hasEnded(): Promise<boolean> {
    return (await this.notes.getJob('end')) !== undefined;
  }

  /** Raises an alarm, once for each id. */
  async alarm(alarm: Alarm): Promise<void> {
    await this.notes.add('alarm', alarm, { jobId: `alarm-${alarm.id}` });
  }

  async alarms(): Promise<readonly Alarm[]> {
    const notes = await this.notes.getJobs(['waiting']);
    return notes
      .filter((note) => note?.name === 'alarm')
      .map(({ data }) => ({ id: String((data as Alarm).id), text: String((data as Alarm).text) }));
  }

  undone(): Promise<number> {
    return this.work.getJobCountByTypes(...UNDONE);
  }

  /**
   * Goes on when all work is done: sums up the epoch and adds the chunks of the next; after the last epoch the
   * failures to be shrunk; then the end. Any worker may do it, and several at once: the first note counts.
   *
   * @returns whether the campaign has ended
   */
  async goOn(): Promise<boolean> {
    if (await this.hasEnded()) return true;
    if ((await this.undone()) > 0) return false;
    const done = (await this.finished()).length;
    const epoch = this.epochs[done];
    if (epoch === undefined) return this.goOnWithFailures();
    const work = workOf(epoch, this.mutants ?? []);
    const ids = work.map(({ id }) => id);
    const jobs = await Promise.all(ids.map((id) => this.work.getJob(id)));
    if (jobs.some((job) => job === undefined)) {
      // At the start, or if the worker died that was adding them; not if another has just removed them.
      if ((await this.finished()).length === done) await this.addWork(work);
      return false;
    }
    const note = await this.summedUp(jobs as readonly Job<Work, string>[], done);
    if (note === null) return false;
    await this.notes.add('epoch', textOf(note), { jobId: `epoch-${done}` });
    await this.finished();
    const next = this.epochs[done + 1];
    if (next !== undefined) await this.addWork(workOf(next, []));
    await Promise.all(ids.map((id) => this.work.remove(id)));
    return next === undefined ? this.goOnWithFailures() : false;
  }

  /** The failures in order of runs, as far as workers have reproduced them. */
  async failures(): Promise<readonly (Failure | null)[]> {
    const work = await this.failureWork();
    const jobs = await Promise.all(work.map(({ id }) => this.work.getJob(id)));
    return jobs.map((job) => (job === undefined ? null : (resultOf(job)?.failure ?? null)));
  }

  /** Removes everything of it from the server. */
  async remove(engine: Engine): Promise<void> {
    await engine.queue(INDEX).remove(this.record.name);
    await this.work.obliterate({ force: true });
    await this.notes.obliterate({ force: true });
  }

  private async goOnWithFailures(): Promise<boolean> {
    const work = await this.failureWork();
    const jobs = await Promise.all(work.map(({ id }) => this.work.getJob(id)));
    if (jobs.some((job) => job === undefined)) {
      await this.addWork(work);
      return false;
    }
    const states = await Promise.all(jobs.map((job) => job!.getState()));
    if (states.some((state) => state !== 'completed' && state !== 'failed')) return false;
    await this.notes.add('end', {}, { jobId: 'end' });
    return true;
  }

  private async failureWork(): Promise<readonly NamedWork[]> {
    const { tally } = (await this.finished()).at(-1) ?? NOTHING_YET;
    return tally.violations.map((violation, index) => ({
      id: `failure-${fingerprint(violation).slice(0, 16)}`,
      data: { kind: 'failure', violation, shrink: index < SHRUNK_MAX },
    }));
  }

  /** Null if some of it is still to be done. */
  private async summedUp(jobs: readonly Job<Work, string>[], epoch: number): Promise<EpochNote | null> {
    const before = this.known[epoch - 1] ?? NOTHING_YET;
    const tallies: TallyOf<ViolationRef>[] = [before.tally];
    const aside = [...before.aside];
    const proofs: Proof[] = [];
    for (const job of jobs) {
      const result = resultOf(job);
      if (result !== null) {
        if (result.tally !== undefined) tallies.push(result.tally);
        if (result.proof !== undefined) proofs.push(result.proof);
        if (result.caught === false) await this.alarm(missedCanary(job));
      } else if (await job.isFailed()) aside.push({ id: job.id ?? '', reason: job.failedReason });
      else return null;
    }
    return { tally: mergedTally(tallies), aside, proofs };
  }

  private async addWork(work: readonly NamedWork[]): Promise<void> {
    const opts = { attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 1_000 } };
    await this.work.addBulk(
      work.map(({ id, data }) => ({ name: data.kind, data, opts: { ...opts, jobId: id } })),
    );
  }
}

interface NamedWork {
  readonly id: string;
  readonly data: Work;
}

function workOf(epoch: Epoch, mutants: readonly string[]): readonly NamedWork[] {
  const chunks = epoch.batches === 0 ? [] : chunksOf(epoch);
  return [
    ...mutants.map((mutant): NamedWork => ({ id: `prove-${mutant}`, data: { kind: 'prove', mutant } })),
    ...chunks.map((chunk): NamedWork => ({ id: chunkId(chunk), data: { kind: 'chunk', ...chunk } })),
    ...canariesOf(epoch, chunks.length).map((canary): NamedWork => ({
      id: `e${epoch.number}-canary-${canary.seed}`,
      data: { kind: 'canary', ...canary },
    })),
  ];
}

function missedCanary({ id, data }: Job<Work, string>): Alarm {
  const mutant = data.kind === 'canary' ? data.mutant : '';
  return {
    id: id ?? '',
    text: `a planted bug was not found (${mutant}): the absence of findings in this campaign proves nothing`,
  };
}

/** Null if it has none yet. */
export function resultOf({ returnvalue }: Job<Work, string>): WorkResult | null {
  return typeof returnvalue === 'string' ? (JSON.parse(returnvalue) as WorkResult) : null;
}
