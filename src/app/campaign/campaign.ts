/**
 * A campaign in the queue: its record, its chunks, and a note for each finished epoch. All of it are jobs of
 * BullMQ with names that follow from the campaign, so that whatever is done twice is done once.
 */
import {
  EMPTY_TALLY,
  mergedTally,
  type FoundViolation,
  type ShrunkViolation,
  type TallyOf,
  type ViolationRef,
} from '../../explore/index.js';
import { UsageError } from '../errors.js';
import { didYouMean } from '../suggest.js';
import {
  canariesOf,
  chunkId,
  chunksOf,
  epochsOf,
  fingerprint,
  nameOf,
  type CampaignSettings,
  type Chunk,
  type Epoch,
} from './chunks.js';
import type { Engine, Job, Queue } from './engine.js';

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
  | { readonly kind: 'failure'; readonly violation: ViolationRef; readonly shrink: boolean };

export interface WorkResult {
  readonly fingerprint: string;
  readonly tally?: TallyOf<ViolationRef>;
  readonly failure?: Failure;
  /** Whether the known fault was found. */
  readonly caught?: boolean;
}

export interface Failure {
  readonly found: FoundViolation;
  readonly shrunk: ShrunkViolation | null;
}

/** Work that failed three times and was put aside. */
export interface Aside {
  readonly id: string;
  readonly reason: string;
}

/** What is known after an epoch. */
export interface EpochNote {
  readonly tally: TallyOf<ViolationRef>;
  readonly aside: readonly Aside[];
}

/** Something that must never happen: told before everything else. */
export interface Alarm {
  readonly id: string;
  readonly text: string;
}

/** Work that throws is tried so often. A worker that dies does not count: its work is given to another. */
const ATTEMPTS = 3;
/** The first ones are shrunk, as by `explore`: one fault often breaks many requirements. */
export const SHRUNK_MAX = 12;
const UNDONE = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

export class Campaign {
  readonly record: CampaignRecord;
  readonly epochs: readonly Epoch[];
  readonly work: Queue<Work, string>;
  private readonly notes: Queue;
  private readonly known: EpochNote[] = [];

  constructor(engine: Engine, record: CampaignRecord) {
    this.record = record;
    this.epochs = epochsOf(record.runs);
    this.work = engine.queue(workQueueOf(record.name));
    this.notes = engine.queue(`campaign-${record.name}-notes`);
  }

  /** Notes of the epochs that are finished, oldest first. */
  async finished(): Promise<readonly EpochNote[]> {
    // Several callers may be here at once: each note has its place.
    for (let epoch = this.known.length; epoch < this.epochs.length; epoch++) {
      const note = await this.notes.getJob(`epoch-${epoch}`);
      if (note === undefined) break;
      this.known[epoch] = JSON.parse((note.data as Text).text) as EpochNote;
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

  /** Adds a name to the work under way, unless there is one. */
  async alarm(alarm: Alarm): Promise<void> {
    await this.notes.add('alarm', alarm, { jobId: `alarm-${alarm.id}` });
  }

  async alarms(): Promise<readonly Alarm[]> {
    const notes = await this.notes.getJobs(['waiting']);
    return notes.filter((note) => note?.name === 'alarm').map((note) => note.data as Alarm);
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
    const ids = workOf(epoch).map(({ id }) => id);
    const jobs = await Promise.all(ids.map((id) => this.work.getJob(id)));
    if (jobs.some((job) => job === undefined)) {
      // At the start, or if the worker died that was adding them; not if another has just removed them.
      if ((await this.finished()).length === done) await this.addWork(workOf(epoch));
      return false;
    }
    const note = await this.summedUp(jobs as readonly Job<Work, string>[], done);
    if (note === null) return false;
    await this.notes.add('epoch', textOf(note), { jobId: `epoch-${done}` });
    await this.finished();
    const next = this.epochs[done + 1];
    if (next !== undefined) await this.addWork(workOf(next));
    await Promise.all(ids.map((id) => this.work.remove(id)));
    return next === undefined ? this.goOnWithFailures() : false;
  }

  /** The failures in order of runs, as far as workers have reproduced them. */
  async failures(): Promise<readonly (Failure | null)[]> {
    const work = this.failureWork();
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
    const work = this.failureWork();
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

  private failureWork(): readonly NamedWork[] {
    const violations = this.known.at(-1)?.tally.violations ?? [];
    return violations.map((violation, index) => ({
      id: `failure-${fingerprint(violation).slice(0, 16)}`,
      data: { kind: 'failure', violation, shrink: index < SHRUNK_MAX },
    }));
  }

  /** Null if some of it is still to be done. */
  private async summedUp(jobs: readonly Job<Work, string>[], epoch: number): Promise<EpochNote | null> {
    const before = this.known[epoch - 1] ?? { tally: EMPTY_TALLY, aside: [] };
    const tallies: TallyOf<ViolationRef>[] = [before.tally];
    const aside = [...before.aside];
    for (const job of jobs) {
      const result = resultOf(job);
      if (result !== null) {
        if (result.tally !== undefined) tallies.push(result.tally);
        if (result.caught === false) await this.alarm(missedCanary(job));
      } else if (await job.isFailed()) aside.push({ id: job.id ?? '', reason: job.failedReason });
      else return null;
    }
    return { tally: mergedTally(tallies), aside };
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

export const workQueueOf = (name: string): string => `campaign-${name}`;

function workOf(epoch: Epoch): readonly NamedWork[] {
  const chunks = chunksOf(epoch);
  return [
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
    text: `a known fault was not found (${mutant}): what this campaign does not find says nothing`,
  };
}

/** Null if it has none yet. */
export function resultOf({ returnvalue }: Job<Work, string>): WorkResult | null {
  return typeof returnvalue === 'string' ? (JSON.parse(returnvalue) as WorkResult) : null;
}

/** JSON as text: PostgreSQL would put the members of an object into another order. */
interface Text {
  readonly text: string;
}

const textOf = (value: unknown): Text => ({ text: JSON.stringify(value) });

const INDEX = 'campaigns';

/** Files a campaign; one of the same name is the same one. */
export async function file(engine: Engine, record: CampaignRecord): Promise<Campaign> {
  const index = engine.queue<Text, unknown>(INDEX);
  await index.add('campaign', textOf(record), { jobId: record.name });
  const campaign = new Campaign(engine, record);
  await campaign.goOn();
  return campaign;
}

/** Oldest first. */
export async function campaigns(engine: Engine): Promise<readonly Campaign[]> {
  const jobs = await engine.queue<Text, unknown>(INDEX).getJobs(['waiting']);
  return jobs
    .filter((job) => job?.data !== undefined)
    .map(({ data }) => new Campaign(engine, JSON.parse(data.text) as CampaignRecord))
    .sort((a, b) => (a.record.startedAt < b.record.startedAt ? -1 : 1));
}

/**
 * The campaign of this name; without a name the newest.
 *
 * @throws {UsageError} if there is none
 */
export async function campaignNamed(engine: Engine, name: string | undefined): Promise<Campaign> {
  const all = await campaigns(engine);
  const found = name === undefined ? all.at(-1) : all.find(({ record }) => record.name === name);
  if (found !== undefined) return found;
  if (all.length === 0) throw new UsageError('there is no campaign yet: "runproof campaign start" files one');
  const names = all.map(({ record }) => record.name);
  throw new UsageError(
    `there is no campaign "${name ?? ''}".${didYouMean(name ?? '', names)} "runproof campaign list" shows them`,
  );
}

export function recordOf(
  settings: CampaignSettings,
  code: string,
  runproof: string,
  startedAt: string,
): CampaignRecord {
  return { ...settings, name: nameOf(settings, code), code, runproof, startedAt };
}
