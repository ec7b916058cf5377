/** What the oracle says of a faulty endpoint by what was played on it. What is right about that it does not know. */
import type { HistoryEvent } from '../../src/history/events.js';
import { judge, type Findings } from '../../src/oracle/index.js';
import type { PrecisionMode } from './faulty-server.js';
import type { PlayedRun } from '../history-files.js';
import { leftOpenIn } from './left-open.js';

export interface FailedRequirement {
  readonly id: string;
  readonly level: 'must' | 'should' | 'may';
  /** Failing decisions. */
  readonly times: number;
  /** Scenarios of those that were kept. */
  readonly scenarios: readonly string[];
  /** Of the first. */
  readonly actual: string;
}

export interface FailedAlone {
  readonly id: string;
  readonly scenario: string;
  /** What each of the calls that show it shows to be broken in the whole run. */
  readonly named: readonly (readonly string[])[];
  /** The whole run counts a decision of this script that it was kept, where the script alone shows it broken. */
  readonly isTakenForKept: boolean;
}

export interface FaultVerdict {
  readonly scripts: number;
  readonly failed: readonly FailedRequirement[];
  readonly passed: readonly string[];
  /**
   * Where no must failed: musts that stayed open though the scripts decide them on a correct target, with nothing else that
   * would explain it. Such a run does not conform. Null: not known, as in real time.
   */
  readonly leftOpen: readonly string[] | null;
  /** On a shared endpoint: what fails in scripts that are judged alone, each by its scenario. */
  readonly alone: readonly FailedAlone[];
}

/** @param mode where it was played */
export function verdictOn({ events, plan }: PlayedRun, mode: PrecisionMode): FaultVerdict {
  const findings = judge(events, ALL_FAILURES);
  const { requirements } = findings;
  const failed = requirements.flatMap(({ id, level, verdict, failed: times, failures }) => {
    if (verdict !== 'fail') return [];
    const scenarios = [...new Set(failures.map(({ scenario }) => scenario))];
    return [{ id, level, times, scenarios, actual: failures[0]?.actual ?? '' }];
  });
  const passed = requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  const scripts = scriptsOf(events);
  // Elsewhere each has an endpoint of its own: there are no others to explain anything.
  const named = namedByCall(requirements);
  const alone = (mode === 'real' ? scripts : []).flatMap(({ scenario, own }) =>
    judge([events[0]!, ...own], ALL_FAILURES)
      .requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
      .map(({ id, failures }) => {
        const shownBy = new Set(failures.map(({ calls }) => calls.at(-1)!));
        return {
          id,
          scenario,
          named: [...shownBy].map((call) => [...(named.get(call) ?? [])]),
          isTakenForKept:
            passed.includes(id) && failures.some(({ calls }) => isTakenForKept(events, own, id, calls)),
        };
      }),
  );
  const isFailed = failed.some(({ level }) => level === 'must');
  const open = plan === null ? null : isFailed ? [] : [...leftOpenIn(events, findings, plan).keys()];
  return { scripts: scripts.length, failed, passed, alone, leftOpen: open };
}

const ALL_FAILURES = { failuresMax: Infinity };

/** By each call that a failure rests on: what it showed to be broken. */
function namedByCall(requirements: Findings['requirements']): Map<number, Set<string>> {
  const named = new Map<number, Set<string>>();
  for (const { id, failures } of requirements)
    for (const call of failures.flatMap(({ calls }) => calls))
      named.set(call, (named.get(call) ?? new Set()).add(id));
  return named;
}

/** How many decisions of a must said that it was kept. */
function keptBy(events: readonly HistoryEvent[], id: string): number {
  const found = judge(events, ALL_FAILURES).requirements.find((one) => one.id === id);
  return found === undefined ? 0 : found.decided - found.failed;
}

/**
 * What the whole run counts as kept shows in what it counts with the script and without: more than the script shows alone
 * rests on what breaks the must there. Calls after those that show the breach tell of something else.
 */
function isTakenForKept(
  events: readonly HistoryEvent[],
  own: readonly HistoryEvent[],
  id: string,
  shown: readonly number[],
): boolean {
  // A submission alone is named where nothing came of it: all that follows shows that.
  const lastCall = shown.length > 1 ? Math.max(...shown) : Infinity;
  const upTo = own.filter((event) => event.kind !== 'call' || event.call <= lastCall);
  const [ofScript, keptUpTo] = [new Set(own), new Set(upTo)];
  const others = events.filter((event) => !ofScript.has(event));
  const all = events.filter((event) => !ofScript.has(event) || keptUpTo.has(event));
  return keptBy(all, id) - keptBy(others, id) > keptBy([events[0]!, ...upTo], id);
}

function scriptsOf(
  events: readonly HistoryEvent[],
): readonly { readonly scenario: string; readonly own: readonly HistoryEvent[] }[] {
  const found = new Map<number, { scenario: string; own: HistoryEvent[] }>();
  const lags = events.flatMap((event) => (event.kind === 'script-end' ? (event.harnessLags ?? []) : []));
  for (const event of events) {
    if (event.kind === 'run') continue;
    const one = found.get(event.script) ?? { scenario: '', own: [] };
    if (event.kind === 'script') one.scenario = event.scenario;
    // Delays of the harness while other scripts ran are allowed when this one is judged alone, too.
    one.own.push(event.kind === 'script-end' ? { ...event, harnessLags: lags } : event);
    found.set(event.script, one);
  }
  return [...found.values()];
}
