import type { Step } from '../../scenario/script.js';

/** Candidates without a run of steps: halves, quarters, and so on down to single steps, the last first. */
export function* withoutSteps(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = steps.length; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      const rest = [...steps.slice(0, start), ...steps.slice(end)];
      yield keepTime(steps, start, end, rest);
      yield rest;
    }
  }
}

/** Adds the pauses of the omitted steps to the next step, so that the rest happens at the same time. */
function keepTime(
  steps: readonly Step[],
  start: number,
  end: number,
  rest: readonly Step[],
): readonly Step[] {
  const next = steps[end];
  if (next === undefined || next.lane !== undefined) return rest;
  const waits = (step: Step): number => (step.at !== undefined && 'waitMs' in step.at ? step.at.waitMs : 0);
  const lostMs = steps.slice(start, end).reduce((sum, step) => sum + waits(step), 0);
  if (lostMs === 0 || (next.at !== undefined && !('waitMs' in next.at))) return rest;
  const later = { ...next, at: { waitMs: waits(next) + lostMs } };
  return rest.map((step) => (step === next ? later : step));
}
