import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a read of the stream when it has nothing new',
  needs: ['scripted-worker'],
  script: (_, s) => [
    s.run('job', {
      plan: [{ stream: 'one' }, { sleepMs: 4_000 }, { stream: 'two' }, { sleepMs: 4_000 }, { return: 'end' }],
    }),
    s.awaitStarted('job'),
    s.stream('job', { at: s.wait(250) }),
    s.stream('job', { at: s.wait(500) }),
    // Late enough that the first result is there, however late a timer may be.
    s.stream('job', { at: s.wait(2_500) }),
    s.await('job', s.ended, { everyMs: 500 }),
    s.stream('job'),
    s.stream('job'),
  ],
});
