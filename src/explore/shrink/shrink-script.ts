import type { Script, Step } from '../../scenario/script.js';
import { finishScript } from '../../scenario/finish-script.js';
import { fingerprintOf, simplerScripts } from './index.js';
import { labelsOf } from './jobs.js';

/** The most trials; then the smallest script found is the result. */
const SHRINK_TRIALS_MAX = 2_000;

/**
 * Yields candidates, expects whether each still fails in the same way, and returns the smallest that does. A
 * generator, so that a simulator can answer at once and a live target later.
 */
export function* shrinking(
  script: Script,
  trialsMax: number = SHRINK_TRIALS_MAX,
): Generator<Script, Script, boolean> {
  const tried = new Set([fingerprintOf(script)]);
  let best = script;
  let trials = 0;
  for (let found = true; found;) {
    found = false;
    for (const simpler of simplerScripts(best)) {
      const fingerprint = fingerprintOf(simpler);
      if (tried.has(fingerprint)) continue;
      tried.add(fingerprint);
      if (trials >= trialsMax) return best;
      trials += 1;
      if (yield simpler) {
        best = simpler;
        found = true;
        break;
      }
    }
  }
  const named = renamed(best);
  return fingerprintOf(named) !== fingerprintOf(best) && (yield named) ? named : best;
}

/** Shrinks a script with a check that answers at once. */
export function shrinkScript(
  script: Script,
  stillFails: (script: Script) => boolean,
  trialsMax?: number,
): Script {
  const trials = shrinking(script, trialsMax);
  for (let next = trials.next(); ; next = trials.next(stillFails(next.value))) {
    if (next.done === true) return next.value;
  }
}

/** Renames the jobs to a, b, c in order of submission. */
function renamed(script: Script): Script {
  const names = new Map(
    labelsOf(script.steps).map((label, index) => [
      label,
      index < 26 ? String.fromCharCode(97 + index) : label,
    ]),
  );
  const nameOf = (label: string): string => names.get(label) ?? label;
  const steps = script.steps.map((step): Step => {
    const at = step.at !== undefined && 'job' in step.at ? { ...step.at, job: nameOf(step.at.job) } : step.at;
    return {
      ...step,
      ...(at === undefined ? {} : { at }),
      ...(step.lane?.startsWith('sync-') ? { lane: `sync-${nameOf(step.lane.slice(5))}` } : {}),
      ...('job' in step && typeof step.job === 'string' ? { job: nameOf(step.job) } : {}),
      ...(step.do === 'raw'
        ? { path: step.path.replace(/\{job:([^}]*)\}/g, (_, label: string) => `{job:${nameOf(label)}}`) }
        : {}),
    };
  });
  return finishScript(script, steps);
}
