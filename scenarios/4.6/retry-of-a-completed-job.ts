import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retry of a completed job is refused and deletes nothing',
  needs: ['scripted-worker'],
  script: (_, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        plan: [{ return: { kept: true } }],
        planOnRetry: [{ sleepMs: 1_000 }, { return: 'ran twice' }],
      }),
      s[op](`${op}-streamed`, { plan: [{ stream: 'kept' }, { return: 'end' }] }),
      s.await(`${op}-job`),
      s.await(`${op}-streamed`),
      s.retry(`${op}-streamed`),
      s.stream(`${op}-streamed`),
      s.stream(`${op}-streamed`),
      s.retry(`${op}-job`),
      s.status(`${op}-job`),
      s.status(`${op}-job`, { at: s.wait(3_000) }),
    ]),
});
