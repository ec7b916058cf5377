/** Other ways of looking at the same jobs: long silences, calls without a key, looks that are left out. */
import type { RandomSource } from '../../src/explore/random-source.js';
import type { JobStep, Script, Step } from '../../src/scenario/script.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/spec/limits.js';

/** Between any two deadlines of the document, and after them. */
const SILENCES_MS = [
  0,
  SECOND_MS,
  7 * SECOND_MS,
  61 * SECOND_MS,
  11 * MINUTE_MS,
  40 * MINUTE_MS,
  25 * HOUR_MS,
];
const LEFT_OUT_PER_CENT = 30;
const INSERTED_PER_CENT = 12;
const UNKEYED = ['missing', 'wrong', 'empty', 'truncated'] as const;

/** The script with some of its looks left out, and others put in. What it does to the jobs stays the same. */
export function readDifferently(script: Script, dice: RandomSource): Script {
  const jobs: string[] = [];
  const steps: Step[] = [];
  for (const step of script.steps) {
    if (!(isPlainLook(step) && dice.chance(LEFT_OUT_PER_CENT))) steps.push(step);
    if ((step.do === 'run' || step.do === 'runsync') && step.endpoint === undefined) jobs.push(step.job);
    if (jobs.length > 0 && dice.chance(INSERTED_PER_CENT))
      steps.push(lookAt(dice.pick(jobs), step.lane, dice));
  }
  return { ...script, steps };
}

const isPlainLook = (step: Step): boolean => step.do === 'status' && step.ttl === undefined;

function lookAt(job: string, lane: string | undefined, dice: RandomSource): JobStep {
  const isKeyed = dice.chance(40);
  return {
    // Without a key nothing is done, whatever is asked for.
    do: isKeyed ? 'status' : dice.pick(['status', 'stream', 'cancel', 'retry'] as const),
    job,
    at: { waitMs: dice.pick(SILENCES_MS) },
    ...(lane === undefined ? {} : { lane }),
    ...(isKeyed ? {} : { auth: dice.pick(UNKEYED) }),
  };
}
