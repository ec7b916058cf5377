import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'with a key that is not valid, bare or after Bearer, every operation is answered 401',
  exercises: [
    '5/wrong-key-runsync',
    '5/wrong-key-run',
    '5/wrong-key-status',
    '5/wrong-key-stream',
    '5/wrong-key-cancel',
    '5/wrong-key-retry',
    '5/wrong-key-health',
    '5/unauthorized-reveals-nothing',
    '1/json-error-body-401',
    '1/json-error-content-type-401',
  ],
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
