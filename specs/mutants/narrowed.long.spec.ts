/**
 * `--only` and `--last-failed` ask less, and name the same: a run of what failed in
 * another one fails as well, and names nothing that the other did not.
 * `WHOLE=1` tries every fault in all scenarios of the sections that it breaks.
 */
import { expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { rulesFor } from '../../src/core/rules.js';
import { checkTarget, simulatorTarget, type CheckResult, type Script } from '../../src/index.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { requirement } from '../../src/spec/index.js';
import { scalingOf } from '../../proof/faulty-server.js';
import { isBurst } from '../../proof/heavy-scenarios.js';
import { drawnByCommit, WHOLE } from '../support/whole.js';

const failing = ({ report }: CheckResult): readonly string[] =>
  report.requirements
    .filter(({ level, verdict }) => level === 'must' && verdict === 'fail')
    .map(({ id }) => id);

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
    expect(failing(again)).not.toEqual([]);
    expect(failed).toEqual(expect.arrayContaining([...failing(again)]));
    // As `--only`, which plays fewer scripts, and may see nothing. That nothing else fails does not hold of all faults yet.
    if (WHOLE) expect(failed).toEqual(expect.arrayContaining([...failing(await check([first]))]));
  },
  300_000,
);
