import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'without the key nothing is told of what a job has produced',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ stream: { secret: 'streamed' } }, { return: { secret: 'returned' } }] }),
    s.await('job'),
    (['missing', 'wrong', 'wrong-bearer'] as const).map((auth) => [
      s.status('job', { auth }),
      s.stream('job', { auth }),
      s.cancel('job', { auth }),
      s.retry('job', { auth }),
    ]),
    s.status('job'),
  ],
});
