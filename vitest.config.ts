import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['specs/**/*.spec.ts'],
    // The build stands in dist/; without this vitest would find compiled copies of nothing we mean to run.
    exclude: ['dist/**', 'node_modules/**'],
    testTimeout: 30_000,
  },
});
