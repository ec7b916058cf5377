/** The lanes of a script: the steps of a lane run one after the other, lanes run concurrently. */
import type { JobStep, Milestone, Step } from '../scenario/script.js';

export interface Lane {
  readonly name: string;
  readonly steps: readonly Step[];
  index: number;
  /** When the previous step ended; null until the next call of `due`, which knows the time. */
  readyMs: number | null;
  /** When to continue; null while only a reply can move the lane on. */
  wakeMs: number | null;
  /** Open calls of the current step. */
  open: number;
  changingWorkers: boolean;
  polling: { readonly deadlineMs: number; nextMs: number; lastSentMs: number | null } | null;
}

export function lanesOf(steps: readonly Step[]): readonly Lane[] {
  const byName = new Map<string, Step[]>();
  for (const step of steps) {
    const name = step.lane ?? 'main';
    const lane = byName.get(name);
    if (lane) lane.push(step);
    else byName.set(name, [step]);
  }
  return [...byName].map(([name, laneSteps]) => ({
    name,
    steps: laneSteps,
    index: 0,
    readyMs: null,
    wakeMs: null,
    open: 0,
    changingWorkers: false,
    polling: null,
  }));
}

/** Whether running this step can show that milestone of that job. */
export function canShow(step: Step, label: string, milestone: Milestone): boolean {
  switch (step.do) {
    case 'run':
      return step.job === label;
    case 'runsync':
      return step.job === label && milestone !== 'retried' && milestone !== 'cancelled';
    case 'await':
      return step.job === label && (milestone === 'started' || milestone === 'ended');
    case 'status':
      return means(step, label) && (milestone === 'started' || milestone === 'ended');
    case 'cancel':
      return means(step, label) && (milestone === 'cancelled' || milestone === 'ended');
    case 'retry':
      return means(step, label) && milestone === 'retried';
    default:
      return false;
  }
}

function means(step: JobStep, label: string): boolean {
  return typeof step.job !== 'string' || step.job === label;
}
