/**
 * Checks of deployed targets around the clock. BullMQ's scheduler files one at each period; each target has a
 * queue of its own with one check at a time, however many workers there are.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../package-files.js';
import { driftSince, type TargetFacts } from '../../report/drift.js';
import type { Report } from '../../report/index.js';
import { fingerprint } from './chunks.js';
import type { Engine, Queue } from './engine.js';
import { textOf, valueIn, type JsonText } from './json-text.js';
import { pause } from './work.js';

export interface ScheduledCheck {
  readonly target: string;
  readonly everyMs: number;
  /** Options of `check`. No keys: a worker has them in its environment. */
  readonly options: readonly string[];
}

/** One check, as the trend shows it. */
export interface CheckPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly seconds: number;
  /** Why it wrote no report, such as a target that cannot be reached; null if it wrote one. */
  readonly problem: string | null;
  /** What newly differs from the checks before. */
  readonly drift: readonly string[];
}

export interface CheckState {
  readonly check: ScheduledCheck;
  /** The newest is last. */
  readonly points: readonly CheckPoint[];
  readonly facts: TargetFacts | null;
}

export interface CheckOptions {
  readonly stop: AbortSignal;
  readonly tell: (text: string) => void;
  /** Called after each check. */
  readonly onPoint: (check: ScheduledCheck, point: CheckPoint) => void;
  readonly now: () => { readonly timestamp: string; readonly monotonicMs: number };
  readonly environment: { readonly [name: string]: string | undefined };
}

const INDEX = 'checks';
const POINTS_KEPT = 500;
const POLL_MS = 2_000;
const PROBLEM_MAX = 1_000;

const idOf = ({ target }: ScheduledCheck): string => `check-${fingerprint(target).slice(0, 12)}`;

/** Schedules the check, or changes its period and options. The first one begins at once. */
export async function schedule(engine: Engine, check: ScheduledCheck): Promise<void> {
  const id = idOf(check);
  const index = indexOf(engine);
  const job = await index.getJob(id);
  if (job === undefined)
    await index.add('check', textOf({ check, points: [], facts: null } satisfies CheckState), { jobId: id });
  else await job.updateData(textOf({ ...stateIn(job.data), check } satisfies CheckState));
  const queue = engine.queue(id);
  await queue.setGlobalConcurrency(1);
  const kept = { removeOnComplete: true, removeOnFail: true };
  await queue.upsertJobScheduler('every', { every: check.everyMs }, { name: 'check', opts: kept });
}

/** Returns whether there was one. */
export async function unschedule(engine: Engine, target: string): Promise<boolean> {
  const id = idOf({ target, everyMs: 0, options: [] });
  const index = indexOf(engine);
  if ((await index.getJob(id)) === undefined) return false;
  await engine.queue(id).obliterate({ force: true });
  await index.remove(id);
  return true;
}

export async function scheduledChecks(engine: Engine): Promise<readonly CheckState[]> {
  const jobs = await indexOf(engine).getJobs(['waiting']);
  return jobs
    .filter((job) => job?.data !== undefined)
    .map(({ data }) => stateIn(data))
    .sort((a, b) => (a.check.target < b.check.target ? -1 : 1));
}

/** Does the checks that come due, of all targets, until `stop`. */
export async function workOnChecks(engine: Engine, options: CheckOptions): Promise<void> {
  const workers = new Map<string, { close(): Promise<void> }>();
  while (!options.stop.aborted) {
    const checks = (await scheduledChecks(engine)).map(({ check }) => check);
    const ids = new Set(checks.map(idOf));
    for (const [id, worker] of [...workers].filter(([each]) => !ids.has(each))) {
      workers.delete(id);
      await worker.close();
    }
    for (const check of checks) {
      const id = idOf(check);
      if (workers.has(id)) continue;
      options.tell(`checking ${check.target} every ${check.everyMs / 1_000} s`);
      const worker = engine.worker<unknown, null>(
        id,
        async () => {
          await checkOnce(engine, id, options);
          return null;
        },
        { concurrency: 1 },
      );
      worker.on('failed', (_, error) => options.tell(`${check.target}: ${error.message}`));
      workers.set(id, worker);
    }
    await pause(POLL_MS, options.stop);
  }
  await Promise.all([...workers.values()].map((worker) => worker.close()));
}

async function checkOnce(engine: Engine, id: string, options: CheckOptions): Promise<void> {
  const job = await indexOf(engine).getJob(id);
  // It was unscheduled meanwhile.
  if (job === undefined) return;
  const { check, points, facts } = stateIn(job.data);
  const begin = options.now();
  const { exitCode, report, problem } = await runCheck(check, options);
  // Interrupted: it says nothing about the target.
  if (options.stop.aborted) return;
  const { drift, facts: known } = driftSince(facts, report, exitCode);
  const verdicts = (report?.requirements ?? []).map(({ verdict }) => verdict);
  const point: CheckPoint = {
    at: begin.timestamp,
    exitCode,
    passed: verdicts.filter((verdict) => verdict === 'pass').length,
    failed: verdicts.filter((verdict) => verdict === 'fail').length,
    undecided: verdicts.filter((verdict) => verdict !== 'pass' && verdict !== 'fail').length,
    seconds: Math.round((options.now().monotonicMs - begin.monotonicMs) / 1_000),
    problem,
    drift,
  };
  await job.updateData(textOf({ check, points: [...points, point].slice(-POINTS_KEPT), facts: known }));
  options.onPoint(check, point);
}

interface Checked {
  readonly exitCode: number;
  readonly report: Report | null;
  readonly problem: string | null;
}

/** `runproof check` in a process of its own, as a user would start it. */
async function runCheck(
  { target, options }: ScheduledCheck,
  { stop, environment }: CheckOptions,
): Promise<Checked> {
  const out = mkdtempSync(join(tmpdir(), 'runproof-check-'));
  try {
    const program = join(PACKAGE_ROOT, 'bin', 'runproof.js');
    const args = [program, 'check', target, '--quiet', '--format', 'json', '--out', out, ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment });
    let complaint = '';
    child.stderr.on(
      'data',
      (text: Buffer) => (complaint = `${complaint}${text.toString()}`.slice(-PROBLEM_MAX)),
    );
    const end = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', end);
    const [code] = (await once(child, 'close')) as [number | null];
    stop.removeEventListener('abort', end);
    const file = join(out, 'report.json');
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
    return { exitCode: code ?? 130, report, problem: report === null ? complaint.trim() : null };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const stateIn = (data: JsonText): CheckState => valueIn<CheckState>(data);
const indexOf = (engine: Engine): Queue<JsonText, unknown> => engine.queue(INDEX);
