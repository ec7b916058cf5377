import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'equal consecutive results are each delivered',
  needs: ['scripted-worker'],
  draw: (arb) => ({ times: arb.integer(2, 14), pauseMs: arb.integer(0, 300) }),
  script: ({ times, pauseMs }, s) => [
    ['word', { token: 'word' }, 0].map((result, i) => [
      s.run(`job-${i}`, {
        plan: [
          { stream: 'first' },
          ...Array.from({ length: times }, () => [{ stream: result }, { sleepMs: pauseMs }] as const).flat(),
          { stream: 'last' },
        ],
      }),
      s.await(`job-${i}`, s.ended, { everyMs: 500 }),
      s.stream(`job-${i}`),
      s.stream(`job-${i}`),
    ]),
  ],
});
