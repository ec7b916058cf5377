import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the worker of a job that its executionTimeout has ended takes the next job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ timeoutMs: arb.executionTimeout(limits), marginMs: arb.margin(limits) }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.run('first', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
    s.awaitStarted('first'),
    s.run('next', { plan: s.works(300), policy: s.noTimeouts }),
    s.status('next', { at: s.after('first', 'started', timeoutMs).minus(marginMs) }),
    s.status('first', { at: s.after('first', 'started', timeoutMs).plus(marginMs) }),
    // A worker that restarts may need a minute.
    s.await('next', s.ended, { withinMs: 90_000, everyMs: 250 }),
  ],
});
