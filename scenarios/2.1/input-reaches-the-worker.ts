import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the handler receives the input as it was sent, and its result comes back unchanged',
  exercises: [
    '2.1/input-reaches-worker-run',
    '2.1/input-reaches-worker-runsync',
    '2.1/input-nested-unchanged',
    '2.1/input-content-not-validated',
    '2.4/output-in-status',
    '2.4/output-in-runsync',
  ],
  needs: ['scripted-worker'],
  draw: (arb) => ({ input: arb.jsonObject() }),
  script: ({ input }, s) => [
    s.run('job', { input: { ...input, plan: [{ echo: true }] } }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.runsync('sync', { input: { ...input, plan: [{ echo: true }] } }),
    s.status('sync'),
  ],
});
