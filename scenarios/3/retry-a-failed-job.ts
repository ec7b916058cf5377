import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a failed job that is retried waits, runs again and ends as its new run ends',
  onlyWith: {
    '4.6/retried-job-runs': { needs: ['worker-count-known'] },
    '4.6/keeps-input': { needs: ['worker-count-known'] },
  },
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ workMs: arb.sleep(limits, 500, 5_000), laterMs: arb.sleep(limits, 0, 20_000) }),
  script: ({ workMs, laterMs }, s) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(workMs, { run: 2 }) }),
    s.run('again', { plan: [{ sleepMs: workMs }, { fail: 'each time' }] }),
    s.await(['job', 'again'], s.ended, { withinMs: workMs + 60_000, everyMs: 250 }),
    // A job whose runs are alike and take some time shows whether it ran again, and which run the worker
    // takes it for.
    s.retry('again'),
    s.status('again'),
    s.await('again', s.ended, { withinMs: workMs + 60_000, everyMs: 500 }),
    s.retry('job', { at: s.wait(laterMs) }),
    s.status('job'),
    s.awaitStarted('job'),
    s.await('job', s.ended, { withinMs: workMs + 60_000, everyMs: 500 }),
  ],
});
