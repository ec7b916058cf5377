import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'which results remain of a job that streamed and then failed',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ stream: 'one' }, { stream: 'two' }, { fail: 'on purpose' }] }),
    s.await('job'),
    s.stream('job'),
    s.status('job'),
    s.run('dies', { plan: [{ stream: 'one' }, { stream: 'two' }, { crash: true }] }),
    s.await('dies', s.ended, { withinMs: 270_000, everyMs: 1_000 }),
  ],
});
