import { describe, expect, it } from 'vitest';
import { scenario } from '../../src/scenario/index.js';
import { named } from '../../scenarios/index.js';
import { drawnByCommit } from '../support/whole.js';
import { undecidedAt, type Place } from './decided-over-http.js';

const PLACES: readonly Place[] = ['controlled', 'full', 'standard', 'quick'];

/** Every other scenario, at one of the places. */
const SHARES = PLACES.flatMap((place) => [0, 1].map((half) => [place, half] as const));

describe.each(drawnByCommit(SHARES, SHARES.length))('on the embedded endpoint, %s', (place, half) => {
  it('a scenario decides what it exercises', { timeout: 300_000 }, async () => {
    const scenarios = named.filter((_, nth) => nth % 2 === half);
    expect(await undecidedAt(place, scenarios)).toEqual([]);
  });
});

it('a read that comes too early for the allowed lateness is found', async () => {
  const early = scenario({
    title: 'a look a second too early',
    exercises: ['3/cancelled-never-completes', '3/cancel-running'],
    needs: ['scripted-worker'],
    script: (_, s) => [
      s.run('job', { plan: s.works(5_000) }),
      s.awaitStarted('job'),
      s.cancel('job'),
      s.status('job', { at: s.wait(6_000) }),
    ],
  });
  expect(await undecidedAt('quick', [{ name: 'early', ...early }])).toEqual([
    'early: 3/cancelled-never-completes',
  ]);
});
