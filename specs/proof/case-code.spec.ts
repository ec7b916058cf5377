/** Which cases a change of a file concerns, by the files of this repository. */
import { expect, it } from 'vitest';
import { CaseCode } from '../../proof/ledger/case-code.js';
import { Code } from '../../proof/ledger/code.js';
import { sources } from '../../proof/ledger/repository.js';
import type { FaultToPlay } from '../../proof/trials/fault-run.js';
import type { VariantTask } from '../../proof/trials/variant-trial.js';

const NOW = sources();
const how = { profile: 'quick', seed: 1 } as const;
const MUTANT: FaultToPlay = { server: 'mutant', fault: 'health-without-retried', mode: 'simulator', ...how };
const NAIVE: FaultToPlay = { server: 'naive', fault: 'health-completed-stuck', mode: 'control', ...how };
const VARIANT: VariantTask = {
  ...{
    kind: 'variant',
    name: 'document 4.5/cancel-twice=refused-404',
    clock: 'simulator',
    seed: 1,
    combined: 0,
  },
  ...{ runs: 1, scenarios: { others: 40 }, history: null },
};
const SCENARIOS = ['2.7/health-record'];

function digests(changed: string | null): { readonly [name: string]: string } {
  if (changed !== null && !NOW.has(changed)) throw new Error(`there is no ${changed}`);
  const texts = [...NOW].map(
    ([path, text]) => [path, path === changed ? `${text}\n// changed` : text] as const,
  );
  const code = new CaseCode(new Code(new Map(texts)));
  return {
    'mutant played': code.faultPlay(MUTANT, SCENARIOS),
    'naive played': code.faultPlay(NAIVE, SCENARIOS),
    'variant played': code.variantPlay(VARIANT),
    'fault judged': code.faultJudge(MUTANT.fault),
    'variant judged': code.variantJudge(VARIANT),
    conformant: code.mixed('proof/trials/conformant-batch.ts', ''),
  };
}

const before = digests(null);
const JUDGED = ['fault judged', 'variant judged', 'conformant'];

it.each<readonly [file: string, concerned: readonly string[]]>([
  ['src/oracle/rates/judge-rates.ts', JUDGED],
  ['src/spec/requirements/section-2-7.ts', JUDGED],
  ['src/core/rules/jobs.ts', ['mutant played', 'variant played', ...JUDGED]],
  ['src/mutants/section-2-4.ts', ['mutant played']],
  ['src/mutants/section-8.ts', []],
  ['specs/naive/faults/jobs/health-jobs.ts', ['naive played']],
  ['specs/naive/operations/health.ts', ['naive played']],
  ['scenarios/2.7/health-record.ts', ['mutant played', 'naive played', 'variant played', 'conformant']],
  ['scenarios/4.4/read-late.ts', ['variant played', 'conformant']],
  ['src/target/session/http-client.ts', ['naive played']],
  ['specs/variants/judge-variant.ts', ['variant judged']],
  ['proof/breaks/health.ts', []],
  ['src/report/terminal/terminal.ts', []],
])('a change of %s', (file, concerned) => {
  const after = digests(file);
  expect(Object.keys(before).filter((name) => after[name] !== before[name])).toEqual(concerned);
});

it('depends on the seed, the fault, the place and the scenarios', () => {
  const code = new CaseCode(new Code(NOW));
  const played = [
    code.faultPlay(NAIVE, SCENARIOS),
    code.faultPlay({ ...NAIVE, seed: 2 }, SCENARIOS),
    code.faultPlay({ ...NAIVE, fault: 'health-completed-twice' }, SCENARIOS),
    code.faultPlay({ ...NAIVE, mode: 'real' }, SCENARIOS),
    code.faultPlay({ ...NAIVE, mode: 'real', profile: 'standard' }, SCENARIOS),
    code.faultPlay(NAIVE, [...SCENARIOS, '4.2/answers-at-once']),
  ];
  expect(new Set(played).size).toBe(played.length);
});
