/** How many workers an endpoint has by its `/health`, whatever it takes for running. */
import { expect, test } from 'vitest';
import { askWorkerCounts } from '../../src/target/http/probes/worker-counts.js';
import type { CapabilityProbe } from '../../src/target/http/probes/capability-probe.js';

test.each([
  ['each is idle or running', { idle: 2, running: 1 }, { inProgress: 1 }, 3],
  ['a worker runs several jobs', { idle: 2, running: 1 }, { inProgress: 4 }, 3],
  ['all that are up are counted as running', { idle: 3, running: 3 }, { inProgress: 0 }, 3],
  ['all that are up, while one has a job', { idle: 2, running: 3 }, { inProgress: 1 }, 3],
  ['jobs are not counted', { idle: 2, running: 1 }, {}, 3],
  ['workers are not counted', {}, { inProgress: 1 }, null],
])('%s', async (_, workers, jobs, atWork) => {
  const text = JSON.stringify({ workers, jobs });
  const probe = { ask: () => Promise.resolve({ reply: { status: 200, text } }) };
  expect((await askWorkerCounts(probe as unknown as CapabilityProbe, null)).atWork).toBe(atWork);
});
