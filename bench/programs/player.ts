/**
 * Steps of scripts on the simulator. usage: player.js one|many JOBS
 * `one`: one script with a lane for each job; `many`: a script for each job.
 */
import { simulatorIn } from '../../src/test-bed/test-bed.js';
import { rulesFor } from '../../src/core/rules.js';
import { plainEnvironment } from '../../src/explore/environment.js';
import { EXPLORED_NEED } from '../../src/explore/explored.js';
import { finishScript } from '../../src/scenario/finish-script.js';
import type { Step } from '../../src/scenario/index.js';
import { measured } from './measured.js';

const [how = 'one', count = '4000'] = process.argv.slice(2);
const jobs = Number(count);
const READS = 4;

function stepsOf(index: number, lane?: string): readonly Step[] {
  const base = { job: `job-${index}`, ...(lane === undefined ? {} : { lane }) };
  const submit: Step = { ...base, do: 'run', plan: [{ sleepMs: 100 }, { return: { index } }] };
  const read: Step = { ...base, do: 'status', at: { waitMs: 50 } };
  return [submit, ...Array.from({ length: READS }, () => read)];
}

const all = Array.from({ length: jobs }, (_, index) => index);
const named = { scenario: 'bench', title: 'bench', seed: 1 };
const scripts =
  how === 'one'
    ? [
        finishScript(
          { ...named, workers: jobs, needs: EXPLORED_NEED },
          all.flatMap((index) => stepsOf(index, `lane-${index}`)),
        ),
      ]
    : all.map((index) => finishScript({ ...named, workers: 1, needs: EXPLORED_NEED }, stepsOf(index)));

measured(jobs * (READS + 1), () => {
  const target = simulatorIn(plainEnvironment(1), 'document', rulesFor({}, 'document'));
  target.runSynchronously(scripts, { append: () => undefined });
});
