import { describe, expect, it } from 'vitest';
import { LaneQueue } from '../../src/runner/lane-queue.js';
import { lanesOf } from '../../src/runner/lanes.js';

const lanes = (...names: readonly string[]) =>
  lanesOf(names.map((lane) => ({ do: 'run', job: lane, lane }) as const));

/** The names of the lanes that get a turn, in order; `act` happens in the turn of each. */
function turns(queue: LaneQueue, act: (name: string, count: number) => void = () => undefined): string {
  const names: string[] = [];
  for (let lane = queue.next(); lane !== undefined; lane = queue.next()) {
    names.push(lane.name);
    act(lane.name, names.length);
  }
  return names.join(' ');
}

describe('the lanes of a script', () => {
  it('each get a turn at first, in order, and none afterwards', () => {
    const queue = new LaneQueue(lanes('a', 'b', 'c'));
    expect(turns(queue)).toBe('a b c');
    expect(turns(queue)).toBe('');
  });

  it('that move on get their next turn after the others had theirs', () => {
    const all = lanes('a', 'b', 'c');
    const queue = new LaneQueue(all);
    expect(turns(queue, (_, count) => count === 1 && queue.mayMove(all[0]!))).toBe('a b c a');
  });

  it('that wait for a job get a turn when it changes: those that come later still in the same round', () => {
    const all = lanes('a', 'b', 'c');
    const queue = new LaneQueue(all);
    turns(queue);
    queue.waitFor(all[0]!, 'job');
    queue.waitFor(all[2]!, 'job');
    queue.mayMove(all[1]!);
    expect(turns(queue, (name) => name === 'b' && queue.jobChanged('job'))).toBe('b c a');
    queue.jobChanged('job');
    expect(turns(queue)).toBe('');
  });

  it('that sleep get a turn at their time, in the order of the script', () => {
    const all = lanes('a', 'b', 'c');
    const queue = new LaneQueue(all);
    turns(queue);
    queue.wakeAt(all[2]!, 10);
    queue.wakeAt(all[0]!, 20);
    queue.wakeAt(all[1]!, 30);
    expect(queue.nextWakeMs).toBe(10);
    queue.wakeUntil(20);
    queue.mayMove(all[1]!);
    expect(turns(queue)).toBe('a b c');
    expect(queue.nextWakeMs).toBeNull();
  });
});
