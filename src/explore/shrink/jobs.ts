import type { Step } from '../../scenario/script.js';

/** Candidates without one job, then with one job only. */
export function* withoutJobs(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  const labels = labelsOf(steps);
  for (const label of labels) yield steps.filter((step) => !means(step, [label]));
  for (const label of labels) yield steps.filter((step) => means(step, [label]) || !meansAny(step));
}

/** Labels of the submitted jobs, in order of submission. */
export function labelsOf(steps: readonly Step[]): readonly string[] {
  const labels = steps.flatMap((step) => (step.do === 'run' || step.do === 'runsync' ? [step.job] : []));
  return [...new Set(labels)];
}

function means(step: Step, labels: readonly string[]): boolean {
  if ('job' in step && typeof step.job === 'string' && labels.includes(step.job)) return true;
  if (step.do === 'raw' && labels.some((label) => step.path.includes(`{job:${label}}`))) return true;
  const at = step.at;
  return at !== undefined && 'job' in at && labels.includes(at.job);
}

function meansAny(step: Step): boolean {
  if ('job' in step && step.job !== undefined) return true;
  if (step.do === 'raw' && step.path.includes('{job:')) return true;
  return step.at !== undefined && 'job' in step.at;
}
