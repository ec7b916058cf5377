/** The scripts of a run once more, on the simulator. */
import { rulesFor } from '../core/rules.js';
import type { HistoryEvent, RunEvent } from '../history/events.js';
import type { Habit } from '../core/habits.js';
import { judge } from '../oracle/index.js';
import type { Dialect, Edition } from '../spec/index.js';
import { simulatorTarget } from '../target/simulator/simulator-target.js';
import type { PlayedScript } from './missed-musts.js';

/** Of a usual network, real ms. */
const WAY_MS = { fromMs: 2, toMs: 30 };

/** The same scripts, played on a correct target; numbered as in the run. */
export function simulated(
  run: RunEvent,
  played: readonly PlayedScript[],
  dialect: Dialect,
  edition: Edition,
  change: Habit['change'] = () => ({}),
): readonly HistoryEvent[] {
  const isReal = run.clock === 'real';
  const { speed = 1 } = run;
  const way = { fromMs: Math.round(WAY_MS.fromMs * speed), toMs: Math.round(WAY_MS.toMs * speed) };
  const base = rulesFor(dialect, edition);
  const target = simulatorTarget({
    seed: run.seed,
    edition,
    rules: { ...base, ...change(base) },
    graceMs: run.graceMs,
    auth: dialect['5/key-forms'] === 'bearer-only' ? 'bearer' : 'bare',
    ...(isReal ? { arrivals: 'hidden', latency: { requestMs: way, replyMs: way } } : {}),
  });
  const events: HistoryEvent[] = [run];
  // Without test control no script gets an endpoint of its own, and the number of workers is not known.
  const append = (event: HistoryEvent): void =>
    void events.push(event.kind === 'script' && isReal ? { ...event, fresh: false, workers: null } : event);
  for (const { script, number } of played)
    target.runSynchronously([script], { append }, { firstScript: number });
  return events;
}

/** What was decided, by id, and some of the scenarios that decided it. */
export type Decided = ReadonlyMap<string, readonly string[]>;

export function decidedBy(events: readonly HistoryEvent[], edition: Edition): Decided {
  const { requirements } = judge(events, { edition, failuresMax: 0 });
  return new Map(
    requirements
      .filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')
      .map(({ id, decidedIn = [] }) => [id, decidedIn]),
  );
}

/** As if the clock had run like a real one. */
export const atSpeedOne = (run: RunEvent, speed: number): RunEvent => ({
  ...run,
  speed: 1,
  graceMs: Math.ceil(run.graceMs / speed),
  earlyMs: Math.ceil(run.earlyMs / speed),
});
