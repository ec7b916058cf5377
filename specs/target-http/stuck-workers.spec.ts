/** Workers that never take a job, in real time: who waits for one of them holds nobody else back. */
import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/scenario/script.js';
import { playOn, scriptOf, withFake } from './support.js';

const run: Step = { do: 'run', job: 'a', plan: [{ sleepMs: 0 }, { return: 1 }] };

describe('a script', () => {
  it.each<readonly [string, (waitMs: number) => readonly Step[]]>([
    [
      'looks for',
      (timeoutMs) => [run, { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 500, timeoutMs }],
    ],
    ['waits for', (wait) => [{ do: 'runsync', job: 'a', plan: [{ return: 1 }], wait }]],
  ])(
    'is not held up by workers that never take the job that it %s',
    { timeout: 60_000 },
    async (_, steps) => {
      await withFake({ neverStarts: true }, { workers: 1 }, async (target) => {
        const [long, short] = [scriptOf(steps(26_000)), scriptOf(steps(1_000))];
        const basic = scriptOf([{ do: 'health' }]);
        const { events } = await playOn(target, [long, short, short, basic]);
        const order = events.flatMap((event) =>
          event.kind === 'script' || event.kind === 'script-end' ? [`${event.kind} ${event.script}`] : [],
        );
        expect(order.indexOf('script-end 3')).toBeLessThan(order.indexOf('script 1'));
        // After 20 s the first has waited in vain, and the others need not wait for it.
        expect(order.at(-1)).toBe('script-end 0');
        expect(order).toHaveLength(8);
      });
    },
  );
});
