import { describe, expect, it } from 'vitest';
import { TIE_PRIORITIES, tieRanking } from '../../src/sim/tie-order.js';
import type { TiePriority, TieOrder } from '../../src/sim/tie-order.js';
import { createRandom } from '../../src/time/random.js';
import { createTestBed } from './support.js';

/** What a status call shows that reaches the service at the very instant at which the worker ends the job. */
function statusOnTheTie(ties?: TieOrder, seed = 1) {
  const { run, status, advanceTo, idOf, bodyOf } = createTestBed({
    seed,
    latency: { requestMs: 10 },
    ...(ties !== undefined ? { ties } : {}),
  });
  const submitted = run([{ sleepMs: 100 }, { return: 1 }]);
  advanceTo(100);
  const call = status(idOf(submitted));
  advanceTo(110);
  return bodyOf(call)['status'];
}

describe('order of events at the same instant', () => {
  it('is timer, worker, network, client by default', () => {
    expect(statusOnTheTie()).toBe('COMPLETED');
    expect(TIE_PRIORITIES).toEqual(['timer', 'worker', 'network', 'client']);
  });

  it('can be changed', () => {
    expect(statusOnTheTie(['timer', 'network', 'worker', 'client'])).toBe('IN_PROGRESS');
  });

  it('varies with the seed when seeded, and is reproducible', () => {
    const seen = Array.from({ length: 20 }, (_, seed) => statusOnTheTie('seeded', seed));
    expect(new Set(seen)).toEqual(new Set(['IN_PROGRESS', 'COMPLETED']));
    expect(Array.from({ length: 20 }, (_, seed) => statusOnTheTie('seeded', seed))).toEqual(seen);
  });

  it('never reorders two reports of one run', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { run, advanceTo, log } = createTestBed({ seed, ties: 'seeded' });
      run([{ stream: 1 }, { stream: 2 }, { stream: 3 }, { return: 4 }]);
      advanceTo(0);
      const reports = log.filter((entry) => entry.priority === 'worker' && entry.event !== 'start');
      expect(reports.map((entry) => entry.detail)).toEqual(['1', '2', '3', '4']);
    }
  });

  it('is refused unless it names every priority', () => {
    expect(() => tieRanking(['timer', 'worker', 'network'] as TiePriority[], () => createRandom(1))).toThrow(
      /client/,
    );
  });
});
