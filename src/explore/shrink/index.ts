/**
 * Candidates that are simpler than a given script, the boldest first: without jobs, runs of steps, steps,
 * parameters, then gaps.
 */
import type { Script, Step } from '../../scenario/script.js';
import { finishScript } from '../../scenario/finish-script.js';
import type { Candidate } from './candidate.js';
import { withoutEndpointsExtras } from './endpoint.js';
import { shorterGaps } from './gaps.js';
import { withoutJobs } from './jobs.js';
import { simplerParameters } from './parameters.js';
import { withoutSteps } from './steps.js';

/** Lazily; every candidate differs from the script, and none is repeated. */
export function* simplerScripts(script: Script): IterableIterator<Script> {
  const given = new Set([fingerprintOf(script)]);
  for (const { steps, workers } of candidates(script)) {
    if (steps.length === 0) continue;
    const simpler = finishScript({ ...script, workers: workers ?? script.workers }, steps);
    const fingerprint = fingerprintOf(simpler);
    if (given.has(fingerprint)) continue;
    given.add(fingerprint);
    yield simpler;
  }
}

/** Two scripts with the same fingerprint make the same calls. */
export function fingerprintOf({ workers, steps }: Script): string {
  return JSON.stringify([workers, steps]);
}

function* candidates(script: Script): IterableIterator<Candidate> {
  const { steps } = script;
  yield* plain(withoutJobs(steps));
  yield* plain(withoutSteps(steps));
  yield* withoutEndpointsExtras(script);
  yield* plain(simplerParameters(steps));
  yield* plain(shorterGaps(steps));
}

function* plain(lists: Iterable<readonly Step[]>): IterableIterator<Candidate> {
  for (const steps of lists) yield { steps };
}
