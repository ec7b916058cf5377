import type { HistoryEvent } from '../../history/events.js';
import type { Player } from '../../runner/player-api.js';
import type { Script } from '../../scenario/script.js';
import { RATES } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import type { CreatePlayer } from '../port.js';
import { simulatorTarget } from '../simulator/simulator-target.js';
import { clearAfterMs } from './allowance.js';

/** What a script will probably do, as the simulator answers it. All times are from its beginning, in ms. */
export interface Rehearsal {
  readonly lastsMs: number;
  readonly calls: number;
  /** More of its jobs are alive at once than it wants workers: some of them wait in the queue. */
  readonly queues: boolean;
  /** When each operation is called first. */
  readonly firstMs: ReadonlyMap<Operation, number>;
  /** How long each operation's rate is used up by it; nothing for those that it hardly uses. */
  readonly usedUpUntilMs: ReadonlyMap<Operation, number>;
}

/** Plays the script in virtual time, which takes a few ms. A real target answers otherwise; for a plan it will do. */
export function rehearse(script: Script, createPlayer: CreatePlayer): Rehearsal {
  let aliveMax = 0;
  const watching: CreatePlayer = (one, context) => {
    const player = createPlayer(one, context);
    return watched(player, () => (aliveMax = Math.max(aliveMax, player.openJobs().length)));
  };
  const events: HistoryEvent[] = [];
  const sink = { append: (event: HistoryEvent) => void events.push(event) };
  simulatorTarget({ seed: script.seed }).playSync([script], sink, { createPlayer: watching });
  const startMs = events.find((event) => event.kind === 'script')?.atMs ?? 0;
  const endMs = events.find((event) => event.kind === 'script-end')?.atMs ?? startMs;
  const times = timesByOperation(events, startMs);
  const calls = events.filter((event) => event.kind === 'call').length;
  return {
    lastsMs: endMs - startMs,
    calls,
    queues: aliveMax > script.workers,
    firstMs: new Map([...times].map(([op, list]) => [op, list[0] ?? 0])),
    usedUpUntilMs: new Map(
      [...times].flatMap(([op, list]) => {
        const untilMs = clearAfterMs(op, list);
        return untilMs === null ? [] : [[op, untilMs] as const];
      }),
    ),
  };
}

function timesByOperation(
  events: readonly HistoryEvent[],
  startMs: number,
): ReadonlyMap<Operation, readonly number[]> {
  const times = new Map<Operation, number[]>();
  for (const event of events) {
    if (event.kind !== 'call' || event.op === null || RATES[event.op] === null) continue;
    const list = times.get(event.op) ?? [];
    times.set(event.op, list);
    list.push(event.sentMs - startMs);
  }
  for (const list of times.values()) list.sort((a, b) => a - b);
  return times;
}

function watched(player: Player, look: () => void): Player {
  return {
    due: (nowMs) => player.due(nowMs),
    nextWakeMs: () => player.nextWakeMs(),
    arrived: (call, byMs) => player.arrived(call, byMs),
    replied: (call, outcome) => {
      player.replied(call, outcome);
      look();
    },
    workersChanged: (lane, nowMs) => player.workersChanged(lane, nowMs),
    get done() {
      return player.done;
    },
    openJobs: () => player.openJobs(),
  };
}
