import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'neither a purge nor busy workers of one endpoint touch the jobs of another',
  exercises: [
    '1/endpoints-isolated-purge',
    '1/endpoints-isolated-workers',
    '1/endpoints-isolated-health',
    '4.7/purged-jobs-never-run',
  ],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  neighbour: true,
  exclusive: true,
  script: (_, s) => [
    s.hog('here'),
    s.begins('here'),
    s.run('waits here', { plan: s.works(300) }),
    s.run('runs there', { plan: s.works(5_000), endpoint: s.neighbour }),
    s.run('waits there', { plan: s.works(300), endpoint: s.neighbour }),
    s.begins('runs there', { endpoint: s.neighbour }),
    s.health(),
    s.health({ endpoint: s.neighbour }),
    s.purge({ endpoint: s.neighbour }),
    s.status('waits here'),
    s.status('waits there', { endpoint: s.neighbour }),
    s.health(),
    s.health({ endpoint: s.neighbour }),
    s.cancel('here', { at: s.wait(1_000) }),
    s.await('waits here', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.await('runs there', s.ended, { withinMs: 60_000, everyMs: 250, endpoint: s.neighbour }),
    s.health(),
    s.health({ endpoint: s.neighbour }),
  ],
});
