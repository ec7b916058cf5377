/** What a unit of work costs, by running the program that does it. */
import { spawnSync } from 'node:child_process';

/** A program that prints `{units, ms}`, or one of which the CPU time of the whole process counts. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly prints: boolean;
}

const TIMEOUT_MS = 300_000;

/**
 * Ms for a unit of work: as the program prints it, or CPU time of the whole process, as bash reports it. Null if the
 * program or a package of it is not there.
 *
 * @throws {Error} if it fails otherwise
 */
export function costOf({ file, args, prints }: Program, timeout = TIMEOUT_MS, cwd = '.'): number | null {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const options = { encoding: 'utf8', timeout, cwd } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, file, ...args], options);
  if (/ModuleNotFoundError|ERR_MODULE_NOT_FOUND|Cannot find module|No such file or directory/.test(stderr))
    return null;
  if (status !== 0) throw new Error(`${[file, ...args].join(' ')} failed: ${stderr}`);
  if (prints) {
    const { units, ms } = JSON.parse(stdout) as { readonly units: number; readonly ms: number };
    return ms / units;
  }
  const [user = NaN, system = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return (user + system) * 1_000;
}
