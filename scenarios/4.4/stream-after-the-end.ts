import type { PlanStep } from '../../src/scenario/script.js';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the first read after the end returns every chunk',
  needs: ['scripted-worker'],
  draw: (arb) => ({ chunks: arb.integer(1, 60) }),
  script: ({ chunks }, s) =>
    (['run', 'runsync'] as const).map((op) =>
      [
        { ends: 'done', last: { return: 'end' }, count: chunks },
        { ends: 'failed', last: { fail: 'at the end' }, count: chunks },
        { ends: 'long', last: { return: 'end' }, count: 1_100 },
      ].map(({ ends, last, count }) => [
        s[op](`${op}-${ends}`, {
          plan: [...Array.from({ length: count }, (_, i) => ({ stream: `chunk ${i}` })), last as PlanStep],
        }),
        s.await(`${op}-${ends}`),
        s.stream(`${op}-${ends}`),
        s.stream(`${op}-${ends}`),
      ]),
    ),
});
