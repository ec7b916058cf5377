import { setMaxListeners } from 'node:events';
import { CONTROL_FAILED, type Body, type CallEvent, type HistoryEvent } from '../../history/events.js';
import type { HistorySink, RunOptions, RunSummary } from '../port.js';
import { createScriptRunner } from '../../runner/script-runner.js';
import type { Script, Step } from '../../scenario/script.js';
import { joinedStarts, type CallsInARow } from '../../schedule/joined-starts.js';
import { ProgressCounter } from '../progress-counter.js';
import { dryRunInSlots } from '../simulator/dry-run.js';
import { inSlots, SLOT_MS, slotFrom } from '../session/slots.js';
import type { ClockControl } from './clock-control.js';
import { CONNECTIONS_MAX } from './connection.js';
import { FAILURES_MAX, runScript } from './controlled-run.js';
import { SharedClock } from './shared-clock.js';
import { runContextOf, type TargetContext } from './target-context.js';
import { Turns } from './turns.js';

/** Calls that may be open at once, of all scripts that are busy: no more than there are connections. */
const TURNS = CONNECTIONS_MAX;
/** Bytes of the largest body that count as much as a call. */
const BYTES_A_TURN = 3_000;

interface Planned {
  readonly script: Script;
  readonly number: number;
  /** When something happens in it, if the target behaves like the simulator. */
  readonly rows: CallsInARow;
  /** How many of its calls are open at once. */
  readonly openMax: number;
  /** Turns that it takes up while it is busy. */
  readonly weight: number;
  /** It stops at the events of all scripts: a reply or a webhook call may come of each. */
  readonly watches: boolean;
  /** It holds calls back together: each of them needs a connection at once. */
  readonly holds: boolean;
}

/**
 * Runs scripts under one controlled clock, each on endpoints of its own: first those that only look when they want
 * to, so that the others need not stop at their events. Those that hold calls back come last, as many at once as all
 * of their calls have connections: the waiting calls of others would leave them too few.
 */
export async function runSideBySide(
  context: TargetContext,
  control: ClockControl,
  scripts: readonly Script[],
  sink: HistorySink,
  options: RunOptions,
): Promise<RunSummary> {
  const run = new SideBySideRun(context, control, sink, options, scripts.length);
  const planned = scripts.map((script, index) => planOf(script, (options.firstScript ?? 0) + index));
  const startMs = control.clock.nowMs;
  await run.play(planned.filter(({ watches, holds }) => !watches && !holds));
  await run.play(planned.filter(({ watches, holds }) => watches && !holds));
  for (const some of withinConnections(planned.filter(({ holds }) => holds))) await run.play(some);
  return run.progress.summary(control.clock.nowMs - startMs);
}

class SideBySideRun {
  readonly progress: ProgressCounter;
  readonly #context: TargetContext;
  readonly #control: ClockControl;
  readonly #runContext: ReturnType<typeof runContextOf>;
  /** What a script takes up at least, so that no more of them are busy at once than is wanted. */
  readonly #turnsLeast: number;
  readonly #failure = new AbortController();
  readonly #signal: AbortSignal;
  #error: { readonly error: unknown } | null = null;
  #controlFailures = 0;

  constructor(
    context: TargetContext,
    control: ClockControl,
    sink: HistorySink,
    options: RunOptions,
    total: number,
  ) {
    this.#context = context;
    this.#control = control;
    this.#runContext = runContextOf(context, sink, inSlots(options.createRunner ?? createScriptRunner));
    this.progress = new ProgressCounter(options, total, () => context.client.calls);
    const { signal, concurrency = TURNS } = options;
    this.#turnsLeast = Math.ceil(TURNS / concurrency);
    this.#signal =
      signal === undefined ? this.#failure.signal : AbortSignal.any([signal, this.#failure.signal]);
    // Every script listens to it.
    setMaxListeners(0, this.#signal);
  }

  async play(planned: readonly Planned[]): Promise<void> {
    if (this.#signal.aborted) return;
    const zeroMs = slotFrom(this.#control.clock.nowMs);
    const starts = joinedStarts(
      planned.map(({ rows }) => rows),
      SLOT_MS,
    );
    const shared = new SharedClock(this.#control.clock, new Turns(TURNS));
    const interrupt = (): void => shared.interrupt();
    this.#signal.addEventListener('abort', interrupt);
    // All of them join before the clock moves.
    const members = planned.map(({ weight }) => shared.join(Math.max(this.#turnsLeast, weight)));
    await Promise.all(
      planned.map(async ({ script, number }, index) => {
        const member = members[index]!;
        const driver = this.#control.driverOf(member, planned.length);
        await member.begin();
        if (this.#signal.aborted) return member.leave();
        if (this.#controlFailures >= FAILURES_MAX) {
          member.leave();
          this.progress.started(number, script);
          return this.progress.ended(number, script, CONTROL_FAILED);
        }
        const begin = async (): Promise<void> => {
          await member.advanceTo(zeroMs + starts[index]!, true);
          this.progress.started(number, script);
        };
        try {
          const end = await runScript(
            this.#context,
            driver,
            this.#runContext,
            script,
            number,
            this.#signal,
            begin,
            () => member.leave(),
          );
          this.#controlFailures = end.controlFailed ? this.#controlFailures + 1 : 0;
          this.progress.leftBehind.push(...end.leftBehind);
          this.progress.ended(number, script, end.reason);
        } catch (error) {
          // An error of our own: the others come to their end first.
          this.#error ??= { error };
          this.#failure.abort();
        }
      }),
    );
    this.#signal.removeEventListener('abort', interrupt);
    if (this.#error !== null) throw (this.#error as { readonly error: unknown }).error;
  }
}

function planOf(script: Script, number: number): Planned {
  const history = dryRunInSlots(script);
  const startMs = history.find((event) => event.kind === 'script')?.atMs ?? 0;
  const calls = history.filter((event) => event.kind === 'call');
  const rows = rowsOf(calls);
  const openMax = openMaxOf(calls);
  for (const event of history) for (const instant of endsOf(event)) rows.set(instant, rows.get(instant) ?? 0);
  return {
    script,
    number,
    rows: new Map([...rows].map(([instant, count]) => [instant - startMs, count])),
    openMax,
    weight: Math.max(1, openMax) + Math.floor(bytesMaxOf(calls) / BYTES_A_TURN),
    holds: script.steps.some((step) => step.do === 'burst' && step.held === true),
    watches:
      calls.some(({ op, sentMs, receivedMs }) => op === 'runsync' || receivedMs !== sentMs) ||
      script.steps.some(expectsCalls),
  };
}

/** How many calls are made at each instant one after the other. Calls come in the order in which they ended. */
function rowsOf(calls: readonly CallEvent[]): Map<number, number> {
  const rows = new Map<number, number>();
  const endedTicks = new Map<number, number>();
  for (const { sentMs, sentTick, endedTick } of calls) {
    if (sentTick < (endedTicks.get(sentMs) ?? 0)) continue;
    endedTicks.set(sentMs, endedTick ?? Infinity);
    rows.set(sentMs, (rows.get(sentMs) ?? 0) + 1);
  }
  return rows;
}

/** When something happens without a call. */
function endsOf(event: HistoryEvent): readonly number[] {
  if (event.kind === 'call') return event.receivedMs === null ? [] : [event.receivedMs];
  return event.kind === 'webhook' || event.kind === 'storage' ? [event.arrivedMs] : [];
}

/** The target will call the webhook receiver. */
function expectsCalls(step: Step): boolean {
  return (
    ('webhook' in step && step.webhook !== undefined) || ('ownStorage' in step && step.ownStorage === true)
  );
}

/** In groups whose calls all have connections at once. */
function withinConnections(planned: readonly Planned[]): readonly (readonly Planned[])[] {
  const groups: { openMax: number; members: Planned[] }[] = [];
  for (const one of planned) {
    let group = groups.find(({ openMax }) => openMax + one.openMax <= CONNECTIONS_MAX);
    if (group === undefined) groups.push((group = { openMax: 0, members: [] }));
    group.openMax += one.openMax;
    group.members.push(one);
  }
  return groups.map(({ members }) => members);
}

/** How many calls are open at once. */
function openMaxOf(calls: readonly CallEvent[]): number {
  let open = 0;
  let openMax = 0;
  const ticks = calls.flatMap(({ sentTick, endedTick }) => [
    [sentTick, 1] as const,
    [endedTick ?? Infinity, -1] as const,
  ]);
  for (const [, change] of ticks.sort(([a], [b]) => a - b)) {
    open += change;
    openMax = Math.max(openMax, open);
  }
  return openMax;
}

function bytesMaxOf(calls: readonly CallEvent[]): number {
  return Math.max(
    0,
    ...calls.map(({ request, reply }) => Math.max(bytesOf(request.body), bytesOf(reply?.body))),
  );
}

const bytesOf = (body: Body | undefined): number =>
  body === undefined || body.as === 'none' ? 0 : body.bytes;
