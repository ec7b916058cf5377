import type { Script } from '../scenario/script.js';
import { type Violation, type FoundViolation, type TestBed } from './batch.js';
import { shrinkScript } from './shrink/shrink-script.js';
import { plainEnvironment, type Environment } from './environment.js';

export interface ShrunkViolation {
  readonly script: Script;
  readonly environment: Environment;
  /** Violations of the shrunk script alone; the one that it was shrunk for comes first. */
  readonly violations: readonly Violation[];
  /** False when the script violates the requirement only together with the others of its run. */
  readonly alone: boolean;
}

/**
 * Shrinks a script to the smallest one found that still violates the requirement, or, if it does not do so
 * alone, another one that it violates alone, in the simplest environment possible. With a `healthy` test bed,
 * a requirement that was decided there stays decided, so that a replay can report FIXED.
 */
export function shrinkViolation(
  found: Pick<FoundViolation, 'requirement' | 'script' | 'environment'>,
  testBed: TestBed,
  options: { readonly trialsMax?: number; readonly healthy?: TestBed } = {},
): ShrunkViolation {
  const { trialsMax, healthy } = options;
  const { requirement } = found;
  const violationsOf = (script: Script, environment: Environment): readonly Violation[] =>
    testBed.judge(testBed.run([script], environment), environment).violations;
  const fails = (script: Script, environment: Environment): boolean =>
    violationsOf(script, environment).some((violation) => violation.requirement === requirement);
  const environment = plainerEnvironments(found.environment).find((candidate) =>
    fails(found.script, candidate),
  );
  if (environment === undefined) {
    // Refusals and counts are judged over all scripts of a run: alone the script may violate another
    // requirement.
    const [other] = violationsOf(found.script, found.environment);
    return other === undefined
      ? { script: found.script, environment: found.environment, violations: [], alone: false }
      : shrinkViolation({ ...found, requirement: other.requirement }, testBed, options);
  }
  const decides = (script: Script): boolean =>
    healthy === undefined ||
    healthy.judge(healthy.run([script], environment), environment).decided.includes(requirement);
  const staysDecided = healthy !== undefined && decides(found.script);
  const stillFails = (script: Script): boolean =>
    fails(script, environment) && (!staysDecided || decides(script));
  const shrunk = shrinkScript(found.script, stillFails, trialsMax);
  const script = { ...shrunk, title: titleOf(shrunk) };
  const violations = violationsOf(script, environment);
  const first = violations.filter((violation) => violation.requirement === requirement);
  return {
    script,
    environment: environment,
    alone: true,
    violations: [...first, ...violations.filter((violation) => !first.includes(violation))],
  };
}

/** Simpler environments: a perfect one, then each without one kind of disturbance, then the original. */
function plainerEnvironments(environment: Environment): readonly Environment[] {
  const plain = plainEnvironment(environment.seed);
  const { requestMs: _request, replyMs: _reply, ...near } = environment;
  const { timersLateMs: _timers, dispatchMs: _dispatch, workersLateMs: _workers, ...inTime } = environment;
  const { scaling: _scaling, ...staffed } = environment;
  return [
    plain,
    { ...plain, graceMs: 0 },
    { ...plain, variant: environment.variant },
    { ...environment, mishaps: [] },
    { ...environment, variant: null },
    near,
    inTime,
    staffed,
    environment,
  ];
}

/** The steps in one line: `run a, purge-queue, status a`. */
export function titleOf({ steps }: Script): string {
  const words = steps.map((step) => {
    if (step.do === 'raw') return `${step.illegal} ${step.method} ${step.path}`;
    const job = 'job' in step && typeof step.job === 'string' ? ` ${step.job}` : '';
    return `${'illegal' in step && step.illegal !== undefined ? `${step.illegal} ` : ''}${step.do}${job}`;
  });
  const lastObserved = words.length > 8 ? [...words.slice(0, 7), `and ${words.length - 7} more`] : words;
  return lastObserved.join(', ');
}
