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
  progress.show({ done: 0, of: 4, running: ['plain', 'read-500'], violated: 0 });
  clock.tick(2_000);
  progress.show({ done: 1, of: 4, running: ['read-500'], violated: 1 });
  clock.tick(28_000);
  const lines = io.complained().trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('1/4 conditions  9 s  about 27 s left  violated in 1  read-500');
  progress.stop();
  clock.tick(60_000);
  expect(io.complained().trimEnd().split('\n')).toHaveLength(3);
});
