/** When each job must have started, from what the jobs' lives say of the workers that they share. */
import { ANY_TIME, type StartWindow } from '../model/life.js';
import type { ObservedJobs, Job } from './observed-jobs.js';
import type { Context } from '../model/context.js';
import { lifeOf, type JobCase } from '../model/job.js';
import { Unknown, type Explained, type KnownLife } from '../model/known.js';
import type { Step } from '../model/linearize.js';
import { startWindows, workersAreKnown } from './occupancy.js';
import type { Session } from '../observed/session.js';

/** A life as it was followed, to be gone through once more. */
interface Followed {
  readonly window: StartWindow;
  readonly steps: readonly Parameters<Step>[];
  readonly life: Explained;
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
  ctx: Context,
  session: Session,
  observedJobs: ObservedJobs,
): ReadonlyMap<string, Window> {
  const found = new Map<string, Window>();
  if (!workersAreKnown(session, observedJobs.jobs.length)) return found;
  let windows: ReadonlyMap<string, StartWindow> = new Map();
  const followed = new Map<string, Followed | null>();
  const lives = new Map<string, KnownLife>();
  let before: ReadonlyMap<string, StartWindow> | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    for (const job of observedJobs.jobs) {
      const window = windows.get(job.id) ?? ANY_TIME;
      if (before !== null && isSame(job, window, before.get(job.id) ?? ANY_TIME)) continue;
      const { life, steps } = follow(ctx, job, window);
      followed.set(job.id, life.kind === 'explained' ? { window, steps, life } : null);
      lives.set(job.id, life);
    }
    const next = startWindows(ctx, session, observedJobs, lives);
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
  ctx: Context,
  job: Job,
  window: StartWindow,
): { readonly life: KnownLife; readonly steps: Followed['steps'] } {
  const steps: Parameters<Step>[] = [];
  if (job.isGivenTwice) return { life: new Unknown(job.notJudged!), steps };
  const record: Step = (...step) => steps.push(step);
  return { life: lifeOf(ctx, within(job, window), record), steps };
}

/** The same job, when more is known of when it must have started. */
export function within(job: Job, startWindow: StartWindow): JobCase {
  return startWindow === job.life.startWindow ? job : { ...job, life: { ...job.life, startWindow } };
}

/** Tells of the steps as if the life were followed again. */
export function replay({ steps, life }: Followed, step: Step): Explained {
  for (const [op, before, after] of steps) step(op, before, after);
  return life;
}

/** The job's life is the same in both, unless it may be queued again by a retry: that start has a window of its own. */
function isSame(job: Job, left: StartWindow, right: StartWindow): boolean {
  return left === right || (!retried(job) && sameSpan(left, right));
}

const retried = (job: Job): boolean => job.operations.some(({ kind }) => kind === 'retry');

function sameSpan(left: StartWindow, right: StartWindow): boolean {
  return left.notBeforeMs === right.notBeforeMs && left.byMs === right.byMs;
}
