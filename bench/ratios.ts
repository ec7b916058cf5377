/** Speed beside peers: each ratio is taken in one run on one machine, as an absolute figure says little elsewhere. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Ours and the peer take turns this often; the median of the ratios counts. */
const TURNS = 3;
const TIMEOUT_MS = 300_000;

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

interface Comparison {
  readonly what: string;
  readonly ours: Program;
  readonly peer: Program & { readonly name: string };
  /** The least ratio of units of work per CPU-second that is wanted; for `cost`, the most of CPU time. */
  readonly aim: number;
  readonly compares: 'speed' | 'cost';
}

const ours = (name: string, ...args: readonly string[]): Program => ({
  file: process.execPath,
  args: [fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url)), ...args],
});
/** Debian's own Python: there its packages are. */
const simpy = (name: string, ...args: readonly string[]) => ({
  name,
  file: '/usr/bin/python3',
  args: ['bench/peers/mm8.py', '50000', ...args],
});
const JOBS = '300000';

const COMPARISONS: readonly Comparison[] = [
  {
    what: 'jobs without HTTP, three timers each',
    ours: ours('simulator', JOBS),
    peer: simpy('SimPy with the same timers', 'timers'),
    aim: 30,
    compares: 'speed',
  },
  {
    what: 'jobs without HTTP, three timers each',
    ours: ours('simulator', JOBS),
    peer: simpy("SimPy's bare M/M/8"),
    aim: 8,
    compares: 'speed',
  },
  {
    what: 'steps of one script with 4,000 jobs',
    ours: ours('player', 'one', '4000'),
    peer: { name: '4,000 scripts with one', ...ours('player', 'many', '4000') },
    aim: 0.8,
    compares: 'speed',
  },
  {
    what: '`runproof --version`',
    ours: { file: process.execPath, args: ['bin/runproof.js', '--version'] },
    peer: { name: '`node -e 0`', file: process.execPath, args: ['-e', '0'] },
    aim: 3,
    compares: 'cost',
  },
];

export interface Ratio {
  readonly what: string;
  readonly peer: string;
  readonly aim: string;
  /** Null: one of the two is not installed. */
  readonly ratio: number | null;
}

/**
 * CPU ms for a unit of work: as the program prints it, or of the whole process, as bash reports it. Null if the
 * program or a package of it is not installed.
 *
 * @throws {Error} if it fails otherwise
 */
function costOf({ file, args }: Program): number | null {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const options = { encoding: 'utf8', timeout: TIMEOUT_MS } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, file, ...args], options);
  if (/ModuleNotFoundError|No such file or directory/.test(stderr)) return null;
  if (status !== 0) throw new Error(`${[file, ...args].join(' ')} failed: ${stderr}`);
  if (stdout.startsWith('{')) {
    const { units, cpuMs } = JSON.parse(stdout) as { readonly units: number; readonly cpuMs: number };
    return cpuMs / units;
  }
  const [user = NaN, system = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return (user + system) * 1_000;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

function compare({ what, ours: own, peer, aim, compares }: Comparison): Ratio {
  const named = { what, peer: peer.name, aim: `${compares === 'cost' ? '≤' : '≥'} ${aim}` };
  const ratios: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const cost = costOf(own);
    const peerCost = costOf(peer);
    if (cost === null || peerCost === null) return { ...named, ratio: null };
    ratios.push(compares === 'cost' ? cost / peerCost : peerCost / cost);
  }
  return { ...named, ratio: median(ratios) };
}

/** Measures every ratio, one after the other, and calls back with each. */
export function measureRatios(onRatio: (ratio: Ratio) => void): readonly Ratio[] {
  return COMPARISONS.map((comparison) => {
    const ratio = compare(comparison);
    onRatio(ratio);
    return ratio;
  });
}

const cellsOf = ({ what, peer, aim, ratio }: Ratio): readonly string[] => [
  what,
  peer,
  aim,
  ratio === null ? 'not installed here' : ratio.toFixed(2),
];

export const ratioText = (ratio: Ratio): string => {
  const [what, peer, aim, found] = cellsOf(ratio);
  return `${what} ÷ ${peer}: ${found} (aim ${aim})`;
};

const PAGE = 'docs/performance.md';
const BETWEEN = /(<!-- ratios -->\n)[^]*(<!-- end -->)/;

/** Puts the table into docs/performance.md. */
export function writeRatios(ratios: readonly Ratio[]): void {
  const rows = [['what', '÷', 'aim', 'measured'], ['-', '-', '-', '-'], ...ratios.map(cellsOf)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const text = readFileSync(PAGE, 'utf8');
  if (!BETWEEN.test(text)) throw new Error(`${PAGE} has no place for the table`);
  writeFileSync(
    PAGE,
    text.replace(BETWEEN, (_, from: string, to: string) => `${from}\n${table}\n${to}`),
  );
}
