import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atOnceHere, LIMIT_MS, SPEED } from '../../src/features/client/defaults.js';
import { runClient } from '../../src/features/client/run-client.js';
import { weathersFor } from '../../src/features/client/select-weathers.js';
import { clientReport } from '../../src/report/client/build.js';
import type { Report } from '../../src/report/index.js';
import { OUTPUT, type KnownClient } from './clients.js';
import type { Results } from './results.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where programs run, and where clients that are no dependencies are installed. */
export const FOLDER = join(ROOT, 'reports', 'known-clients');
const SEED = 1;

/** An installed client. */
export interface Found {
  readonly version: string;
  readonly sourceText: string;
  readonly command: (program: string) => readonly string[];
}

/** A Python that can import `runpod`. */
const python = (): string => process.env['RUNPOD_PYTHON'] ?? 'python3';

/** The installed client, or why it cannot be judged. */
export function findClient({ name, registry, version, source, onRequest }: KnownClient): Found | string {
  if (registry === 'pip') {
    const script = 'import os, runpod; print(runpod.__version__); print(os.path.dirname(runpod.__file__))';
    try {
      const told = execFileSync(python(), ['-c', script], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [own = '', folder = ''] = told.trim().split('\n');
      return {
        // A checkout does not know its version.
        version: own === 'unknown' ? version : own,
        sourceText: readFileSync(join(folder, source), 'utf8'),
        command: (program) => [python(), program],
      };
    } catch {
      return `${python()} cannot import ${name}: set RUNPOD_PYTHON to a Python that has it`;
    }
  }
  const at = [FOLDER, ROOT].map((folder) => join(folder, 'node_modules', name)).find(existsSync);
  if (at === undefined)
    return `${name} is not installed: ${onRequest === true ? 'npm run clients -- --install' : 'npm ci'}`;
  const { version: own } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { version: string };
  return {
    version: own,
    sourceText: readFileSync(join(at, source), 'utf8'),
    command: (program) => [process.execPath, program],
  };
}

/** Judges a program that uses the client, under these conditions; none: all. */
export async function judgeProgram(
  { name }: KnownClient,
  { version, command }: Found,
  program: string,
  conditions: readonly string[] = [],
  signal = new AbortController().signal,
): Promise<Report> {
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(new URL(`programs/${program}`, import.meta.url), join(FOLDER, program));
  const run = await runClient({
    client: { kind: 'command', command: command(program), cwd: FOLDER, env: process.env, input: null },
    name: `${name} ${version}, ${program}`,
    weathers: weathersFor(conditions, []),
    ...{ seed: SEED, speed: SPEED, limitMs: LIMIT_MS, atOnce: atOnceHere(), edition: 'runpod' },
    ...{ output: OUTPUT, expect: new Map(), signal, onProgress: () => undefined },
    startedAt: new Date().toISOString(),
  });
  return clientReport(run, (some) => commandFor(program, some));
}

/** What repeats it by hand, in the folder of the program. */
export const commandFor = (program: string, conditions: readonly string[]): string =>
  `npx runproof client --edition runpod --seed ${SEED} --output '${JSON.stringify(OUTPUT)}' --only ${conditions.join(',')} -- ${program.endsWith('.py') ? 'python3' : 'node'} ${program}`;

const CONDITIONS_KEPT = 3;

export function resultOf(report: Report, version: string): Results[string] {
  const ids = (verdict: string): readonly string[] =>
    report.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
  return {
    version,
    kept: ids('pass'),
    broken: Object.fromEntries(
      report.requirements
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ id, failures }) => [
          id,
          [...new Set(failures.map(({ scenario }) => scenario))].slice(0, CONDITIONS_KEPT),
        ]),
    ),
  };
}
