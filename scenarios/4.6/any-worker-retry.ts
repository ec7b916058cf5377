import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, a retry of a completed job is refused and deletes nothing',
  exercises: ['4.6/no-effect-on-completed', '4.6/refused-for-completed', '3/completed-stays'],
  script: (_, s) => [
    s.run('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.status('job'),
    s.retry('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
