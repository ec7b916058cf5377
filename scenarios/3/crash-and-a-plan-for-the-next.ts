import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job whose worker crashes fails, or another worker completes it',
  needs: ['scripted-worker', 'test-control'],
  script: (_, s) => [
    s.run('again', { plan: [{ sleepMs: 500 }, { crash: true }], planOnRetry: [{ return: 'second' }] }),
    s.await('again', s.ended, { withinMs: 120_000, everyMs: 1_000 }),
    s.runsync('waits', { plan: [{ sleepMs: 500 }, { crash: true }], wait: 120_000 }),
  ],
});
