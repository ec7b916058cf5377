import { scenario } from '../../src/scenario/index.js';
import { RATES, RATE_WINDOW_MS } from '../../src/spec/rates.js';

const FEW = RATES['purge-queue']!.requests + 1;
const CANCELS = RATES.cancel!.requests;

/** What uses up one limit uses up nothing of another: the calls of others come first, then one that must be let in. */
export default scenario.each({ needs: ['dedicated'], workers: 0, exclusive: true }, (one) => ({
  'a-rate-and-few-calls-of-others': one({
    title: 'calls of other operations do not use up the two purges',
    script: (_, s) => {
      const jobs = Array.from({ length: FEW }, (__, index) => `job-${index}`);
      return [
        s.run(jobs),
        s.runsync(['sync-1', 'sync-2', 'sync-3'], { wait: 1_000 }),
        s.status(jobs),
        s.stream(jobs),
        s.cancel(jobs),
        s.health(),
        s.purge(),
        s.purge(),
      ];
    },
  }),
  'a-rate-and-many-calls-of-others': one({
    title: 'a hundred calls of each other operation do not use up the cancels',
    needs: ['dedicated', 'load-allowed'],
    script: (_, s) => [
      s.run('job'),
      // What was called before the run is out of its window by then.
      s.pause(s.wait(2 * RATE_WINDOW_MS + 1)),
      s.burst('status', CANCELS, { job: 'job' }),
      s.burst('stream', CANCELS, { job: 'job' }),
      s.burst('run', CANCELS),
      s.burst('runsync', CANCELS, { wait: 1_000 }),
      // Behind all of them.
      s.run('last'),
      s.burst('health', CANCELS),
      s.cancel('job'),
      s.status('last'),
      s.purge(),
      s.status('last'),
    ],
  }),
}));
