import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of a completed job is refused and deletes nothing',
  exercises: [
    '4.6/no-effect-on-completed',
    '4.6/refused-for-completed',
    '3/completed-stays',
    '4.3/reading-does-not-consume',
    '4.4/chunks-not-lost',
  ],
  needs: ['scripted-worker'],
  script: (_, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        plan: [{ return: { kept: true } }],
        planOnRetry: [{ sleepMs: 1_000 }, { return: 'ran twice' }],
      }),
      s[op](`${op}-streamed`, { plan: [{ stream: 'kept' }, { return: 'end' }] }),
      s.await(`${op}-job`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.await(`${op}-streamed`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.retry(`${op}-streamed`),
      s.stream(`${op}-streamed`),
      s.stream(`${op}-streamed`),
      s.retry(`${op}-job`),
      s.status(`${op}-job`),
      s.status(`${op}-job`, { at: s.wait(3_000) }),
    ]),
});
