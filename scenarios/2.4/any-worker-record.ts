import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with any worker, the record of a completed job is complete and the same at each read',
  script: (_, s) => [
    s.run('job'),
    s.status('job'),
    s.await('job', s.ended, { everyMs: 1_000 }),
    s.status('job', { at: s.wait(2_000) }),
    s.status('job'),
    s.runsync('sync'),
    s.status('sync'),
    s.status('sync', { at: s.wait(2_000) }),
  ],
});
