import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job cancelled while it runs stops, streams nothing more, and frees its worker',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb) => ({ afterMs: arb.integer(0, 2_500) }),
  script: ({ afterMs }, s, { marginMs }) => [
    s.run('job', {
      plan: [
        ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => [{ stream: n }, { sleepMs: 1_000 }] as const),
        { return: 'too late' },
      ],
    }),
    s.awaitStarted('job'),
    s.run('next', { plan: s.works(200) }),
    s.cancel('job', { at: s.wait(afterMs) }),
    s.status('job'),
    s.stream('job'),
    // A worker that restarts may need a minute.
    s.await('next', s.ended, { withinMs: 90_000, everyMs: 250 }),
    // Long enough after the cancellation that no earlier chunk can still be on its way.
    s.stream('job', { at: s.wait(8_000 + marginMs) }),
    s.status('job'),
  ],
});
