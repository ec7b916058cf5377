/**
 * Checks of deployed targets around the clock. BullMQ's scheduler files one at each period; each target has a
 * queue of its own with one check at a time, however many workers there are.
 */
import { driftSince, type TargetFacts } from '../../report/compare/drift.js';
import { queueOfTarget, runCheck, type CheckEnvironment, type TargetCheck } from './check-target.js';
import type { Engine, Queue } from './engine.js';
import { recordsIn, textOf, valueIn, type JsonText } from './json-text.js';
import { CHECK_STATE_SCHEMA } from './schemas.js';
import { checkSeed, SEED_JOB, targetCampaigns, undoneChecks, type SeedCheck } from './target-campaign.js';
import { pause } from './work.js';

export interface ScheduledCheck extends TargetCheck {
  readonly everyMs: number;
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

export interface CheckOptions extends CheckEnvironment {
  readonly tell: (text: string) => void;
  /** Called after each scheduled check. */
  readonly onPoint: (check: ScheduledCheck, point: CheckPoint) => void;
  readonly now: () => { readonly timestamp: string; readonly monotonicMs: number };
  /** Hash of this program: checks of a campaign of another one are left to its workers. */
  readonly code: string;
  /** Ends when no campaign over targets has a check left. */
  readonly once: boolean;
}

const INDEX = 'checks';
const POINTS_KEPT = 500;
const POLL_MS = 2_000;
const SCHEDULER = 'every';

/** Schedules the check, or changes its period and options. The first one begins at once. */
export async function schedule(engine: Engine, check: ScheduledCheck): Promise<void> {
  const id = queueOfTarget(check.target);
  const index = indexOf(engine);
  const job = await index.getJob(id);
  if (job === undefined)
    await index.add('check', textOf({ check, points: [], facts: null } satisfies CheckState), { jobId: id });
  else await job.updateData(textOf({ ...stateIn(job.data), check } satisfies CheckState));
  const queue = engine.queue(id);
  await queue.setGlobalConcurrency(1);
  const kept = { removeOnComplete: true, removeOnFail: true };
  await queue.upsertJobScheduler(SCHEDULER, { every: check.everyMs }, { name: 'check', opts: kept });
}

/** Returns whether there was one. */
export async function unschedule(engine: Engine, target: string): Promise<boolean> {
  const id = queueOfTarget(target);
  const index = indexOf(engine);
  if ((await index.getJob(id)) === undefined) return false;
  await engine.queue(id).removeJobScheduler(SCHEDULER);
  await index.remove(id);
  return true;
}

export async function scheduledChecks(engine: Engine): Promise<readonly CheckState[]> {
  const states = await recordsIn<CheckState>(engine, INDEX, CHECK_STATE_SCHEMA);
  return [...states].sort((a, b) => (a.check.target < b.check.target ? -1 : 1));
}

/** Does the checks that come due and those of campaigns, of all targets, until `stop`. */
export async function workOnChecks(engine: Engine, options: CheckOptions): Promise<void> {
  const { stop, tell, once } = options;
  const workers = new Map<string, { close(): Promise<void> }>();
  while (!stop.aborted) {
    const targets = await targetsOf(engine, options.code);
    for (const [id, worker] of [...workers].filter(([each]) => !targets.has(each))) {
      workers.delete(id);
      await worker.close();
    }
    for (const [id, target] of targets) {
      if (workers.has(id)) continue;
      tell(`checking ${target}`);
      workers.set(id, workerOf(engine, id, target, options));
    }
    if (once && (await undoneChecks(engine, options.code)) === 0) break;
    await pause(POLL_MS, stop);
  }
  await Promise.all([...workers.values()].map((worker) => worker.close()));
}

/** Targets that have checks, by the name of their queue. */
async function targetsOf(engine: Engine, code: string): Promise<ReadonlyMap<string, string>> {
  const scheduled = (await scheduledChecks(engine)).map(({ check }) => check.target);
  const ours = (await targetCampaigns(engine)).filter((campaign) => campaign.code === code);
  const targets = [...scheduled, ...ours.flatMap((campaign) => campaign.targets)];
  return new Map(targets.map((target) => [queueOfTarget(target), target]));
}

function workerOf(
  engine: Engine,
  id: string,
  target: string,
  options: CheckOptions,
): { close(): Promise<void> } {
  const worker = engine.worker<SeedCheck, string | null>(
    id,
    async (job, token) => {
      if (job.name === SEED_JOB) return checkSeed(engine, job, token, options);
      await checkOnce(engine, id, options);
      return null;
    },
    { concurrency: 1 },
  );
  worker.on('failed', (_, error) => options.tell(`${target}: ${error.message}`));
  return worker;
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

const stateIn = (data: JsonText): CheckState =>
  valueIn<CheckState>(data, CHECK_STATE_SCHEMA, 'a scheduled check');
const indexOf = (engine: Engine): Queue<JsonText, unknown> => engine.queue(INDEX);
