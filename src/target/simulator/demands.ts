import type { Body, CallEvent, HistoryEvent } from '../../history/events.js';
import type { Script } from '../../scenario/script.js';
import { dryRun } from './dry-run.js';

/** What a script asks of a target far away, if that behaves like the simulator. */
export interface Demands {
  /** How many answers it waits for one after the other, those of test control included. */
  readonly roundTrips: number;
  /** How many of its calls are open at once. */
  readonly openMax: number;
  /** Of the largest body, sent or received. */
  readonly bytesMax: number;
}

/** Where the clock stops: the next event is asked for, and the clock is moved. */
const TRIPS_PER_STOP = 2;
/** Its endpoint is made, its clock is read, and the endpoint is removed. */
const TRIPS_PER_SCRIPT = 3;

export function demandsOf(script: Script): Demands {
  const { history } = dryRun(script);
  const calls = history.filter((event) => event.kind === 'call');
  const stops = new Set(history.flatMap(instantsOf)).size;
  return {
    roundTrips: rowOf(calls) + TRIPS_PER_STOP * stops + TRIPS_PER_SCRIPT,
    openMax: openMaxOf(calls),
    bytesMax: Math.max(
      0,
      ...calls.map(({ request, reply }) => Math.max(bytesOf(request.body), bytesOf(reply?.body))),
    ),
  };
}

function instantsOf(event: HistoryEvent): readonly number[] {
  if (event.kind === 'call') return [event.sentMs, event.receivedMs ?? event.sentMs];
  return event.kind === 'webhook' || event.kind === 'storage' ? [event.arrivedMs] : [];
}

/** How many calls are made one after the other. They come in the order in which they ended. */
function rowOf(calls: readonly CallEvent[]): number {
  let row = 0;
  let freeTick = 0;
  for (const { sentTick, endedTick } of calls) {
    if (sentTick < freeTick) continue;
    freeTick = endedTick ?? Infinity;
    row += 1;
  }
  return row;
}

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

const bytesOf = (body: Body | undefined): number =>
  body === undefined || body.as === 'none' ? 0 : body.bytes;
