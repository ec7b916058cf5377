/**
 * `--only` and `--last-failed` ask less, and name the same: a run of what failed in
 * another one fails as well, and names nothing that the other did not. Where `--only` of a requirement does not fail it, a
 * scenario that does belongs into `scenarios/also-shown.json`.
 * `WHOLE=1` tries every fault in all scenarios of the sections that it breaks, and `--only` of all that it fails.
 */
import { expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { rulesFor } from '../../src/core/rules.js';
import { checkTarget, simulatorTarget, type CheckResult, type Script } from '../../src/index.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { requirement } from '../../src/spec/index.js';
import { scalingOf } from '../../proof/trials/faulty-server.js';
import { isBurst } from '../../proof/heavy-scenarios.js';
import { drawnByCommit, WHOLE } from '../support/whole.js';

const failing = ({ report }: CheckResult): readonly string[] =>
  report.requirements
    .filter(({ level, verdict }) => level === 'must' && verdict === 'fail')
    .map(({ id }) => id);

/** What a job meets there depends on calls of other scripts, or on chance: fewer scripts may not meet it. */
const dependsOnMore = (fault: string): boolean =>
  fault.startsWith('now-and-then-') || REMEMBERING.includes(fault);
const REMEMBERING: readonly string[] = [
  'input-of-the-retry-before',
  'purge-closes-queue',
  'status-ttl-for-later-jobs',
  'timeout-of-the-submission-before',
  'timeout-shared',
  'ttl-shared',
  'wait-shared',
];

const CHANGING: ReadonlySet<string> = new Set(['runsync', 'cancel', 'retry', 'purge-queue', 'openai']);

const changingIn = (scripts: readonly Script[]): ReadonlySet<string> =>
  new Set(
    scripts
      .flatMap(({ steps }) => steps.map((step) => (step.do === 'burst' ? step.op : step.do)))
      .filter((called) => CHANGING.has(called)),
  );

/** Each script that shows it changes something by a call that the selection never makes: a service may lack the operation. */
function needsOtherCalls(one: string, whole: CheckResult, selection: CheckResult): boolean {
  const called = changingIn(selection.scripts);
  const shows = whole.findings.requirements
    .find(({ id }) => id === one)!
    .failures.map(({ script }) => script);
  return shows.every((nth) => [...changingIn([whole.scripts[nth]!])].some((op) => !called.has(op)));
}

/** How many shares the faults are divided into. */
const SHARES = 80;

it.each(drawnByCommit(MUTANTS, SHARES).map((mutant) => [mutant.id, mutant] as const))(
  '%s',
  async (id, { rules, breaks }) => {
    const sections = new Set(breaks.map((broken) => requirement(broken).section));
    const scenarios = named.filter(
      ({ name, exercises }) =>
        name.startsWith('1/every-operation') ||
        ((sections.has('8') || !isBurst(name)) &&
          exercises.some((one) => sections.has(requirement(one).section))),
    );
    const check = async (only: readonly string[], scripts?: readonly Script[]): Promise<CheckResult> => {
      const scaling = scalingOf(id);
      const target = simulatorTarget({
        ...{ seed: 1, graceMs: 2_000, rules: rules(rulesFor({}, 'document')) },
        ...(scaling && { scaling }),
      });
      return checkTarget(target, {
        ...{ seed: 1, runs: 1, only, scripts, shrink: false },
        scenarios: only.length === 0 ? scenarios : named,
      });
    };
    const whole = await check([]);
    const failed = failing(whole);
    const first = whole.report.causes?.[0]?.requirement;
    if (first === undefined) return;
    const shown = new Set(
      whole.findings.requirements
        .filter(({ id: one }) => failed.includes(one))
        .flatMap(({ failures }) => failures.map(({ script }) => script)),
    );
    // As `--last-failed`: the scripts that showed it, by themselves.
    const again = await check(
      failed,
      [...shown].sort((a, b) => a - b).map((nth) => whole.scripts[nth]!),
    );
    if (!dependsOnMore(id)) expect(failing(again)).not.toEqual([]);
    expect(failed).toEqual(expect.arrayContaining([...failing(again)]));
    // As `--only`: of all that failed, or of what is said first.
    for (const one of dependsOnMore(id) ? [] : WHOLE ? failed : [first]) {
      const selection = await check([one]);
      const narrowed = failing(selection);
      if (!needsOtherCalls(one, whole, selection)) expect(narrowed).toContain(one);
      expect(failed).toEqual(expect.arrayContaining([...narrowed]));
    }
  },
  300_000,
);
