import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'which results remain of a job that streamed and then failed',
  exercises: ['3/handler-error-fails-run', '4.4/chunks-not-invented'],
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', { plan: [{ stream: 'one' }, { stream: 'two' }, { fail: 'on purpose' }] }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.stream('job'),
    s.status('job'),
    s.run('dies', { plan: [{ stream: 'one' }, { stream: 'two' }, { crash: true }] }),
    s.await('dies', s.ended, { withinMs: 270_000, everyMs: 1_000 }),
  ],
});
