/** Salvages damaged data: every complete job, and a list of what is lost. */
import type { SavedCounters, SavedDelivery, SavedEndpoint, SavedJob } from '../../core/saved.js';
import { fixedScaling } from '../../core/scaling.js';
import { zeroCounts } from '../../core/entities.js';
import type { Checked } from './log-check.js';
import { jobOf, addPart, noParts, type JobParts } from './job-rows.js';
import { COUNTERS, type Key } from './rows.js';

export interface Salvaged {
  readonly rows: readonly TextRow[];
  /** Number of complete jobs. */
  readonly jobs: number;
  /** Incomplete jobs: the id, or the number where the id cannot be read. */
  readonly lostJobs: readonly string[];
  /** Other losses and outdated parts, as text. */
  readonly otherLosses: readonly string[];
}

type TextRow = readonly [key: Key, text: string];

/** Counters are advanced by this much, since later values may have been lost: no id is given twice. */
const COUNTED_APART = 1_000_000;

/** @param all all readable rows */
export function salvage({ damage }: Checked, all: Iterable<TextRow>): Salvaged {
  const lost = [...(damage?.lost ?? [])].map((key) => JSON.parse(key) as Key);
  const lostJobs = new Set(lost.filter(([kind]) => kind === 'job').map(([, number]) => Number(number)));
  const lostCalls = new Set(lost.filter(([kind]) => kind === 'delivery').map(([, id]) => Number(id)));
  const { jobs, endpoints, deliveries, counters, others } = sort(all);

  const rows: TextRow[] = [...others];
  const complete: SavedJob[] = [];
  const lostNames = [...lostJobs].filter((number) => !jobs.has(number)).map(nameOf);
  for (const [number, { found, rows: itsRows }] of jobs) {
    const job = lostJobs.has(number) ? null : completeJob(number, found);
    if (job === null) {
      lostNames.push(found.rest?.id ?? nameOf(number));
      continue;
    }
    complete.push(job);
    rows.push(...itsRows);
  }
  const calls = deliveries.filter(({ id }) => !lostCalls.has(id));
  for (const call of calls) rows.push([['delivery', call.id], JSON.stringify(call)]);
  let lastRow = greatest([
    0,
    ...jobs.keys(),
    ...[...endpoints.values()].map(([[, number]]) => Number(number)),
  ]);
  for (const { endpoint } of [...complete, ...calls])
    if (!endpoints.has(endpoint))
      endpoints.set(endpoint, [['endpoint', ++lastRow], JSON.stringify(plainEndpoint(endpoint, complete))]);
  rows.push(...endpoints.values());
  rows.push([COUNTERS, JSON.stringify(countersBeyond(counters, complete, deliveries))]);
  return { rows, jobs: complete.length, lostJobs: lostNames, otherLosses: lossesIn(lost) };
}

const nameOf = (number: number): string => `job number ${number}`;

interface Sorted {
  readonly jobs: ReadonlyMap<number, { readonly found: JobParts; readonly rows: TextRow[] }>;
  /** By id. */
  readonly endpoints: Map<string, TextRow>;
  readonly deliveries: readonly SavedDelivery[];
  readonly counters: SavedCounters | null;
  readonly others: readonly TextRow[];
}

function sort(all: Iterable<TextRow>): Sorted {
  const jobs = new Map<number, { readonly found: JobParts; readonly rows: TextRow[] }>();
  const endpoints = new Map<string, TextRow>();
  const deliveries: SavedDelivery[] = [];
  const others: TextRow[] = [];
  let counters: SavedCounters | null = null;
  for (const row of all) {
    const [[kind, name, part, at], text] = row;
    if (kind === 'counters') counters = JSON.parse(text) as SavedCounters;
    else if (kind === 'delivery') deliveries.push(JSON.parse(text) as SavedDelivery);
    else if (kind === 'endpoint') endpoints.set((JSON.parse(text) as SavedEndpoint).id, row);
    else if (kind === 'job') {
      const job = jobs.get(Number(name)) ?? { found: noParts(), rows: [] };
      jobs.set(Number(name), job);
      addPart(job.found, String(part), Number(at), text);
      job.rows.push(row);
    } else others.push(row);
  }
  return { jobs, endpoints, deliveries, counters, others };
}

function completeJob(number: number, found: JobParts): SavedJob | null {
  const { submission, rest, chunks, streamed } = found;
  const hasHole = [chunks, streamed].some((list) => Object.keys(list).length < list.length);
  return submission === undefined || rest === undefined || hasHole ? null : jobOf(number, found).job;
}

/** Replaces an unreadable endpoint: one worker, and counts of the jobs that are there. */
function plainEndpoint(id: string, jobs: readonly SavedJob[]): SavedEndpoint {
  const entered = zeroCounts();
  for (const job of jobs) if (job.endpoint === id) entered[job.status]++;
  return {
    id,
    workers: fixedScaling(1),
    jobsPerWorker: 1,
    silenceMs: null,
    workersMade: 0,
    entered,
    retriedFrom: zeroCounts(),
    redispatched: 0,
  };
}

/** Counters that are certainly beyond the latest, which may be lost. */
function countersBeyond(
  known: SavedCounters | null,
  jobs: readonly SavedJob[],
  calls: readonly SavedDelivery[],
): SavedCounters {
  const instants = jobs.flatMap((job) => [job.submittedMs, job.startedMs ?? 0, job.endedMs ?? 0]);
  return {
    latestMs: greatest([known?.latestMs ?? 0, ...instants]),
    attempts: (known?.attempts ?? 0) + COUNTED_APART,
    deliveries: greatest([known?.deliveries ?? 0, ...calls.map(({ id }) => id)]) + COUNTED_APART,
    idsMade: (known?.idsMade ?? 0) + COUNTED_APART,
  };
}

const greatest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

function lossesIn(lost: readonly Key[]): string[] {
  const has = (wanted: string): boolean => lost.some(([kind]) => kind === wanted);
  const named = (kind: string): string => lost.flatMap((key) => (key[0] === kind ? [key[1]] : [])).join(', ');
  return [
    ...(has('delivery') ? [`webhook calls ${named('delivery')}`] : []),
    ...(has('endpoint') ? ['the latest settings and counts of an endpoint'] : []),
    ...(has('id') ? [`the record that these ids were given: ${named('id')}`] : []),
    ...(has('purged') ? [`the record that these jobs were purged: ${named('purged')}`] : []),
    ...(has('counters')
      ? ['the latest counts of ids and webhook calls (counting continues far above them)']
      : []),
  ];
}
