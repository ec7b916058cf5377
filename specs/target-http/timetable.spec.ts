import { describe, expect, it } from 'vitest';
import { describePlan } from '../../src/cli/describe-plan.js';
import { createPlayer } from '../../src/runner/player.js';
import type { Step } from '../../src/scenario/script.js';
import { entryOf } from '../../src/target/http/timetable.js';
import { scriptOf } from './support.js';

describe('what purges a queue that scripts share', () => {
  const cases: readonly (readonly [string, Step, boolean])[] = [
    ['a purge', { do: 'purge-queue' }, true],
    ['one with the key after Bearer', { do: 'purge-queue', auth: 'bearer' }, true],
    ['one whose prefix some servers take for Bearer', { do: 'purge-queue', auth: 'lower-bearer' }, true],
    ['one with a key that lacks its first letter', { do: 'purge-queue', auth: 'beheaded' }, false],
    ['one without a key', { do: 'purge-queue', auth: 'missing' }, false],
    ['one at another endpoint', { do: 'purge-queue', endpoint: '{neighbour}' }, false],
    ['many at once', { do: 'burst', op: 'purge-queue', count: 3 }, true],
    ['many of something else', { do: 'burst', op: 'health', count: 3 }, false],
    ['one written by hand', { do: 'raw', method: 'POST', path: '/purge-queue', illegal: 'with-body' }, true],
    ['one by a wrong method', { do: 'raw', method: 'GET', path: '/purge-queue', illegal: 'method' }, false],
  ];

  it.each(cases)('%s', (_, step, purges) => {
    const script = scriptOf([step]);
    expect(entryOf(script, 0, createPlayer).purges).toBe(purges);
    const plan = { seed: 1, scripts: [script], leftOut: [] } as unknown as Parameters<typeof describePlan>[0];
    expect(describePlan(plan, 'virtual', null).join().includes('purges the queue')).toBe(purges);
  });
});
