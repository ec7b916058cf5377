import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { globsOf, KINDS, type Kind } from './specs/run/kinds.js';
import { ReportTo } from './specs/run/report.js';
import { SlowestFirst } from './specs/run/slowest-first.js';
import { UnderWay } from './specs/run/stuck-files-reporter.js';

const cores = availableParallelism();

/** Files side by side. Those that wait for real time or for other processes leave processors to others. */
const WORKERS: { readonly [K in Kind]: number } = { pure: cores, waits: 2 * cores, long: cores };

/** Set by specs/run/main.ts. */
const { SPECS_REPORT: reportFile, SPECS_WORKERS: workers } = process.env;

const projectOf = (kind: Kind, own: boolean) => ({
  extends: true as const,
  test: {
    name: own ? `${kind} (own process)` : kind,
    ...globsOf(kind, own),
    // A process runs file after file: the code is loaded once for all of them, which is half of a run's work.
    isolate: own,
    maxWorkers: workers === undefined ? WORKERS[kind] : Number(workers),
    sequence: { groupOrder: KINDS.indexOf(kind) },
    setupFiles: ['./specs/run/measured.ts', ...(kind === 'pure' ? ['./specs/run/pure.ts'] : [])],
  },
});

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
    globalSetup: './specs/run/temporary-files.ts',
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowestFirst },
    reporters:
      reportFile === undefined
        ? ['default', new UnderWay()]
        : ['minimal', new UnderWay(), new ReportTo(reportFile)],
    projects: KINDS.flatMap((kind) => [projectOf(kind, false), projectOf(kind, true)]),
  },
});
