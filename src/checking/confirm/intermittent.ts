/**
 * Which failures do not repeat: the shortest script of each cause is played twice more, where that is cheap. What repeats is
 * not told.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { StepDeadlines, StepLimits } from '../../judging/deadlines.js';
import type { Cause } from '../../report/index.js';
import { confirm } from './confirm.js';
import type { CheckedRun, ConfirmedFailure } from './confirmed-failures.js';

const CAUSES_MAX = 5;
const TIMES = 2;
/** No script with more calls is played, nor one that took longer where time is real. */
const CALLS_MAX = 60;
const SCRIPT_MS_MAX = 4_000;
/** What has been played by then counts. */
const TIME: StepLimits = { maxMs: 10_000, afterBudgetMs: 0, afterSignalMs: 0 };

export async function intermittentIn({
  causes,
  events,
  deadlines,
  ...run
}: CheckedRun & {
  readonly causes: readonly Cause[];
  readonly events: readonly HistoryEvent[];
  readonly deadlines: StepDeadlines;
}): Promise<readonly ConfirmedFailure[]> {
  const candidates = causes
    .slice(0, CAUSES_MAX)
    .flatMap(({ requirement }) => shortest(requirement, events, run) ?? []);
  if (candidates.length === 0) return [];
  const stop = new AbortController();
  const watch = deadlines.watch(TIME);
  void watch.over.then(() => stop.abort());
  const { edition, concurrency } = run;
  const how = { edition, concurrency, signal: stop.signal, times: TIMES };
  const rates = await confirm(run.target, candidates, how).finally(watch.forget);
  return rates.filter(({ failed, runs }) => failed < runs);
}

function shortest(
  requirement: string,
  events: readonly HistoryEvent[],
  { findings, scripts, stepsBefore, target }: CheckedRun,
): ConfirmedFailure | null {
  const failures = findings.requirements.find(({ id }) => id === requirement)?.failures ?? [];
  const [first] = [...new Set(failures.map(({ script }) => script))]
    .filter((number) => scripts[number] !== undefined && isCheap(number, events, target.clock === 'real'))
    .sort((a, b) => scripts[a]!.steps.length - scripts[b]!.steps.length);
  if (first === undefined) return null;
  const script = scripts[first]!;
  const before = stepsBefore.get(first) ?? script.steps.length;
  return { requirement, number: first, script, stepsBefore: before, fault: null, failed: 0, runs: 0 };
}

function isCheap(number: number, events: readonly HistoryEvent[], takesTime: boolean): boolean {
  const own = events.filter((event) => 'script' in event && event.script === number);
  const at = (kind: string): number =>
    own.flatMap((one) => (one.kind === kind && 'atMs' in one ? [one.atMs] : []))[0] ?? 0;
  const tookMs = at('script-end') - at('script');
  return (
    own.filter(({ kind }) => kind === 'call').length <= CALLS_MAX && (!takesTime || tookMs <= SCRIPT_MS_MAX)
  );
}
