/** Calls that the explorer draws, simulates and judges. usage: explorer.js BATCHES */
import { compileLess } from '../../src/threads/compiler.js';
import { createTestBed } from '../../src/test-bed/test-bed.js';
import { RUNS_PER_BATCH } from '../../src/explore/batch-sizes.js';
import { Exploration, runBatch } from '../../src/explore/index.js';
import { costMs } from '../histories.js';
import { print } from './measured.js';

// As the command does.
compileLess();
const batches = Number(process.argv[2] ?? 200);
const testBed = createTestBed({ edition: 'document', mutant: null });
const exploration = new Exploration({ seed: 1, runs: batches * RUNS_PER_BATCH });
let calls = 0;
let ms = 0;
let done = 0;
for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound())
  for (const batch of round) {
    // In the first half, the compiler is at work, too.
    const counts = (done += 1) > batches / 2;
    const cost = costMs(() => {
      const result = runBatch(batch, testBed);
      exploration.take(result);
      if (counts) calls += result.calls;
    });
    if (counts) ms += cost;
  }
print(calls, ms);
