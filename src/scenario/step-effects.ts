/** What a step of a script does to the endpoint, without running it. */
import type { Operation } from '../spec/types.js';
import type { Step } from './script.js';

/** Most waits for a state end after a few polls, though they may go on for days. */
const USUAL_POLLS = 3;

/** The operation that a step calls, and how often; null for steps without calls. `op` is null for raw requests. */
export function callsOf(step: Step): { readonly op: Operation | null; readonly count: number } | null {
  switch (step.do) {
    case 'pause':
    case 'workers':
      return null;
    case 'await':
      return { op: 'status', count: USUAL_POLLS };
    case 'raw':
      return { op: null, count: 1 };
    case 'burst':
      return { op: step.op, count: step.count };
    default:
      return { op: step.do, count: 1 };
  }
}

/** How many jobs the step submits. */
export function submissionsOf(step: Step): number {
  const calls = callsOf(step);
  return calls?.op === 'run' || calls?.op === 'runsync' ? calls.count : 0;
}

/** Keys that are valid, or that a service may accept as valid. */
const MAY_PASS: ReadonlySet<string> = new Set(['bare', 'bearer', 'lower-bearer', 'other-user']);

/** Whether the step removes jobs from the queue of the script's own endpoint. */
export function purgesTheQueue(step: Step): boolean {
  const purges =
    callsOf(step)?.op === 'purge-queue' ||
    (step.do === 'raw' && step.method === 'POST' && /^\/purge-queue\/?$/.test(step.path));
  return purges && step.endpoint === undefined && MAY_PASS.has(step.auth ?? 'bare');
}
