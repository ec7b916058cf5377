/** Services of a page with one rule broken each: where the reference says that a history is illegal, the oracle fails it. */
import { expect, it } from 'vitest';
import { drawnByCommit } from '../../support/whole.js';
import { createRandom } from '../../../src/time/random.js';
import { answersOfService, BROKEN, rightService } from './broken-service.js';
import { drawnCalls, drawnWorld, sample } from './drawn.js';
import { Tally } from './misses.js';
import { isLegal } from './reference.js';

const GAPS_MS = [300, 1_700, 3_300, 5_300, 9_700, 65_300, 950_300, 1_900_300];
/** Of each rule: how many illegal histories, and among how many. */
const ILLEGAL = 10;
const DRAWN = 600;

it('a service that keeps to the document has legal histories only', { timeout: 600_000 }, () => {
  const tally = new Tally();
  for (const random of sample('right', 600, 6)) {
    const world = drawnWorld(random, 2);
    const calls = drawnCalls(random, world, GAPS_MS, 6);
    expect(tally.take(world, answersOfService(rightService(random), world, calls, random))).toBe(true);
  }
  tally.check('no broken rule');
});

it('each broken rule shows, and hardly ever without a must that fails', { timeout: 600_000 }, () => {
  const tally = new Tally();
  const hidden: string[] = [];
  for (const [name, broken] of drawnByCommit(Object.entries(BROKEN), 3)) {
    let illegal = 0;
    for (let nth = 0; nth < DRAWN && illegal < ILLEGAL; nth += 1) {
      const random = createRandom(1).fork(`${name} ${nth}`);
      const world = drawnWorld(random, 2);
      const right = rightService(random);
      const calls = drawnCalls(random, world, GAPS_MS, 6);
      const history = answersOfService({ ...right, ...broken(right) }, world, calls, random);
      // What such a service does is mostly legal.
      if (isLegal(world, history)) continue;
      tally.take(world, history);
      illegal += 1;
    }
    if (illegal === 0) hidden.push(name);
  }
  expect(hidden, 'show in no history').toEqual([]);
  tally.check('broken rules');
});
