/** Where the CPU time of the slow rows goes, by part of the source: profiles in docs/performance.md say what limits them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableLine, writeTable } from './page.js';

interface Profiled {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Only what this function does counts; null for the whole process. */
  readonly within: string | null;
}

const PROFILED: readonly Profiled[] = [
  {
    name: 'simulator',
    program: 'bench/programs/simulator.js',
    args: ['typed', '300000'],
    within: 'simulate',
  },
  { name: 'explorer', program: 'bench/programs/explorer.js', args: ['300'], within: 'runBatch' },
  { name: 'judge, explored', program: 'bench/programs/judge.js', args: ['explored', '500'], within: 'judge' },
  {
    name: 'judge, one endpoint',
    program: 'bench/programs/judge.js',
    args: ['one-endpoint', '2000'],
    within: 'judge',
  },
  {
    name: 'suite',
    program: 'src/shell/main.js',
    args: ['check', '--seed', '1', '--progress', 'none'],
    within: null,
  },
];

/** Parts below this share of every program are added up. */
const SHARE_MIN = 0.015;

/** What `node --cpu-prof` writes, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Shares {
  readonly parts: ReadonlyMap<string, number>;
  /** The function with the largest share of its own; one without a name by its file. */
  readonly largest: string;
}

/** Measures the profiles, and puts them into docs/performance.md. */
export function writeProfiles(): void {
  const all = PROFILED.map((each) => sharesOf(profileOf(each), each.within));
  writeTable(
    'profiles',
    partRows(
      PROFILED.map(({ name }) => name),
      all,
    ),
  );
}

/** The head, and a row for each part that is large enough in one of the programs. */
function partRows(names: readonly string[], all: readonly Shares[]): readonly (readonly string[])[] {
  const parts = [...new Set(all.flatMap((shares) => [...shares.parts.keys()]))];
  const largestShare = (part: string): number =>
    Math.max(...all.map((shares) => shares.parts.get(part) ?? 0));
  const shown = parts
    .filter((part) => largestShare(part) >= SHARE_MIN)
    .toSorted((a, b) => largestShare(b) - largestShare(a));
  const rest = ({ parts: shares }: Shares): number =>
    1 - shown.reduce((sum, part) => sum + (shares.get(part) ?? 0), 0);
  return [
    ['part', ...names],
    ...shown.map((part) => [part, ...all.map((shares) => percent(shares.parts.get(part) ?? 0))]),
    ['all others', ...all.map((shares) => percent(rest(shares)))],
    ['largest single function', ...all.map(({ largest }) => largest)],
  ];
}

/** Where the time of the main thread goes in some programs, as lines of a table. @param columns by the name of each */
export function profileLines(
  columns: ReadonlyMap<string, { readonly args: readonly string[]; readonly cwd: string }>,
): readonly string[] {
  const all = [...columns.values()].map(({ args, cwd }) => sharesOf(profiled(args, cwd), null));
  return partRows([...columns.keys()], all).map(tableLine);
}

function profileOf({ program, args }: Profiled): CpuProfile {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  try {
    const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
    const out = program.startsWith('src/') ? ['--out', join(folder, 'out')] : [];
    return profiled([file, ...args, ...out], '.');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function profiled(args: readonly string[], cwd: string): CpuProfile {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  try {
    execFileSync(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, ...args], {
      cwd,
      stdio: 'ignore',
    });
    const [name] = readdirSync(folder).filter((each) => each.endsWith('.cpuprofile'));
    return JSON.parse(readFileSync(join(folder, name!), 'utf8')) as CpuProfile;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, within: string | null): Shares {
  const inside = insideOf(nodes, within);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  let counts = within === null;
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
    if (functionName === '(idle)') continue;
    // The collector has no caller: it works for what ran before it.
    if (functionName !== '(garbage collector)') counts = inside.has(id);
    if (!counts) continue;
    const us = timeDeltas[index]!;
    total += us;
    add(parts, partOf(functionName, url), us);
    if (url !== '') add(functions, `${functionName || basename(url)} ${url}:${lineNumber + 1}`, us);
  }
  const [name = '', us = 0] = [...functions].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return {
    parts: new Map([...parts].map(([part, time]) => [part, time / total])),
    largest: `\`${name.split(' ')[0]}\`, ${percent(us / total)}`,
  };
}

/** The nodes below a function of this name, and the function. */
function insideOf(nodes: CpuProfile['nodes'], within: string | null): ReadonlySet<number> {
  if (within === null) return new Set(nodes.map(({ id }) => id));
  const childrenOf = new Map(nodes.map(({ id, children }) => [id, children ?? []]));
  const waiting = nodes.filter(({ callFrame }) => callFrame.functionName === within).map(({ id }) => id);
  const inside = new Set<number>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (inside.has(id)) continue;
    inside.add(id);
    waiting.push(...childrenOf.get(id)!);
  }
  return inside;
}

function partOf(functionName: string, url: string): string {
  if (functionName === '(garbage collector)') return 'garbage collector';
  if (url.startsWith('node:')) return 'Node';
  // Other commits are compiled below it.
  if (url.replace(/^.*\/runproof-bench\//, '').includes('/node_modules/')) return 'libraries';
  const [, folder] = /\/dist\/src\/(oracle\/[^/]+|[^/]+)\//.exec(url) ?? [];
  if (folder !== undefined) return `\`${folder}/\``;
  return url === '' ? 'V8' : 'the program itself';
}

const add = (sums: Map<string, number>, name: string, more: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + more);

/** Empty where it would be 0.0. */
const percent = (share: number): string =>
  share < 0.0005 ? '' : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
