import { scenario } from '../../src/scenario/index.js';
import { RUN_PAYLOAD_MAX } from '../../src/spec/limits.js';

const TWICE = { plan: [{ fail: 'once' }], planOnRetry: [{ return: { second: 'run' } }] };

export default scenario({
  title: 'the second run is given a large input, too',
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  script: (_, s) => [
    // Beyond what a message of many queues takes, and as much as a submission may have.
    s.run('large', { input: TWICE, padToBytes: 300_000 }),
    s.await('large'),
    s.retry('large'),
    s.await('large'),
    s.run('largest', { input: TWICE, padToBytes: RUN_PAYLOAD_MAX.decimalBytes }),
    s.await('largest'),
    s.retry('largest'),
    s.await('largest'),
  ],
});
