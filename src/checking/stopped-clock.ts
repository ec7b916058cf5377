/** Whether the clock of the target stands still while real time passes. */
import type { HistoryEvent } from '../history/events.js';
import { pluralize } from '../report/formatting.js';
import { isObject } from '../util/json.js';

/** So many jobs have to be seen running for so long, ms. */
const JOBS_MIN = 3;
const RUNNING_MS = 2_000;

/**
 * `executionTime` and `delayTime` grow on a clock that runs. A server may tell them only at the end, so one job that was longer
 * than nothing shows a running clock. Null: the clock runs, or too little was seen.
 */
export function stoppedClock(events: readonly HistoryEvent[]): string | null {
  const [run] = events;
  if (run?.kind !== 'run' || run.clock !== 'real') return null;
  const since = new Map<string, number>();
  const still = new Set<string>();
  for (const event of events) {
    if (event.kind !== 'call' || event.reply?.body.as !== 'json' || event.receivedMs === null) continue;
    const { value } = event.reply.body;
    if (!isObject(value) || typeof value['id'] !== 'string') continue;
    const { id, status, executionTime, delayTime } = value;
    if (Number(executionTime ?? 0) > 0 || Number(delayTime ?? 0) > 0) return null;
    if (status !== 'IN_PROGRESS' || executionTime !== 0) continue;
    const job = String(id);
    if (!since.has(job)) since.set(job, event.receivedMs);
    else if (event.sentMs - since.get(job)! >= RUNNING_MS) still.add(job);
  }
  if (still.size < JOBS_MIN) return null;
  return (
    `the clock of the server seems to stand still: executionTime was 0 in every answer, also of ${pluralize(still.size, 'job')} seen running ` +
    'for seconds. What is said here about time is then wrong: run its clock, or name its test control by --control'
  );
}
