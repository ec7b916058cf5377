/** A script whose job lives for seven days, simulated and judged. */
import { createTestBed } from '../../src/test-bed/test-bed.js';
import { plainEnvironment } from '../../src/explore/environment.js';
import { EXPLORED_NEED } from '../../src/explore/explored.js';
import { finishScript } from '../../src/scenario/finish-script.js';
import type { Script } from '../../src/scenario/index.js';
import { measured } from './measured.js';

const DAY_MS = 86_400_000;
/** As many as the explorer runs in one environment and judges together. */
const SCRIPTS = 32;
const BATCHES = 16;

const testBed = createTestBed({ edition: 'document', mutant: null });
const environment = plainEnvironment(1);
const script = finishScript(
  { scenario: 'bench', title: 'a ttl of seven days', seed: 1, workers: 1, needs: EXPLORED_NEED },
  [
    {
      do: 'run',
      job: 'job',
      plan: [{ hang: true }],
      policy: { ttl: 7 * DAY_MS, executionTimeout: 7 * DAY_MS },
    },
    { do: 'status', job: 'job' },
    { do: 'status', job: 'job', at: { waitMs: 7 * DAY_MS - 10_000 } },
    { do: 'status', job: 'job', at: { waitMs: 20_000 } },
  ],
);

measured(SCRIPTS * BATCHES, () => {
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = testBed.run(Array<Script>(SCRIPTS).fill(script), environment);
    const { violations } = testBed.judge(events, environment);
    if (violations.length > 0) throw new Error(`the simulator violates ${violations[0]!.requirement}`);
  }
});
