import type { Step } from '../../scenario/script.js';

/** Keys that are right, or by a legal reading may be taken for right. */
const MAY_PASS: ReadonlySet<string> = new Set(['bare', 'bearer', 'lower-bearer', 'other-user']);

/** Whether playing the step takes jobs out of the queue of the script's own endpoint. */
export function purgesTheQueue(step: Step): boolean {
  const purges =
    step.do === 'purge-queue' ||
    (step.do === 'burst' && step.op === 'purge-queue') ||
    (step.do === 'raw' && step.method === 'POST' && /^\/purge-queue\/?$/.test(step.path));
  return purges && step.endpoint === undefined && MAY_PASS.has(step.auth ?? 'bare');
}
