import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a worker that crashes fails its own job and no other',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 500, 5_000) }),
  script: ({ workMs }, s) => [
    s.run('beside', { plan: s.works(workMs + 3_000, 'untouched') }),
    s.run('doomed', {
      plan: [{ sleepMs: workMs }, { crash: true }],
      planOnRetry: [{ sleepMs: workMs }, { crash: true }],
    }),
    s.awaitStarted('doomed'),
    s.run('behind', { plan: s.works(200, 'untouched') }),
    s.await('doomed', s.ended, { withinMs: 4 * workMs + 270_000, everyMs: 1_000 }),
    s.retry('doomed'),
    s.status('doomed'),
    s.await('doomed', s.ended, { withinMs: 4 * workMs + 270_000, everyMs: 1_000 }),
    s.await('beside', s.ended, { everyMs: 500 }),
    s.await('behind', s.ended, { everyMs: 500 }),
    // What it had streamed by then is no result.
    s.run('streams', {
      plan: [{ stream: 'part' }, { sleepMs: 500 }, { crash: true }],
      planOnRetry: [{ stream: 'part' }, { sleepMs: 500 }, { crash: true }],
    }),
    s.await('streams', s.ended, { withinMs: 270_000, everyMs: 1_000 }),
  ],
});
