/** `runproof check` of a deployed target, in a process of its own, as a user would start it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../package-files.js';
import type { Report } from '../../report/index.js';
import { fingerprint } from './chunks.js';

export interface TargetCheck {
  readonly target: string;
  /** Options of `check`. No keys: a worker has them in its environment. */
  readonly options: readonly string[];
}

export interface CheckEnvironment {
  readonly stop: AbortSignal;
  readonly environment: { readonly [name: string]: string | undefined };
}

export interface Checked {
  readonly exitCode: number;
  readonly report: Report | null;
  /** Why there is no report; null if there is one. */
  readonly problem: string | null;
}

const PROBLEM_MAX = 1_000;

/** All checks of a target are in one queue, which gives out one at a time. */
export const queueOfTarget = (target: string): string => `check-${fingerprint(target).slice(0, 12)}`;

export async function runCheck(
  { target, options }: TargetCheck,
  { stop, environment }: CheckEnvironment,
): Promise<Checked> {
  const out = mkdtempSync(join(tmpdir(), 'runproof-check-'));
  try {
    const program = join(PACKAGE_ROOT, 'bin', 'runproof.js');
    const args = [program, 'check', target, '--quiet', '--format', 'json', '--out', out, ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment });
    let complaint = '';
    child.stderr.on(
      'data',
      (text: Buffer) => (complaint = `${complaint}${text.toString()}`.slice(-PROBLEM_MAX)),
    );
    const end = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', end);
    const [code] = (await once(child, 'close')) as [number | null];
    stop.removeEventListener('abort', end);
    const file = join(out, 'report.json');
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
    return { exitCode: code ?? 130, report, problem: report === null ? complaint.trim() : null };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
