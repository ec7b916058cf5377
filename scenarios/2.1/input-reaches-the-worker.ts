import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the handler receives the input as it was sent, and its result comes back unchanged',
  needs: ['scripted-worker'],
  draw: (arb) => ({ input: arb.jsonObject() }),
  script: ({ input }, s) => [
    s.run('job', { input: { ...input, plan: [{ echo: true }] } }),
    s.await('job'),
    s.runsync('sync', { input: { ...input, plan: [{ echo: true }] } }),
    s.status('sync'),
  ],
});
