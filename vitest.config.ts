import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './specs/project/slowest-first.js';
import { UnderWay } from './specs/project/stuck-files-reporter.js';

/** Specs that change what all code of a process shares: its clock, timers or globals, or what it is warned of. */
const OWN_PROCESS = 'specs/**/*.own.spec.ts';

// Compiled code stands in lib/ and dist/; vitest must not find copies of specs there.
const NEVER = ['lib/**', 'dist/**', 'node_modules/**'];

export default defineConfig({
  // Examples import the package as its users do.
  resolve: {
    alias: [
      { find: /^runproof$/, replacement: fileURLToPath(new URL('./src/index.ts', import.meta.url)) },
      { find: /^runproof\/vitest$/, replacement: fileURLToPath(new URL('./src/vitest.ts', import.meta.url)) },
    ],
  },
  test: {
    testTimeout: 60_000,
    // One more than there are cores: some specs wait for real time or for other processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // .ci/run counts from the JSON report what passed, failed and was skipped.
    reporters: ['default', new UnderWay(), ['json', { outputFile: 'reports/specs.json' }]],
    projects: [
      {
        // A process runs file after file: the code is loaded once for all of them, which is half of a run's work.
        extends: true,
        test: {
          name: 'one process',
          include: ['specs/**/*.spec.ts'],
          exclude: [...NEVER, OWN_PROCESS],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own process', include: [OWN_PROCESS], exclude: NEVER } },
    ],
  },
});
