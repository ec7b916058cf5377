import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'without a key every operation is answered 401',
  exercises: [
    '5/missing-key-runsync',
    '5/missing-key-run',
    '5/missing-key-status',
    '5/missing-key-stream',
    '5/missing-key-cancel',
    '5/missing-key-retry',
    '5/missing-key-health',
    '5/unauthorized-reveals-nothing',
    '1/json-error-body-401',
    '1/json-error-content-type-401',
    '7/no-500-for-client-errors',
  ],
  script: (_, s) => [
    s.run('job'),
    s.run('refused', { auth: 'missing' }),
    s.runsync('refused too', { auth: 'missing' }),
    s.status('job', { auth: 'missing' }),
    s.stream('job', { auth: 'missing' }),
    s.cancel('job', { auth: 'missing' }),
    s.retry('job', { auth: 'missing' }),
    // No purge: a service that accepted it would empty a queue that may be shared. See
    // refused-calls-change-nothing.
    s.health({ auth: 'missing' }),
    s.status('job'),
  ],
});
