import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONTROL_FAILED, type HistoryEvent } from '../../../history/events.js';
import type { Script } from '../../../scenario/script.js';
import { InOrder } from '../../in-order.js';
import type { HistorySink, RunOptions, RunSummary } from '../../port.js';
import { ProgressCounter } from '../../progress-counter.js';
import { demandsOf, type Demands } from '../../simulator/demands.js';
import type { ClockControl } from './clock-control.js';
import { FAILURES_MAX, runScript } from './controlled-run.js';
import { endpointOfScript, runContextOf, type TargetContext } from '../target-context.js';

/** Scripts that play at once, unless the run says otherwise: they mostly wait for answers. */
const AT_ONCE = 64;
/** Calls that a script has open at once: many, and as many as the limits of section 8 take. */
const MANY = 64;
const CROWD = 300;
/** A larger body has the line to itself for a while. */
const BYTES_MAX = 1_000_000;
/** Real ms that a script with many calls or a large body takes besides its round trips. */
const HEAVY_MS = 4_000;

/** Of each of these kinds one script plays at a time: no other waits long for a connection, or behind a body. */
const HEAVY: readonly ((one: Demands) => boolean)[] = [
  ({ openMax }) => openMax > CROWD,
  ({ openMax, bytesMax }) => openMax <= CROWD && (openMax > MANY || bytesMax > BYTES_MAX),
];

/** How long the scripts take over a network: one after the other, and at once, with the end of each in this order. @internal */
export function overNetworkMs(
  scripts: readonly Script[],
  replyMs: number,
): { readonly oneByOneMs: number; readonly atOnceMs: number; readonly endsMs: readonly number[] } {
  const demands = scripts.map(demandsOf);
  const lasts = (one: Demands): number =>
    replyMs * one.roundTrips + (HEAVY.some((is) => is(one)) ? HEAVY_MS : 0);
  const together = (some: readonly Demands[]): number => some.reduce((ms, one) => ms + lasts(one), 0);
  const oneByOneMs = together(demands);
  const heavyMs = HEAVY.map((is) => together(demands.filter(is)));
  const atOnceMs = Math.max(oneByOneMs / AT_ONCE, ...heavyMs, ...demands.map(lasts));
  return { oneByOneMs, atOnceMs, endsMs: endsAtOnce(demands, lasts) };
}

/** In lanes, as `runAtOnce` plays them. */
function endsAtOnce(demands: readonly Demands[], lasts: (one: Demands) => number): readonly number[] {
  const lanes = Array.from({ length: AT_ONCE }, () => 0);
  const endsMs: number[] = [];
  const play = (lane: number, one: Demands): void => void endsMs.push((lanes[lane]! += lasts(one)));
  const longestFirst = demands.toSorted((left, right) => right.roundTrips - left.roundTrips);
  for (const one of longestFirst) {
    const kind = HEAVY.findIndex((is) => is(one));
    if (kind !== -1) play(kind, one);
  }
  for (const one of longestFirst.filter((each) => !HEAVY.some((is) => is(each))))
    play(lanes.indexOf(Math.min(...lanes)), one);
  return endsMs.sort((left, right) => left - right);
}

interface Planned extends Demands {
  readonly script: Script;
  readonly number: number;
}

/**
 * Runs scripts at once, each on an endpoint with a clock of its own: nothing that happens in one of them is seen in
 * another. The longest begin first, and the history is the one of scripts that play one after the other.
 */
export async function runAtOnce(
  context: TargetContext,
  control: ClockControl,
  scripts: readonly Script[],
  sink: HistorySink,
  options: RunOptions,
): Promise<RunSummary> {
  const { firstScript = 0, concurrency = AT_ONCE, signal } = options;
  const planned: Planned[] = [];
  for (const [index, script] of scripts.entries()) {
    planned.push({ script, number: firstScript + index, ...demandsOf(script) });
    // It takes some ms each time: meanwhile idle sockets have to be closed in time.
    await nextTurn();
    if (signal?.aborted) break;
  }
  planned.sort((left, right) => right.roundTrips - left.roundTrips);
  const heavy = HEAVY.map((is) => planned.filter(is));
  const others = planned.filter((one) => !HEAVY.some((is) => is(one)));
  const failure = new AbortController();
  const stop = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  // Every script listens to it.
  setMaxListeners(0, stop);

  let [calls, elapsedMs, ended, failures] = [0, 0, 0, 0];
  const progress = new ProgressCounter(options, scripts.length, () => calls);
  const history = new InOrder(sink);
  const play = async ({ script, number }: Planned): Promise<void> => {
    progress.started(number, script);
    // Those that fail at once fail for one reason.
    const failuresBefore = failures;
    if (failures >= FAILURES_MAX) return progress.ended(number, script, CONTROL_FAILED);
    const events: HistoryEvent[] = [];
    const own = { ...context, client: context.newClient(), ownClocks: true };
    const clock = control.clockOf(endpointOfScript(number));
    const runContext = runContextOf(
      own,
      { append: (event) => void events.push(event) },
      options.createRunner,
    );
    const driver = control.driverOf(clock);
    const end = await runScript(own, driver, runContext, script, number, stop, () => clock.start());
    history.put(ended++, events);
    calls += own.client.calls;
    elapsedMs += driver.nowMs;
    failures = end.controlFailed ? failuresBefore + 1 : 0;
    progress.leftBehind.push(...end.leftBehind);
    progress.ended(number, script, end.reason);
  };
  const playOn = async (first: Planned[]): Promise<void> => {
    while (!stop.aborted) {
      const next = first.shift() ?? others.shift();
      if (next === undefined) return;
      await play(next);
    }
  };
  const lanes = Array.from({ length: concurrency }, (_, lane) =>
    playOn(heavy.filter((_kind, index) => index % concurrency === lane).flat()).catch((error: unknown) => {
      // An error of our own: the others come to their end first.
      failure.abort();
      throw error;
    }),
  );
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
  return progress.summary(elapsedMs);
}
