import { scenario, type StepTree, type Steps } from '../../src/scenario/index.js';

/** How the previous job ends by itself. */
const ENDS = { returned: { return: 1 }, failed: { fail: 'broken' }, overran: { hang: true } } as const;

export default scenario({
  title: 'however its last job ended, a worker takes one job, and the next one waits',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    Object.entries(ENDS).map(([before, end]) => [
      s.run(before, { plan: [end], policy: { ...s.noTimeouts, executionTimeout: 5_000 } }),
      s.await(before, s.ended, { everyMs: 500 }),
      s.cancel(before),
      oneAtATime(s, before),
    ]),
    s.blocker('cancelled'),
    s.awaitStarted('cancelled'),
    // Two at once and another one: together they must free one worker only.
    s.burst('cancel', 2, { job: 'cancelled' }),
    s.cancel('cancelled'),
    oneAtATime(s, 'cancelled'),
  ],
});

function oneAtATime(s: Steps, before: string): readonly StepTree[] {
  const [first, second] = [`first after ${before}`, `second after ${before}`];
  return [
    s.blocker(first),
    s.await(first, ['IN_PROGRESS', ...s.ended], { withinMs: 120_000, everyMs: 250 }),
    s.blocker(second),
    s.status(second, { at: s.wait(3_000) }),
    s.cancel(first, { at: s.wait(1_000) }),
    s.awaitStarted(second),
    s.cancel(second),
  ];
}
