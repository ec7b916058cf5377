/** What a unit of work costs, by running the program that does it. */
import { spawnSync } from 'node:child_process';

/** A program that prints `{units, ms}`, or one of which the CPU time of the whole process counts. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly prints: boolean;
}

const TIMEOUT_MS = 300_000;
const NOT_THERE =
  /ModuleNotFoundError|ERR_MODULE_NOT_FOUND|Cannot find (module|package)|No such file or directory/;

/**
 * Ms for a unit of work: as the program prints it, or CPU time of the whole process, as bash reports it. Null if the
 * program or a package of it is not there.
 *
 * @throws {Error} if it fails otherwise
 */
export function costOf({ file, args, prints }: Program, timeout = TIMEOUT_MS, cwd = '.'): number | null {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const options = { encoding: 'utf8', timeout, cwd, env: { ...process.env, LC_ALL: 'C' } } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, file, ...args], options);
  const name = [file, ...args].join(' ');
  if (status !== 0 && NOT_THERE.test(stderr)) return null;
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  const cost = prints ? printedCost(stdout) : cpuMs(stderr);
  if (!(cost > 0 && cost < Infinity)) throw new Error(`${name} says that a unit takes ${cost} ms: ${stdout}`);
  return cost;
}

function printedCost(stdout: string): number {
  const { units, ms } = JSON.parse(stdout) as { readonly units: number; readonly ms: number };
  return ms / units;
}

function cpuMs(stderr: string): number {
  const [user = NaN, system = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return (user + system) * 1_000;
}
