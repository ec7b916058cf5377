import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the key is accepted bare and after Bearer, at every operation',
  script: (_, s) =>
    (['bare', 'bearer'] as const).map((auth) => [
      s.run(`job-${auth}`, { auth }),
      s.status(`job-${auth}`, { auth }),
      s.stream(`job-${auth}`, { auth }),
      s.runsync(`sync-${auth}`, { auth }),
      s.cancel(`job-${auth}`, { auth }),
      s.retry(`job-${auth}`, { auth }),
      s.health({ auth }),
    ]),
});
