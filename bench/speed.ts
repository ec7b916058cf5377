/** What judging one history costs beside simulating it, measured in a thread of its own, such as those of `explore`. */
import { parentPort, workerData } from 'node:worker_threads';
import { judge } from '../src/oracle/index.js';
import { costMs, explored, onManyScripts, onOneEndpoint, type Recorded } from './histories.js';

export interface Speed {
  readonly name: string;
  readonly calls: number;
  readonly jobs: number;
  readonly simulatedMs: number;
  readonly judgedMs: number;
  /** The median; and the best. */
  readonly perSecond: number;
  readonly bestPerSecond: number;
  readonly ratio: number;
}

export const REPEATS = 9;
/** Observations judged before those that count: until then the compiler is at work, too, on the same clock. */
export const WARM_UP = 400_000;

function measure({ name, events, calls, jobs, simulatedMs }: Recorded): Speed {
  const round = (): number => costMs(() => judge(events));
  for (let judged = 0; judged < WARM_UP; judged += calls) round();
  const costs = Array.from({ length: REPEATS }, round).sort((a, b) => a - b);
  const judgedMs = costs[REPEATS >> 1]!;
  const perSecond = Math.round((calls / judgedMs) * 1000);
  const ratio = judgedMs / simulatedMs;
  const bestPerSecond = Math.round((calls / costs[0]!) * 1000);
  return { name, calls, jobs, simulatedMs, judgedMs, perSecond, bestPerSecond, ratio };
}

const HISTORIES = {
  explored,
  'one-endpoint': (jobs: number) => onOneEndpoint(jobs, 4),
  'many-scripts': onManyScripts,
};

export interface Wanted {
  readonly history: keyof typeof HISTORIES;
  readonly size: number;
}

if (parentPort !== null) {
  const { history, size } = workerData as Wanted;
  parentPort.postMessage(measure(HISTORIES[history](size)));
}
