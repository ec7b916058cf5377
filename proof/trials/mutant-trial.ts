/** One mutant, tried with the shipped suite: on the simulator, or over HTTP under test control. */
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { scalingOf } from './faulty-server.js';
import { failedBy, type Failed, type Trial } from './trial.js';
import { onServer } from './with-local-server.js';

/** What an endpoint of ours may be late by; the same as a live run allows. */
const GRACE_MS = 2_000;

export interface MutantTask {
  readonly kind: 'mutant';
  readonly id: string;
  readonly over: 'simulator' | 'http';
  readonly seed: number;
  readonly runs: number;
  /** Play no more than it takes to see one of the requirements that it breaks fail. */
  readonly brief: boolean;
}

export async function tryMutant({ id, over, seed, runs, brief }: MutantTask): Promise<Failed> {
  const mutant = MUTANTS.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  const broken: readonly string[] = mutant.breaks;
  const trial: Trial = {
    seed,
    runs,
    first: ({ exercises }) => exercises.some((one) => broken.includes(one)),
    enough: (failed) => brief && broken.some((one) => failed.has(one)),
  };
  const rules = mutant.rules(rulesFor({}, 'document'));
  const scaling = scalingOf(id);
  // Test control fixes the number of workers.
  if (over === 'simulator' || scaling !== null)
    return failedBy(simulatorTarget({ seed, rules, graceMs: GRACE_MS, ...(scaling && { scaling }) }), trial);
  return onServer({ clock: 'controlled', rules }, {}, (target) => failedBy(target, trial));
}
