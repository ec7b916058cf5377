import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that returns null or a falsy value does not show the output of the previous job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) =>
    [null, 0, false, '', {}, []].map((nothing, i) => [
      s.run(`something-${i}`, { plan: [{ return: { of: `something ${i}` } }] }),
      s.await(`something-${i}`),
      s.run(`nothing-${i}`, { plan: [{ return: nothing }] }),
      s.await(`nothing-${i}`),
    ]),
});
