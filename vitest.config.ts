import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['specs/**/*.spec.ts'],
    // The build stands in dist/; without this vitest would find compiled copies of nothing we mean to run.
    exclude: ['dist/**', 'node_modules/**'],
    testTimeout: 60_000,
    // By default one core is left to the watcher; a run that nobody watches may have them all.
    maxWorkers: '100%',
    // .ci/run counts from the JSON report what passed, failed and was skipped.
    reporters: ['default', ['json', { outputFile: 'reports/specs.json' }]],
  },
});
