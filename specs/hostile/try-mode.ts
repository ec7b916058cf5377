/** Tries one mode: starts a server, runs `check` against it, and collects the outcome. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from './files.js';
import { breaches, unnamedIn, type Limits } from './expectations.js';
import type { Mode } from './mode.js';
import { runCheck, type CheckRun } from './run-check.js';
import { searchFor } from './secrets.js';
import { startHostile } from './server.js';

const KEY = 'rp_Hostile/7fQ2+kZ9xWv&Lm4T';
const OTHER_KEY = 'Other-Users-Key_5hJ8dRp3Nc';
const UNPERMITTED_KEY = 'Unpermitted.Key~6gB1sYt0Qe';
const HEADER = 'Tenant-Token-9uK4pXa2Vw7';

const SCENARIOS = join(import.meta.dirname, 'scenarios');

export interface ModeResult {
  readonly mode: Mode;
  readonly interrupted: boolean;
  readonly ran: CheckRun;
  readonly calls: number;
  /** Reported jobs that the server still has. */
  readonly jobsLeft: number;
  /** Of them, those that jobs.ndjson does not list. */
  readonly unnamed: number;
  readonly secrets: number;
  readonly breaches: readonly string[];
}

export interface TryOptions {
  readonly program: string;
  readonly limits: Limits;
  /** Ctrl-C comes this many ms after the first connection; null: never. */
  readonly interruptAfterMs: number | null;
  readonly seed: number;
  /** What is checked: sections and ids; empty for everything. */
  readonly scope: readonly string[];
  /** A run that has not ended by then is killed. */
  readonly killAfterMs: number;
  /** Keeps the folder of the run, for inspection. */
  readonly keep?: boolean;
}

export async function tryMode(mode: Mode, how: TryOptions): Promise<ModeResult> {
  const { program, limits, interruptAfterMs, seed } = how;
  const scope = mode.scope ?? how.scope;
  const server = await startHostile(mode);
  const cwd = mkdtempSync(join(tmpdir(), `runproof-hostile-${mode.name}-`));
  try {
    const ran = await runCheck({
      program,
      args: [
        ...['check', server.url, '--budget', `${limits.budgetMs / 1000}s`, '--profile', 'quick'],
        ...['--seed', String(seed), '--header', `x-tenant: ${HEADER}`, '--out', 'out'],
        ...['--format', 'terminal,json,html,junit,ctrf,sarif,tap,markdown,github,har', '--progress', 'plain'],
        ...(scope.length === 0 ? [] : ['--only', ...scope]),
        ...(mode.scope === undefined ? [] : ['--scenarios', SCENARIOS]),
      ],
      env: {
        RUNPROOF_API_KEY: KEY,
        RUNPROOF_OTHER_API_KEY: OTHER_KEY,
        RUNPROOF_UNPERMITTED_API_KEY: UNPERMITTED_KEY,
      },
      cwd,
      interrupt: () =>
        interruptAfterMs !== null &&
        server.sinceMs !== null &&
        performance.now() - server.sinceMs > interruptAfterMs,
      killAfterMs: how.killAfterMs,
    });
    const jobs = server.left();
    const files = filesBelow(join(cwd, 'out'));
    const search = searchFor([KEY, OTHER_KEY, UNPERMITTED_KEY, HEADER]);
    const found = breaches(mode, { files, jobs, ran }, limits, search);
    const unnamed = unnamedIn(files.get('jobs.ndjson') ?? '', jobs);
    return {
      mode,
      interrupted: interruptAfterMs !== null,
      ran,
      calls: server.calls,
      jobsLeft: mode.jobs === 'untold' ? 0 : jobs.length,
      unnamed: mode.jobs === 'untold' ? 0 : unnamed.length,
      secrets: found.filter((breach) => breach.startsWith('a secret')).length,
      breaches: found,
    };
  } finally {
    await server.close();
    if (how.keep !== true) rmSync(cwd, { recursive: true, force: true });
  }
}
