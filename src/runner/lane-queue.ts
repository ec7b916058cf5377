/**
 * Which lanes may move on, in which order: in rounds, in each of them in the order of the script. A lane that
 * cannot move is not looked at again until its time has come or something has happened to the job it waits for, so
 * that a step takes the same time in a script of any length.
 */
import { TimedHeap, type TimedEntry } from '../util/timed-heap.js';
import type { Lane } from './lanes.js';

interface Entry extends TimedEntry {
  readonly lane: Lane;
  atMs: number;
}

interface Entries {
  /** Its turn: `atMs` is the number of the round, `priority` the lane's position in the script. */
  readonly turn: Entry;
  readonly wake: Entry;
}

export class LaneQueue {
  readonly #turns = new TimedHeap<Entry>();
  readonly #wakes = new TimedHeap<Entry>();
  readonly #entries: ReadonlyMap<Lane, Entries>;
  /** Lanes that wait for a job, by its label. */
  readonly #waiting = new Map<string, Set<Lane>>();
  #round = 0;
  /** The position of the lane whose turn it is; -1 between rounds. */
  #position = -1;

  constructor(lanes: readonly Lane[]) {
    this.#entries = new Map(
      lanes.map((lane, position) => {
        const entry = (): Entry => ({ lane, atMs: 0, priority: position, seq: 0, index: -1 });
        return [lane, { turn: entry(), wake: entry() }];
      }),
    );
    for (const lane of lanes) this.mayMove(lane);
  }

  /** The earliest time at which a lane wakes; null when only a reply can move one on. */
  get nextWakeMs(): number | null {
    return this.#wakes.first?.atMs ?? null;
  }

  /** The lane gets a turn: in this round if its place in the order is still to come, or else in the next one. */
  mayMove(lane: Lane): void {
    const { turn } = this.#entries.get(lane)!;
    if (turn.index >= 0) return;
    turn.atMs = turn.priority > this.#position ? this.#round : this.#round + 1;
    this.#turns.add(turn);
  }

  wakeAt(lane: Lane, atMs: number): void {
    const { wake } = this.#entries.get(lane)!;
    this.#wakes.remove(wake);
    wake.atMs = atMs;
    this.#wakes.add(wake);
  }

  /** Something that concerns the job may have happened: the lanes that wait for it get a turn. */
  jobChanged(label: string): void {
    for (const lane of this.#waiting.get(label) ?? []) this.mayMove(lane);
  }

  /** As `jobChanged`, when it is unknown which job it concerns. */
  someJobChanged(): void {
    for (const label of this.#waiting.keys()) this.jobChanged(label);
  }

  /** The lane is given turns when this job changes, until its next turn. */
  waitFor(lane: Lane, label: string): void {
    lane.waitsFor = label;
    const others = this.#waiting.get(label);
    if (others === undefined) this.#waiting.set(label, new Set([lane]));
    else others.add(lane);
  }

  /** The lanes that wake by now get a turn. */
  wakeUntil(nowMs: number): void {
    for (let { first } = this.#wakes; first !== undefined && first.atMs <= nowMs; { first } = this.#wakes) {
      this.#wakes.remove(first);
      this.mayMove(first.lane);
    }
  }

  /** The next lane whose turn it is, which from now on neither sleeps nor waits; undefined when there is none. */
  next(): Lane | undefined {
    const { first } = this.#turns;
    if (first === undefined) {
      this.#round += 1;
      this.#position = -1;
      return undefined;
    }
    this.#turns.remove(first);
    this.#round = first.atMs;
    this.#position = first.priority;
    const { lane } = first;
    this.#wakes.remove(this.#entries.get(lane)!.wake);
    if (lane.waitsFor !== null) {
      const waiting = this.#waiting.get(lane.waitsFor)!;
      waiting.delete(lane);
      if (waiting.size === 0) this.#waiting.delete(lane.waitsFor);
      lane.waitsFor = null;
    }
    return lane;
  }
}
