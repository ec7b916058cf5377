import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'chunks can be read while the job produces them, in order and without loss',
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
