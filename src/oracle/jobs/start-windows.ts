/** When each job must have started, derived from the workers that the jobs share. */
import { ANY_TIME, type StartWindow } from '../model/job-model.js';
import type { ObservedJobs, Job } from './observed-jobs.js';
import type { RuleSet } from '../model/rule-set.js';
import { explainJob, type ObservedJob } from '../model/observed-job.js';
import { Unknown, type Explained, type Explanations } from '../model/explanations.js';
import type { OnStep } from '../model/linearize.js';
import { startWindows, workersAreKnown } from './occupancy.js';
import type { Session } from '../observed/session.js';

/** The recorded steps of a job that was followed, to be replayed. */
interface RecordedCheck {
  readonly window: StartWindow;
  readonly steps: readonly Parameters<OnStep>[];
  readonly explanations: Explained;
}

export interface JobStart {
  readonly window: StartWindow;
  /** What was found within this window; null if the job was not followed, or has no explanation. */
  readonly recorded: RecordedCheck | null;
}

export const UNKNOWN_START: JobStart = { window: ANY_TIME, recorded: null };

/** How often the windows are refined: each start bounds others, which bound further ones. */
const ROUNDS_MAX = 3;

/** By job id; empty if the number of workers is unknown. */
export function jobStarts(
  rules: RuleSet,
  session: Session,
  observedJobs: ObservedJobs,
): ReadonlyMap<string, JobStart> {
  const found = new Map<string, JobStart>();
  if (!workersAreKnown(session, observedJobs.jobs.length)) return found;
  const recorded = new Map<string, RecordedCheck | null>();
  const explanationsById = new Map<string, Explanations>();
  let windows: ReadonlyMap<string, StartWindow> = new Map();
  // The start of a single job does not depend on other jobs.
  if (observedJobs.jobs.length === 1)
    windows = startWindows(rules, session, observedJobs, explanationsById, windows);
  let before: ReadonlyMap<string, StartWindow> | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    for (const job of observedJobs.jobs) {
      const window = windows.get(job.id) ?? ANY_TIME;
      if (before !== null && isUnaffected(job, window, before.get(job.id) ?? ANY_TIME)) continue;
      const { explanations, steps } = checkAndRecord(rules, job, window);
      recorded.set(job.id, explanations.kind === 'explained' ? { window, steps, explanations } : null);
      explanationsById.set(job.id, explanations);
    }
    const next = startWindows(rules, session, observedJobs, explanationsById, windows);
    if (observedJobs.jobs.every((job) => sameWindow(next.get(job.id)!, windows.get(job.id) ?? ANY_TIME)))
      break;
    before = windows;
    windows = next;
  }
  for (const job of observedJobs.jobs) {
    const window = windows.get(job.id) ?? ANY_TIME;
    const check = recorded.get(job.id) ?? null;
    const fits = check !== null && isUnaffected(job, window, check.window);
    found.set(job.id, { window, recorded: fits ? check : null });
  }
  return found;
}

function checkAndRecord(
  rules: RuleSet,
  job: Job,
  window: StartWindow,
): { readonly explanations: Explanations; readonly steps: RecordedCheck['steps'] } {
  const steps: Parameters<OnStep>[] = [];
  if (job.isGivenTwice) return { explanations: new Unknown(job.notJudged!), steps };
  const record: OnStep = (...step) => steps.push(step);
  return { explanations: explainJob(rules, withStartWindow(job, window), record), steps };
}

/** The same job, restricted to a narrower start window. */
export function withStartWindow(job: Job, startWindow: StartWindow): ObservedJob {
  return startWindow === job.model.startWindow ? job : { ...job, model: { ...job.model, startWindow } };
}

/** Repeats the recorded steps as if the job were followed again. */
export function replay({ steps, explanations }: RecordedCheck, step: OnStep): Explained {
  for (const [op, before, after] of steps) step(op, before, after);
  return explanations;
}

/** Both windows give the same result, unless a retry may requeue the job for a second start. */
function isUnaffected(job: Job, left: StartWindow, right: StartWindow): boolean {
  return left === right || (!retried(job) && sameWindow(left, right));
}

const retried = (job: Job): boolean => job.operations.some(({ kind }) => kind === 'retry');

function sameWindow(left: StartWindow, right: StartWindow): boolean {
  return left.notBeforeMs === right.notBeforeMs && left.byMs === right.byMs;
}
