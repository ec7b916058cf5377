import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { UnderWay } from './specs/project/under-way.js';

/** These change what all code of a process shares: its clock and timers, its globals, what it is warned of. */
const IN_OWN_PROCESS = [
  'specs/examples/*.spec.ts',
  'specs/server/parts.spec.ts',
  'specs/server/start.spec.ts',
  'specs/target-handler/*.spec.ts',
  'specs/target-http/real-time.spec.ts',
];

/** So that the end of a run does not wait for one of them alone. */
const LONGEST = [
  'mutants/mutants',
  'explore/exploration',
  'server/pull/suite',
  'cli/explore',
  'variants/variants',
  'project/pack',
  'cli/interrupt',
  'hostile/hostile',
  'scenarios/played',
  'target-simulator/scaled',
  'mutants/killed',
  'cli/report',
  'vitest/conformance',
  'cli/judge-again',
  'server/kill',
  'server/damage',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/specs/${name}.spec.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

// The build stands in dist/; without this vitest would find compiled copies of nothing we mean to run.
const NEVER = ['dist/**', 'node_modules/**'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // One more than there are cores: some specs wait for real time or for other processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // .ci/run counts from the JSON report what passed, failed and was skipped.
    reporters: ['default', new UnderWay(), ['json', { outputFile: 'reports/specs.json' }]],
    projects: [
      {
        // A process runs file after file: the code is loaded once for all of them, which is half of a run's work.
        extends: true,
        test: {
          name: 'one process',
          include: ['specs/**/*.spec.ts'],
          exclude: [...NEVER, ...IN_OWN_PROCESS],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own process', include: IN_OWN_PROCESS, exclude: NEVER } },
    ],
  },
});
