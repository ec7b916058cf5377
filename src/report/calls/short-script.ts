import { exactDuration } from '../../util/duration.js';
import type { HistoryEvent } from '../../history/events.js';
import { pluralize } from '../formatting.js';
import { scriptSteps, type StepLine } from './script-steps.js';

/** A longer script has a page of its own. */
const STEPS_MAX = 8;

/** A client that does not mean to wait may take so long for a call, and from one call to the next. */
const AT_ONCE_MS = 10;

/**
 * The script in words, a line for each step and each wait; of a long one only the calls in `evidence`, null if they are many.
 * `isAlone`: one call shows the failure, whatever was called before.
 */
export function shortScript(
  history: readonly HistoryEvent[],
  script: number,
  evidence: readonly number[],
  isAlone = false,
): readonly string[] | null {
  const steps = scriptSteps(history, script)?.steps ?? [];
  const isTold = ({ call }: StepLine): boolean =>
    (steps.length <= STEPS_MAX && !isAlone) || (call !== null && evidence.includes(call));
  const told = steps.filter(isTold);
  if (told.length === 0 || told.length > STEPS_MAX) return null;
  if (isAlone) return told.map(({ text, call }) => `${text} (#${call})`);
  let left = 0;
  const lines = steps.flatMap((step, index) => {
    left = isTold(step) ? 0 : left + 1;
    if (left > 0) return isTold(steps[index + 1] ?? step) ? [`… ${pluralize(left, 'other step')} …`] : [];
    const wait = waitBefore(step, steps.slice(0, index));
    return [...wait, step.call === null ? step.text : `${step.text} (#${step.call})`];
  });
  return left === 0 ? lines : [...lines, `… ${pluralize(left, 'other step')} …`];
}

/** Since the last step that was over by then; a longer one began before. */
function waitBefore({ atMs }: StepLine, earlier: readonly StepLine[]): readonly string[] {
  const over = earlier.map((step) => (step.endMs <= atMs ? step.endMs : step.atMs));
  if (atMs - Math.max(0, ...over) < AT_ONCE_MS) return [];
  const since = earlier.map(({ atMs: sentMs }, index) =>
    over[index]! - sentMs < AT_ONCE_MS ? sentMs : over[index]!,
  );
  return [`wait ${exactDuration(Math.round(atMs - Math.max(0, ...since)))}`];
}
