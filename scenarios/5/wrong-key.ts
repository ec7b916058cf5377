import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with a key that is not valid, bare or after Bearer, every operation is answered with 401',
  script: (_, s) => [
    s.run('job'),
    (['wrong', 'wrong-bearer'] as const).map((auth) => [
      s.run(`refused-${auth}`, { auth }),
      s.runsync(`refused-sync-${auth}`, { auth }),
      s.status('job', { auth }),
      s.stream('job', { auth }),
      s.cancel('job', { auth }),
      s.retry('job', { auth }),
      s.health({ auth }),
    ]),
    s.status('job'),
  ],
});
