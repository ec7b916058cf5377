import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a retry of a completed job is refused and deletes nothing',
  script: (_, s) => [
    s.run('job'),
    s.await('job', s.ended, { everyMs: 1_000 }),
    s.status('job'),
    s.retry('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
