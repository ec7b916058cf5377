import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'whoever reads first after the end gets every chunk',
  exercises: [
    '4.4/chunks-after-end',
    '4.4/chunks-in-order',
    '4.4/chunks-not-lost',
    '4.4/chunks-not-duplicated',
  ],
  needs: ['scripted-worker'],
  draw: (arb) => ({
    chunks: arb.integer(1, 60),
    last: arb.oneOf({ return: 'end' } as const, { fail: 'at the end' } as const),
  }),
  script: ({ chunks, last }, s) =>
    (['run', 'runsync'] as const).map((op) => [
      s[op](`${op}-job`, {
        plan: [...Array.from({ length: chunks }, (_, i) => ({ stream: `chunk ${i}` })), last],
      }),
      s.await(`${op}-job`, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.stream(`${op}-job`),
      s.stream(`${op}-job`),
    ]),
});
