/**
 * Many jobs live at once: their records are kept, and their timers run.
 * usage: live-jobs.js time|memory LIVE
 * `time`: submits, runs and deletes further jobs while so many live; `memory`: prints the bytes that each of them takes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createService } from '../../src/core/service.js';
import { RUN_RETENTION_MS } from '../../src/spec/limits.js';
import { measured, print } from './measured.js';

const [how = 'time', count = '1000'] = process.argv.slice(2);
const live = Number(count);
const JOBS = 100_000;
const SUBMISSION = {
  input: {},
  webhook: null,
  s3Config: null,
  policy: { executionTimeoutMs: null, lowPriority: null, ttlMs: null },
};

/** Each job completes at once and is kept for its retention: at this pace so many are kept at a time. */
const paceMs = RUN_RETENTION_MS / live;

function createEndpoint(): (jobs: number) => void {
  const service = createService({ keys: [], endpoints: [{ id: 'e', workers: 1 }] });
  const output = { kind: 'success', output: null } as const;
  let submitted = 0;
  return (jobs) => {
    for (const until = submitted + jobs; submitted < until; submitted++) {
      const atMs = Math.round(submitted * paceMs);
      const { effects } = service.apply(atMs, { kind: 'submit', endpoint: 'e', submission: SUBMISSION });
      for (const effect of effects)
        if (effect.kind === 'start')
          service.apply(atMs, { kind: 'worker', attempt: effect.attempt, report: output });
    }
  };
}

if (how === 'memory') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapBytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  createEndpoint()(1_000);
  const before = heapBytes();
  const complete = createEndpoint();
  complete(live);
  const bytes = heapBytes() - before;
  complete(1);
  print(live, bytes);
} else {
  const complete = createEndpoint();
  complete(live);
  measured(JOBS, () => complete(JOBS));
}
