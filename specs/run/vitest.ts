/** One run of vitest, as a process of its own. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readReport, type RunReport } from './report.js';

export interface Run {
  /** Names its report. */
  readonly name: string;
  /** Of vitest.config.ts; none: all. */
  readonly projects: readonly string[];
  /** Paths, or parts of them; none: all files of the projects. */
  readonly files?: readonly string[];
  /** Files that import, over whatever way, what was changed since the last commit. */
  readonly changedOnly?: boolean;
  /** Files side by side; otherwise what vitest.config.ts says. */
  readonly workers?: number;
}

export interface Outcome {
  /** Null where vitest came to none. */
  readonly report: RunReport | null;
  /** What went wrong beside failed specs. */
  readonly problem: string | null;
}

const VITEST = 'node_modules/vitest/vitest.mjs';

export async function runVitest({
  name,
  projects,
  files = [],
  changedOnly = false,
  workers,
}: Run): Promise<Outcome> {
  const reportFile = `reports/specs/${name}.json`;
  rmSync(reportFile, { force: true });
  const options = projects.flatMap((project) => ['--project', project]);
  if (changedOnly) options.push('--changed');
  const child = spawn(process.execPath, [VITEST, 'run', '--passWithNoTests', ...options, ...files], {
    env: {
      ...process.env,
      SPECS_REPORT: reportFile,
      ...(workers !== undefined && { SPECS_WORKERS: String(workers) }),
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    createInterface(from).on('line', (line) => void to.write(`${line}\n`));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  const report = existsSync(reportFile) ? readReport(reportFile) : null;
  return { report, problem: problemOf(name, report, code) };
}

export function problemOf(name: string, report: RunReport | null, code: number | null): string | null {
  if (report === null) return `${name}: vitest came to no report (exit code ${code ?? 'none'})`;
  if (report.interrupted) return `${name}: interrupted`;
  if (report.unhandled > 0) return `${name}: ${report.unhandled} errors between specs`;
  const isExplained = report.files.some(({ failed }) => failed.length > 0);
  return code === 0 || isExplained ? null : `${name}: vitest exited with ${code ?? 'a signal'}`;
}
