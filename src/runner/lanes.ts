/** The lanes of a script: steps that run one after the other, beside those of other lanes. */
import type { JobStep, Milestone, Step } from '../scenario/script.js';

export interface Lane {
  readonly name: string;
  readonly steps: readonly Step[];
  index: number;
  /** When the step before ended; null until `due` is asked next, which knows the time. */
  readyMs: number | null;
  /** When to look again; null while only somebody else's news can move it on. */
  wakeMs: number | null;
  /** Calls of the present step that are on their way. */
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

/** Could playing this step show that milestone of that job? */
export function shows(step: Step, label: string, milestone: Milestone): boolean {
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
