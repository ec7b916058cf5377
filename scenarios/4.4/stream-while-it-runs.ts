import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'chunks can be read while the job produces them, in order and without loss',
  exercises: [
    '4.4/chunks-while-running',
    '4.4/chunks-in-order',
    '4.4/chunks-not-lost',
    '4.4/chunks-not-duplicated',
    '4.4/chunks-not-invented',
    '4.4/chunks-after-end',
    '4.4/answer-is-array',
    '2.5/chunk-output-unchanged',
    '4/operation-stream',
  ],
  needs: ['scripted-worker'],
  draw: (arb) => ({ chunks: arb.integer(2, 12), pauseMs: arb.integer(200, 2_000) }),
  script: ({ chunks, pauseMs }, s) => [
    s.run('job', {
      plan: [
        ...Array.from(
          { length: chunks },
          (_, i) => [{ stream: { n: i } }, { sleepMs: pauseMs }] as const,
        ).flat(),
        { return: 'end' },
      ],
    }),
    s.awaitStarted('job'),
    Array.from({ length: Math.ceil(chunks / 2) }, () =>
      s.stream('job', { at: s.wait(Math.floor(pauseMs * 1.5)) }),
    ),
    s.await('job', s.ended, { withinMs: chunks * pauseMs + 60_000, everyMs: 1_000 }),
    s.stream('job'),
    s.stream('job'),
  ],
});
