import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'without a key every operation is answered with 401',
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
