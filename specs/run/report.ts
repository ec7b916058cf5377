/** What a run of vitest tells of each spec file; written for `main.ts`, which joins several. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';
import type { Took } from './measured.js';

export interface FileReport {
  readonly file: string;
  readonly passed: number;
  /** Names of tests; the file itself where it failed outside of them, such as while it was loaded. */
  readonly failed: readonly string[];
  readonly skipped: number;
  /** Null where nothing of it ran. */
  readonly took: Took | null;
}

export interface RunReport {
  readonly files: readonly FileReport[];
  /** Errors between specs, such as a rejection that nobody handles. */
  readonly unhandled: number;
  /** It was ended from outside. */
  readonly interrupted: boolean;
}

/** A reporter of vitest. */
export class ReportTo implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const report: RunReport = {
      files: modules.map(reportOn),
      unhandled: unhandled.length,
      interrupted: reason === 'interrupted',
    };
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(report, null, 1)}\n`);
  }
}

export const readReport = (file: string): RunReport => JSON.parse(readFileSync(file, 'utf8')) as RunReport;

function reportOn(module: TestModule): FileReport {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests()];
  const inState = (wanted: string) => tests.filter((test) => test.result().state === wanted);
  const failed = inState('failed').map(({ fullName }) => fullName);
  const failedOutside = module.state() === 'failed' && (failed.length === 0 || module.errors().length > 0);
  return {
    file,
    passed: inState('passed').length,
    failed: failedOutside ? [...failed, file] : failed,
    skipped: inState('skipped').length,
    took: module.meta().took ?? null,
  };
}
