/** What judging holds in memory while an endpoint lives through many jobs of many scripts. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { onSharedEndpoint } from './histories.js';
import type { HistoryEvent } from '../src/history/events.js';
import { judge } from '../src/oracle/index.js';

export interface Retained {
  /** Held by judging at several points, what simulating holds set aside. */
  readonly points: readonly { readonly jobs: number; readonly judgingBytes: number }[];
  /** By how much that grew per job from the first point to the last. */
  readonly bytesPerJob: number;
}

const POINTS = 5;

export function retained(jobs: number): Retained {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heaps = (consume: (events: Iterable<HistoryEvent>) => unknown): readonly number[] => {
    const bytes: number[] = [];
    const note = (): void => {
      collect();
      bytes.push(process.memoryUsage().heapUsed);
    };
    consume(noting(onSharedEndpoint(jobs), jobs / POINTS, note));
    return bytes;
  };
  heaps(judge);
  const idle = heaps((events) => {
    for (const _ of events);
  });
  const points = heaps(judge).map((bytes, index) => ({
    jobs: ((index + 1) * jobs) / POINTS,
    judgingBytes: bytes - idle[index]!,
  }));
  const [first, last] = [points[0]!, points.at(-1)!];
  const bytesPerJob = Math.round((last.judgingBytes - first.judgingBytes) / (last.jobs - first.jobs));
  return { points, bytesPerJob };
}

/** Passes the events on, and notes when so many more scripts, of one job each, are over. */
function* noting(events: Iterable<HistoryEvent>, every: number, note: () => void): Iterable<HistoryEvent> {
  let over = 0;
  for (const event of events) {
    yield event;
    if (event.kind !== 'script-end') continue;
    over += 1;
    if (over % every === 0) note();
  }
}
