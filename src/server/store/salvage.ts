/** Continues with what can be read of a damaged file. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { zeroCounts } from '../../core/entities.js';
import type { SavedCounters, SavedEndpoint, SavedJob, SavedState } from '../../core/saved/saved.js';
import { fixedScaling } from '../../core/workers/scaling.js';
import type { OpenDatabase } from './database.js';
import { createTable } from './job-table.js';
import { logOf } from './log.js';
import type { Readable } from './read-damaged.js';
import { rowOf, stateOf, type Kind, type Row } from './rows.js';

const NAMED_MAX = 20;
/** What damage may have made of a name. */
const UNPRINTABLE = /[^!-~]/g;

/** Describes what is kept and what is lost, in complete sentences. */
export function lossesOf({ rows, older, lost, mayLoseMore }: Readable): string {
  const jobs = rows.filter(({ kind }) => kind === 'job');
  const complete = jobs.filter((row) => !older.has(row)).length;
  const named = (keys: readonly Pick<Row, 'kind' | 'name'>[], kind: Kind, what: string): string[] => {
    const names = keys.filter((row) => row.kind === kind).map(({ name }) => name.replace(UNPRINTABLE, '?'));
    const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
    return names.length === 0
      ? []
      : [`${what} (${names.length}): ${names.slice(0, NAMED_MAX).join(', ')}${more}`];
  };
  const held = jobs.filter((row) => older.has(row) && isLive(savedJob(row)));
  const ended = jobs.filter((row) => older.has(row) && !isLive(savedJob(row)));
  const outdated = [
    ...named(held, 'job', 'jobs that had not ended, now held as FAILED'),
    ...named(ended, 'job', 'jobs that had ended'),
    ...named([...older], 'endpoint', 'the settings and counts of endpoints'),
  ];
  // A webhook that may have been called already is not called again.
  const gone = [...lost, ...[...older].filter(({ kind }) => kind === 'delivery')];
  const losses = [
    ...named(gone, 'job', 'jobs'),
    ...named(gone, 'delivery', 'webhook calls'),
    ...named(gone, 'endpoint', 'the settings and counts of endpoints'),
    ...named(gone, 'id', 'the record that these ids were given'),
    ...named(gone, 'purged', 'the record that these jobs were purged'),
    ...(lost.some(({ kind }) => kind === 'counters')
      ? ['the counts of ids and webhook calls (counting continues far above them)']
      : []),
    ...(mayLoseMore ? ['possibly more, which cannot be identified'] : []),
  ];
  const kept = `${complete} ${complete === 1 ? 'job' : 'jobs'} can be read completely.`;
  const old =
    outdated.length === 0
      ? ''
      : ` Changed later in a way that cannot be read, or possibly so: ${outdated.join('; ')}.`;
  return `${kept}${old} Lost: ${losses.length === 0 ? 'nothing' : losses.join('; ')}.`;
}

const savedJob = ({ text }: Row): SavedJob => JSON.parse(text) as SavedJob;
const isLive = ({ status }: SavedJob): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS';

/** Replaces the damaged file, and gives the name under which it is kept. */
export function replaceDamaged(open: OpenDatabase, path: string, rows: readonly Row[]): string {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number++;
  const kept = `${path}.damaged-${number}`;
  copyFileSync(path, kept);
  if (existsSync(logOf(path))) copyFileSync(logOf(path), logOf(kept));
  const salvaged = `${path}.salvaged`;
  rmSync(salvaged, { force: true });
  createTable(open, salvaged, rows);
  // The log is the old file's.
  rmSync(logOf(path), { force: true });
  renameSync(salvaged, path);
  return basename(kept);
}

/** Counters are advanced by this much, since later values may have been lost: no id is given twice. */
const COUNTED_APART = 1_000_000;

/** The rows with what a service needs to continue from them. */
export function completed({ rows, older }: Pick<Readable, 'rows' | 'older'>): Row[] {
  const zero: SavedCounters = { latestMs: 0, attempts: 0, deliveries: 0, idsMade: 0 };
  const state = stateOf([rowOf('counters', '', zero), ...rows])!;
  const known = new Set(state.endpoints.map(({ id }) => id));
  const lost = new Set([...state.jobs, ...state.deliveries].map(({ endpoint }) => endpoint));
  const counters = countersBeyond(state);
  return [
    ...rows.flatMap((row) => {
      if (row.kind === 'counters' || row.kind === 'write') return [];
      if (!older.has(row)) return [row];
      if (row.kind === 'delivery') return [];
      return [row.kind === 'job' ? rowOf('job', row.name, held(savedJob(row), counters.latestMs)) : row];
    }),
    ...[...lost]
      .filter((id) => !known.has(id))
      .map((id) => rowOf('endpoint', id, plainEndpoint(id, state.jobs))),
    rowOf('counters', '', counters),
  ];
}

/** A job that may have been cancelled, have run or have been deleted since does not run by itself. `/retry` lets it. */
const held = (job: SavedJob, atMs: number): SavedJob =>
  isLive(job)
    ? {
        ...job,
        status: 'FAILED',
        error: 'the data folder was damaged, and what this job was last is not known',
        endedMs: atMs,
        executionTimer: null,
      }
    : job;

/** Replaces an unreadable endpoint: one worker, and counts of the jobs that are there. */
function plainEndpoint(id: string, jobs: SavedState['jobs']): SavedEndpoint {
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

function countersBeyond({ counters, jobs, deliveries }: SavedState): SavedCounters {
  const instants = jobs.flatMap((job) => [job.submittedMs, job.startedMs ?? 0, job.endedMs ?? 0]);
  const greatest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  return {
    latestMs: greatest([counters.latestMs, ...instants]),
    attempts: counters.attempts + COUNTED_APART,
    deliveries: greatest([counters.deliveries, ...deliveries.map(({ id }) => id)]) + COUNTED_APART,
    idsMade: counters.idsMade + COUNTED_APART,
  };
}
