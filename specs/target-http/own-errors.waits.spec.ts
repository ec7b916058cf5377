import { expect, it } from 'vitest';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import { playOn, scriptOf, withFake } from './support.js';

const POLL = /^GET .*\/status\/job-\d+$/;
const CANCEL = /^POST .*\/cancel\/job-\d+$/;

it.each(['real', 'controlled'] as const)(
  'an error of our own is told, and leaves no job alive (%s clock)',
  async (clock) => {
    const features = clock === 'controlled' ? ['clock'] : null;
    await withFake({ clock, features }, {}, async (target, fake) => {
      /** It cannot go on once its job has been looked at; what is only rehearsed can. */
      const breaking: typeof createScriptRunner = (...given) => {
        const runner = createScriptRunner(...given);
        const { replied } = runner;
        runner.replied = (...reply) => {
          replied.apply(runner, reply);
          if (fake.log.some((call) => POLL.test(call))) throw new Error('an error of our own');
        };
        return runner;
      };
      const script = scriptOf([
        { do: 'run', job: 'a', plan: [{ hang: true }] },
        { do: 'status', job: 'a' },
        { do: 'pause', at: { waitMs: 50 } },
      ]);
      const told = await playOn(target, [script], { createRunner: breaking }).then(
        ({ summary }) => summary.aborted[0]?.reason,
        (error: Error) => error.message,
      );
      expect(told).toBe('an error of our own');
      expect(fake.log).toContainEqual(expect.stringMatching(CANCEL));
    });
  },
);
