import { install } from '@sinonjs/fake-timers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClientProgress } from '../../../src/features/client/progress.js';
import { createFakeIo } from '../../cli/fake-io.js';

let clock: ReturnType<typeof install>;
beforeEach(() => {
  clock = install({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => clock.uninstall());

it('says in a log at least every ten seconds how far it is, though nothing ends meanwhile', () => {
  const io = createFakeIo();
  const progress = createClientProgress({ ...io, monotonicMs: () => clock.now });
  const some = { of: 4, leftAtMostMs: null, violated: 0 };
  progress.show({ ...some, done: 0, running: ['plain', 'read-500'] });
  clock.tick(2_000);
  progress.show({ ...some, done: 1, running: ['read-500'], violated: 1 });
  clock.tick(28_000);
  const lines = io.complained().trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('1/4 conditions  9 s  violated in 1  read-500');
  progress.stop();
  clock.tick(60_000);
  expect(io.complained().trimEnd().split('\n')).toHaveLength(3);
});

it('names the longest that the last conditions may still take, and no time once that has passed', () => {
  const io = createFakeIo();
  const progress = createClientProgress({ ...io, monotonicMs: () => clock.now });
  clock.tick(4_000);
  progress.show({ done: 1, of: 2, running: ['read-500'], leftAtMostMs: 20_000, violated: 0 });
  clock.tick(26_000);
  expect(io.complained().trimEnd().split('\n')).toEqual([
    '1/2 conditions  9 s  at most 15 s left  read-500',
    '1/2 conditions  18 s  at most 6 s left  read-500',
    '1/2 conditions  27 s  read-500',
  ]);
  progress.stop();
});
