/** When each job must have started, from what the jobs' lives say of the workers that they share. */
import { ANY_TIME, type StartWindow } from '../model/job-model.js';
import type { ObservedJobs, Job } from './observed-jobs.js';
import type { RuleSet } from '../model/rule-set.js';
import { explainJob, type ObservedJob } from '../model/observed-job.js';
import { Unknown, type Explained, type Explanations } from '../model/explanations.js';
import type { OnStep } from '../model/linearize.js';
import { startWindows, workersAreKnown } from './occupancy.js';
import type { Session } from '../observed/session.js';

/** A life as it was followed, to be gone through once more. */
interface Followed {
  readonly window: StartWindow;
  readonly steps: readonly Parameters<OnStep>[];
  readonly explanations: Explained;
}

export interface Window {
  readonly window: StartWindow;
  /** The job's life within this window; null where it was not followed, or cannot be. */
  readonly followed: Followed | null;
}

export const UNKNOWN: Window = { window: ANY_TIME, followed: null };

/** What one job's start says of another's may say something of a third: so often it is asked anew. */
const ROUNDS_MAX = 3;

/** By the jobs' ids; empty where nothing is known of the workers. */
export function windowsOf(
  rules: RuleSet,
  session: Session,
  observedJobs: ObservedJobs,
): ReadonlyMap<string, Window> {
  const found = new Map<string, Window>();
  if (!workersAreKnown(session, observedJobs.jobs.length)) return found;
  let windows: ReadonlyMap<string, StartWindow> = new Map();
  const followed = new Map<string, Followed | null>();
  const explanationsById = new Map<string, Explanations>();
  let before: ReadonlyMap<string, StartWindow> | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    for (const job of observedJobs.jobs) {
      const window = windows.get(job.id) ?? ANY_TIME;
      if (before !== null && isSame(job, window, before.get(job.id) ?? ANY_TIME)) continue;
      const { explanations, steps } = follow(rules, job, window);
      followed.set(job.id, explanations.kind === 'explained' ? { window, steps, explanations } : null);
      explanationsById.set(job.id, explanations);
    }
    const next = startWindows(rules, session, observedJobs, explanationsById);
    if (observedJobs.jobs.every((job) => sameSpan(next.get(job.id)!, windows.get(job.id) ?? ANY_TIME))) break;
    before = windows;
    windows = next;
  }
  for (const job of observedJobs.jobs) {
    const window = windows.get(job.id) ?? ANY_TIME;
    const life = followed.get(job.id) ?? null;
    const fits = life !== null && isSame(job, window, life.window);
    found.set(job.id, { window, followed: fits ? life : null });
  }
  return found;
}

function follow(
  rules: RuleSet,
  job: Job,
  window: StartWindow,
): { readonly explanations: Explanations; readonly steps: Followed['steps'] } {
  const steps: Parameters<OnStep>[] = [];
  if (job.isGivenTwice) return { explanations: new Unknown(job.notJudged!), steps };
  const record: OnStep = (...step) => steps.push(step);
  return { explanations: explainJob(rules, within(job, window), record), steps };
}

/** The same job, when more is known of when it must have started. */
export function within(job: Job, startWindow: StartWindow): ObservedJob {
  return startWindow === job.model.startWindow ? job : { ...job, model: { ...job.model, startWindow } };
}

/** Tells of the steps as if the life were followed again. */
export function replay({ steps, explanations }: Followed, step: OnStep): Explained {
  for (const [op, before, after] of steps) step(op, before, after);
  return explanations;
}

/** The job's life is the same in both, unless it may be queued again by a retry: that start has a window of its own. */
function isSame(job: Job, left: StartWindow, right: StartWindow): boolean {
  return left === right || (!retried(job) && sameSpan(left, right));
}

const retried = (job: Job): boolean => job.operations.some(({ kind }) => kind === 'retry');

function sameSpan(left: StartWindow, right: StartWindow): boolean {
  return left.notBeforeMs === right.notBeforeMs && left.byMs === right.byMs;
}
