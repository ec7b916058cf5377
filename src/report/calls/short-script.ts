import { exactDuration } from '../../util/duration.js';
import type { HistoryEvent } from '../../history/events.js';
import { scriptSteps } from './script-steps.js';

/** A longer script has a page of its own. */
const STEPS_MAX = 8;

/** The script in words, a line for each step and each wait; null if it is long. */
export function shortScript(history: readonly HistoryEvent[], script: number): readonly string[] | null {
  const steps = scriptSteps(history, script)?.steps ?? [];
  if (steps.length === 0 || steps.length > STEPS_MAX) return null;
  let nowMs = 0;
  return steps.flatMap(({ atMs, text, call }) => {
    const waitedMs = Math.round(atMs - nowMs);
    nowMs = atMs;
    return [
      ...(waitedMs > 0 ? [`wait ${exactDuration(waitedMs)}`] : []),
      call === null ? text : `${text} (#${call})`,
    ];
  });
}
