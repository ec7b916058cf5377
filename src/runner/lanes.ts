/** The lanes of a script: the steps of a lane run one after the other, lanes run concurrently. */
import type { JobStep, Milestone, Step } from '../scenario/script.js';

export interface Lane {
  readonly name: string;
  readonly steps: readonly Step[];
  index: number;
  /** When the previous step ended; null until the next call of `due`, which knows the time. */
  readyMs: number | null;
  /** The job whose change can move the lane on. */
  waitsFor: string | null;
  /** Open calls of the current step. */
  open: number;
  changingWorkers: boolean;
  polling: { readonly deadlineMs: number; everyMs: number; nextMs: number; lastSentMs: number | null } | null;
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
    waitsFor: null,
    open: 0,
    changingWorkers: false,
    polling: null,
  }));
}

/** The job that a step names; null when it means any of them. */
export function jobNamedBy(step: Step): string | null | undefined {
  if (!('job' in step)) return undefined;
  return typeof step.job === 'string' || step.job === undefined ? step.job : null;
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
