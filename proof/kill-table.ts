/** The kill table: for every fault, which requirements failed, and whether one that it breaks was among them. */
import type { Mutant } from '../src/mutants/index.js';
import type { Failed } from './trials/trial.js';

/** `own`: caught by a requirement that it breaks; `other`: by others only; `survived`: by nothing. */
type Fate = 'own' | 'other' | 'survived';

export interface KillRow {
  readonly mutant: string;
  readonly title: string;
  readonly breaks: readonly string[];
  readonly fate: Fate;
  /** Requirements that failed, each with the first scenario that failed it. */
  readonly own: readonly Kill[];
  readonly others: readonly Kill[];
}

interface Kill {
  readonly requirement: string;
  readonly scenario: string;
}

/** Where the faults were tried. */
type Over = 'simulator' | 'http' | 'real';

export interface KillTable {
  readonly schema: 'runproof-kill-table/1';
  readonly over: Over;
  readonly seed: number;
  readonly runs: number;
  readonly totals: { readonly [fate in Fate]: number };
  readonly rows: readonly KillRow[];
}

export function rowOf({ id, title, breaks }: Mutant, failed: Failed): KillRow {
  const kills = [...failed].map(([requirement, scenario]): Kill => ({ requirement, scenario }));
  const isOwn = ({ requirement }: Kill): boolean => (breaks as readonly string[]).includes(requirement);
  const own = kills.filter(isOwn);
  const others = kills.filter((kill) => !isOwn(kill));
  const fate: Fate = own.length > 0 ? 'own' : others.length > 0 ? 'other' : 'survived';
  return { mutant: id, title, breaks, fate, own, others };
}

export function tableOf(rows: readonly KillRow[], how: Pick<KillTable, 'over' | 'seed' | 'runs'>): KillTable {
  const count = (fate: Fate): number => rows.filter((row) => row.fate === fate).length;
  const totals = { own: count('own'), other: count('other'), survived: count('survived') };
  return { schema: 'runproof-kill-table/1', ...how, totals, rows };
}

const HOW: { readonly [over in Over]: string } = {
  simulator: 'on the simulator',
  http: 'over HTTP under test control',
  real: 'in real time over HTTP, profile standard',
};

export function scoreOf({ totals: { own, other, survived }, over }: KillTable): string {
  const all = own + other + survived;
  const how = HOW[over];
  return `${own} of ${all} faults caught by a requirement they break, ${other} by another only, ${survived} by nothing (${how})`;
}

export function markdownOf(table: KillTable): string {
  const ids = (kills: readonly Kill[]): string =>
    kills.map(({ requirement }) => `\`${requirement}\``).join(' ') || '–';
  return [
    '# Kill table',
    '',
    `${scoreOf(table)}; seed ${table.seed}, ${table.runs} scripts of each scenario.`,
    '',
    '| fault | what it does | caught by what it breaks | also failed | breaks, not caught there |',
    '| --- | --- | --- | --- | --- |',
    ...table.rows.map(({ mutant, title, breaks, own, others }) => {
      const missed = breaks.filter((id) => !own.some(({ requirement }) => requirement === id));
      const rest = missed.map((id) => `\`${id}\``).join(' ') || '–';
      return `| \`${mutant}\` | ${title.replaceAll('|', '\\|')} | ${ids(own)} | ${ids(others)} | ${rest} |`;
    }),
    '',
  ].join('\n');
}
