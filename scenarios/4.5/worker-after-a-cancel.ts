import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario.each(
  { needs: ['scripted-worker', 'worker-count-known'], exclusive: true },
  (one) => ({
    'worker-after-a-cancel': one({
      title: 'the only worker takes the next job when its own was cancelled',
      script: (_, s) => [
        // It would sleep far longer than a worker may need to restart.
        s.run('stopped', { plan: s.works(HOUR_MS), policy: s.noTimeouts }),
        s.awaitStarted('stopped'),
        s.run('waiting', { plan: s.works(3_000) }),
        s.status('waiting', { at: s.wait(500) }),
        s.cancel('stopped'),
        s.awaitStarted('waiting', { at: s.wait(250) }),
        s.await('waiting', s.ended, { withinMs: 90_000, everyMs: 500 }),
      ],
    }),
    'worker-after-two-cancels': one({
      title: 'the only worker takes the next job when its own was cancelled, and then another one',
      script: (_, s) => {
        const stopped = { plan: s.works(HOUR_MS), policy: s.noTimeouts };
        return [s.run('stopped', stopped), s.runsync('stopped too', { ...stopped, wait: 1_000 })].map(
          (submit) => [
            submit,
            s.awaitStarted(submit.job),
            s.run(`behind ${submit.job}`, { plan: s.works(3_000) }),
            s.status(`behind ${submit.job}`, { at: s.wait(500) }),
            s.cancel(submit.job),
            s.awaitStarted(`behind ${submit.job}`, { at: s.wait(250) }),
            s.await(`behind ${submit.job}`, s.ended, { withinMs: 90_000, everyMs: 500 }),
            s.run(`after ${submit.job}`, { plan: s.works(100) }),
            s.await(`after ${submit.job}`, s.ended, { withinMs: 90_000, everyMs: 1_000 }),
          ],
        );
      },
    }),
  }),
);
