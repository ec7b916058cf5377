/**
 * Where a run kept a rule and where it broke it: each decision with the call that it rests on. It judges the history once more,
 * and decides nothing else.
 */
import type { HistoryEvent } from '../history/events.js';
import { Judging } from './judge.js';
import { FORBIDDEN_TRANSITIONS, CANCEL, EXPIRED, PURGE, RETRY } from './model/lifecycle/lifecycle-calls.js';
import { TIMERS } from './model/lifecycle/lifecycle.js';
import type { Row } from './model/lifecycle/lifecycle-rows.js';

/** One decision on one requirement. */
export interface Decision {
  readonly requirement: string;
  readonly isKept: boolean;
  /** The last call that it rests on; null: it rests on no single call or job. */
  readonly call: number | null;
}

/** Broken more often than this, a rule says no more. */
const FAILURES_MAX = 1_000;
/** Longer scripts are bursts of calls, which try the limits of section 8. */
const CALLS_MAX = 1_000;

/**
 * All decisions on each of these requirements, and on those that say the same of other jobs.
 *
 * @param timesAreFine as in `followJobs`
 * @throws if the first event is not of kind `run`
 */
export function decisionsOn(
  events: readonly HistoryEvent[],
  wanted: readonly string[],
  timesAreFine = false,
): ReadonlyMap<string, readonly Decision[]> {
  const kin = new Map(wanted.map((id) => [id, kinOf(id)]));
  const all = new Map(
    [...kin.values()].flatMap((ids) => [...ids].map((id) => [id, [] as Decision[]] as const)),
  );
  const onPass = (requirement: string, call: number | null): void => {
    all.get(requirement)?.push({ requirement, isKept: true, call });
  };
  const judging = new Judging(events[0], { timesAreFine, failuresMax: FAILURES_MAX, onPass });
  for (const event of withoutBursts(events)) judging.see(event);
  for (const { id: requirement, failures } of judging.findings().requirements)
    for (const { calls } of failures)
      all.get(requirement)?.push({ requirement, isKept: false, call: calls.at(-1) ?? null });
  return new Map([...kin].map(([id, ids]) => [id, [...ids].flatMap((one) => all.get(one)!)]));
}

/** Without the scripts that are long, where nothing joins them to the rest of the run: that saves half of the time. */
function withoutBursts([run, ...events]: readonly HistoryEvent[]): readonly HistoryEvent[] {
  if (run?.kind !== 'run' || run.clock === 'real') return events;
  const calls = new Map<number, number>();
  for (const event of events)
    if (event.kind === 'call') calls.set(event.script, (calls.get(event.script) ?? 0) + 1);
  const shared = new Set(
    events.flatMap((event) => (event.kind === 'script' && !event.fresh ? event.script : [])),
  );
  return events.filter(
    (event) =>
      !('script' in event) || shared.has(event.script) || (calls.get(event.script) ?? 0) <= CALLS_MAX,
  );
}

type Cases = readonly (readonly [id: string, ...unknown[]])[];

/** Requirements that differ only in the job that they are about: a timer that fires, or does not yet; what a call does. */
const KIN: readonly Cases[] = [
  ...TIMERS.flatMap(({ tooLate, tooEarly, others, leadsTo }) => {
    const hasFired = ({ notFound, shown = [] }: Row): boolean =>
      notFound !== undefined || shown.some((state) => leadsTo.includes(state));
    const of = (fired: boolean): Cases =>
      others.filter((row) => hasFired(row) === fired).flatMap(({ cases }): Cases => cases);
    return [
      [...tooLate.cases, ...of(true)],
      [...tooEarly.cases, ...of(false)],
    ];
  }),
  [...CANCEL.queued.cases, ...CANCEL.running.cases],
  [...RETRY.failed.cases, ...RETRY['timed-out'].cases],
  PURGE.queued.cases,
  ...FORBIDDEN_TRANSITIONS.map(({ cases }) => cases),
  ...Object.values(EXPIRED).map((ids) => ids.map((id) => [id] as const)),
];

/** This requirement, and those that say the same of other jobs. */
const kinOf = (id: string): ReadonlySet<string> =>
  new Set([
    id,
    ...KIN.filter((cases) => cases.some(([one]) => one === id)).flatMap((all) => all.map(([one]) => one)),
  ]);
