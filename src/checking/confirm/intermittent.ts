/**
 * Which failures do not repeat: the quickest script of each cause is run twice more, where time allows. Of what repeats nothing is
 * said; why a cause was not run again is.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { StepDeadlines, StepLimits } from '../../judging/deadlines.js';
import { formatDuration } from '../../report/formatting.js';
import type { Cause } from '../../report/index.js';
import { confirm } from './confirm.js';
import type { CheckedRun, ConfirmedFailure } from './confirmed-failures.js';

const CAUSES_MAX = 5;
const TIMES = 2;
/** No script with more calls is played. */
const CALLS_MAX = 60;
/** What has been played by then counts. A script that needs longer by itself is not begun. */
const TIME: StepLimits = { maxMs: 30_000, afterBudgetMs: 0, afterSignalMs: 0 };

export async function intermittentIn({
  causes,
  events,
  deadlines,
  ...run
}: CheckedRun & {
  readonly causes: readonly Cause[];
  readonly events: readonly HistoryEvent[];
  readonly deadlines: StepDeadlines;
}): Promise<{
  readonly intermittent: readonly ConfirmedFailure[];
  readonly notRunAgain: ReadonlyMap<string, string>;
}> {
  const costs = costsOf(events, run.target.clock === 'real');
  const first = causes
    .slice(0, CAUSES_MAX)
    .flatMap(({ requirement }) => quickest(requirement, costs, run) ?? []);
  const notRunAgain = new Map(
    first.flatMap(({ requirement, why }) => (why === null ? [] : [[requirement, why] as const])),
  );
  const chosen = first.filter(({ why }) => why === null).map(({ number }) => number);
  if (chosen.length === 0) return { intermittent: [], notRunAgain };
  // What else failed in a script that is played again is judged with it.
  const candidates = causes.flatMap(({ requirement, sameAnswer, consequences }) =>
    [requirement, ...sameAnswer, ...consequences].flatMap((id) => candidateIn(chosen, id, run) ?? []),
  );
  const stop = new AbortController();
  const watch = deadlines.watch(TIME);
  void watch.over.then(() => stop.abort());
  const { edition, concurrency } = run;
  const how = { edition, concurrency, signal: stop.signal, times: TIMES };
  const rates = await confirm(run.target, candidates, how).finally(watch.forget);
  return { intermittent: rates.filter(({ failed, runs }) => failed < runs), notRunAgain };
}

/** The scripts in which a requirement failed. */
const failedIn = (requirement: string, { findings, scripts }: CheckedRun): readonly number[] => {
  const { failures = [] } = findings.requirements.find(({ id }) => id === requirement) ?? {};
  return [...new Set(failures.map(({ script }) => script))].filter((number) => scripts[number] !== undefined);
};

function quickest(requirement: string, costs: ReadonlyMap<number, Cost>, run: CheckedRun) {
  const [first] = failedIn(requirement, run)
    .map((number) => ({ number, steps: run.scripts[number]!.steps.length, ...costs.get(number)! }))
    .map((one) => ({ requirement, why: tooMuch(one), ...one }))
    .sort(
      (a, b) => Number(a.why !== null) - Number(b.why !== null) || a.tookMs - b.tookMs || a.steps - b.steps,
    );
  return first;
}

function candidateIn(chosen: readonly number[], requirement: string, run: CheckedRun) {
  const number = failedIn(requirement, run).find((one) => chosen.includes(one));
  if (number === undefined) return null;
  const script = run.scripts[number]!;
  const stepsBefore = run.stepsBefore.get(number) ?? script.steps.length;
  return { requirement, number, script, stepsBefore, fault: null, failed: 0, runs: 0 };
}

/** Of one play of a script. */
interface Cost {
  readonly calls: number;
  /** Real ms; 0 where time does not pass. */
  readonly tookMs: number;
}

/** By number of the script. */
function costsOf(events: readonly HistoryEvent[], takesTime: boolean): ReadonlyMap<number, Cost> {
  const costs = new Map<number, Cost>();
  let speed = 1;
  for (const event of events) {
    if (event.kind === 'run') speed = event.speed ?? 1;
    if (!('script' in event)) continue;
    const { calls, tookMs } = costs.get(event.script) ?? { calls: 0, tookMs: 0 };
    const atMs = event.kind === 'script' ? -event.atMs : event.kind === 'script-end' ? event.atMs : 0;
    costs.set(event.script, {
      calls: calls + (event.kind === 'call' ? 1 : 0),
      tookMs: takesTime ? tookMs + atMs / speed : 0,
    });
  }
  return costs;
}

function tooMuch({ calls, tookMs }: Cost): string | null {
  if (calls > CALLS_MAX) return `its script makes ${calls} calls`;
  return TIMES * tookMs > TIME.maxMs ? `its script takes ${formatDuration(tookMs)}` : null;
}
