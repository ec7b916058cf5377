import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CreatedJobs } from '../target/http/index.js';
import { createRedactor } from '../report/index.js';
import { MASK } from '../report/redact.js';
import { jsonText } from '../report/escape.js';
import { UsageError } from '../util/errors.js';
import { readUserFile } from './user-file.js';
import { isObject, jsonIn } from '../util/json.js';

const SCHEMA = 'runproof-jobs/1';

/** Where the jobs of a file were created, and how the key was sent there. @internal */
export interface JobsTarget {
  readonly url: string;
  readonly auth: 'bare' | 'bearer';
  /** The path before the operations if it is not `/v2/<endpoint_id>`; otherwise null. */
  readonly basePath: string | null;
}

/**
 * `jobs.ndjson`: the jobs that a run has created. Jobs are kept in memory until the report has a folder.
 *
 * @internal
 */
export interface CreatedJobsFile extends CreatedJobs {
  /**
   * From now on every job is written to disk before it is used. Lines of an earlier run are kept, because its
   * jobs may still exist. `secrets` are values that the file must not contain.
   */
  attach(path: string, target: JobsTarget, secrets: readonly string[]): void;
  /**
   * Jobs that are not known to have ended, each as `endpoint/job`, including those of the probes before the
   * run.
   */
  open(): readonly string[];
  /** How many submissions before the run were given up without an answer. */
  readonly unansweredCount: number;
}

/**
 * Lines of JSON: `{"schema","url","auth","basePath"?}` once per run, then
 * `{"endpoint","job","event":"created"|"ended"}`.
 */
export function openCreatedJobsFile(): CreatedJobsFile {
  let write: ((text: string) => void) | null = null;
  let unwritten = '';
  let unanswered = 0;
  const open = new Set<string>();
  const note = (event: 'created' | 'ended', endpoint: string, job: string): void => {
    if (event === 'created') open.add(`${endpoint}/${job}`);
    else open.delete(`${endpoint}/${job}`);
    unwritten += `${jsonText({ endpoint, job, event })}\n`;
    flush();
  };
  const flush = (): void => {
    if (write === null || unwritten === '') return;
    write(header + unwritten);
    header = unwritten = '';
  };
  let header = '';
  return {
    created: (endpoint, job) => note('created', endpoint, job),
    ended: (endpoint, job) => note('ended', endpoint, job),
    unanswered: () => void (unanswered += 1),
    get unansweredCount() {
      return unanswered;
    },
    attach(path, target, secrets) {
      const { text } = createRedactor(secrets);
      write = (lines) => appendFileSync(path, text(lines));
      header = headerOf(target);
      flush();
    },
    open: () => [...open],
  };
}

function headerOf({ url, auth, basePath }: JobsTarget): string {
  return `${jsonText({ schema: SCHEMA, url, auth, ...(basePath === null ? {} : { basePath }) })}\n`;
}

export interface UnfinishedJob extends JobsTarget {
  readonly endpoint: string;
  readonly job: string;
}

export interface JobsFileContents {
  /** Jobs that are not known to have ended. */
  readonly open: readonly UnfinishedJob[];
  /** Numbers of unreadable lines, counted from 1. A line may be incomplete if the run was killed. */
  readonly damaged: readonly number[];
}

/** @throws {UsageError} for another kind of file */
export function readCreatedJobs(file: string, cwd: string): JobsFileContents {
  const lines = readUserFile(file, cwd).split('\n');
  let target: JobsTarget | null = null;
  const open = new Map<string, UnfinishedJob>();
  const damaged: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const entry = entryIn(line);
    if (entry === null) damaged.push(index + 1);
    else if ('url' in entry) target = entry;
    else if (target === null) damaged.push(index + 1);
    else {
      const { endpoint, job } = entry;
      const key = JSON.stringify([target.url, endpoint, job]);
      if (entry.event === 'created') open.set(key, { ...target, endpoint, job });
      else open.delete(key);
    }
  }
  const [first] = damaged;
  if (target === null && first !== undefined)
    throw new UsageError(`${file}:${first} is not a list of created jobs: give the jobs.ndjson of a report`);
  return { open: [...open.values()], damaged };
}

/** @throws {UsageError} as `readCreatedJobs` */
export function unfinishedJobsIn(file: string, cwd: string): readonly UnfinishedJob[] {
  return readCreatedJobs(file, cwd).open;
}

/** The id contained a key, so the file does not hold the id. */
export function isMasked({ job }: UnfinishedJob): boolean {
  return job.includes(MASK);
}

type Entry = JobsTarget | { readonly endpoint: string; readonly job: string; readonly event: string };

function entryIn(line: string): Entry | null {
  const value = jsonIn(line);
  // The caller reports the line's number.
  if (!isObject(value)) return null;
  const { schema, url, auth, basePath, endpoint, job, event } = value;
  if (schema === SCHEMA && typeof url === 'string')
    return {
      url,
      auth: auth === 'bearer' ? 'bearer' : 'bare',
      basePath: typeof basePath === 'string' ? basePath : null,
    };
  const isJob = typeof endpoint === 'string' && typeof job === 'string' && typeof event === 'string';
  return isJob ? { endpoint, job, event } : null;
}

/** Records that jobs of an earlier run have ended. */
export function noteEnded(file: string, cwd: string, jobs: readonly UnfinishedJob[]): void {
  const lines = jobs.map(
    ({ endpoint, job, ...target }) => `${headerOf(target)}${jsonText({ endpoint, job, event: 'ended' })}\n`,
  );
  // The last line may be incomplete, without a line break.
  appendFileSync(resolve(cwd, file), ['\n', ...lines].join(''));
}
