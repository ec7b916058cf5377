/**
 * Completes the word under the cursor, after the script that `runproof completion` prints. Only what the word
 * needs is loaded, and nothing but candidates is ever printed: whatever goes wrong, there are none.
 */
import type { Io } from './io.js';
import { ACTIONS, LISTS } from './command-options.js';
import { AUTH_FORMS, CLOCKS, EDITIONS, PROFILES, PROGRESS_MODES, WORKERS } from './option-values.js';
import { FORMAT_NAMES } from '../report/formats/names.js';

/** The flag that the script passes, before the words of the command line. */
const FLAG = '--get-yargs-completions';

type Candidates = () => Promise<readonly string[]> | readonly string[];

async function requirements(): Promise<readonly string[]> {
  const { REQUIREMENTS } = await import('../spec/index.js');
  return REQUIREMENTS.map(({ id }) => id);
}

/** What `--only` and `--skip` take: sections, requirements and scenarios. */
async function selectors(): Promise<readonly string[]> {
  const ids = await requirements();
  const { SCENARIO_NAMES } = await import('../../scenarios/names.js');
  return [...new Set(ids.map((id) => id.slice(0, id.indexOf('/')))), ...ids, ...SCENARIO_NAMES];
}

async function mutants(): Promise<readonly string[]> {
  const { MUTANTS } = await import('../mutants/index.js');
  return MUTANTS.map(({ id }) => id);
}

/** The values of options, by their names. Those of other options are files, addresses, numbers or durations. */
const VALUES: { readonly [option: string]: Candidates } = {
  '--auth': () => AUTH_FORMS,
  '--clock': () => CLOCKS,
  '--edition': () => EDITIONS,
  '--format': () => FORMAT_NAMES,
  '--mutant': mutants,
  '--only': selectors,
  '--profile': () => PROFILES,
  '--progress': () => PROGRESS_MODES,
  '--skip': selectors,
  '--worker': () => WORKERS,
};

/** What can be shown of a report: what failed in it first, then the rest. */
async function shown(report: string, io: Io): Promise<readonly string[]> {
  const { readReport } = await import('./report-files.js');
  const written = readReport(report, io.cwd);
  if (written.kind !== 'check') return [];
  const failing = written.report.requirements.filter(({ verdict }) => verdict === 'fail');
  return (failing.length > 0 ? failing : written.report.requirements).map(({ id }) => id);
}

/**
 * The candidates for the last of these words: null when yargs knows better, which completes commands and
 * options.
 */
async function candidates(words: readonly string[], io: Io): Promise<readonly string[] | null> {
  const [command = '', ...more] = words.slice(1, -1);
  const values = VALUES[words.at(-2) ?? ''];
  if (values !== undefined) return values();
  if ((words.at(-1) ?? '').startsWith('-')) return null;
  const given = more.filter((word) => !word.startsWith('-'));
  if (command === 'list' && given.length === 0) return LISTS;
  if (command === 'report' && given.length === 0) return ACTIONS;
  if (command === 'show' && given.length > 0) return shown(given[0]!, io);
  // A list of selectors goes on until the next option.
  const option = more.findLast((word) => word.startsWith('-'));
  return option === '--only' || option === '--skip' ? selectors() : null;
}

/** True if the command line asks for candidates of this program's own, which are then printed. */
export async function completes(args: readonly string[], io: Io): Promise<boolean> {
  if (args[0] !== FLAG) return false;
  const words = args.slice(1);
  const current = words.at(-1) ?? '';
  try {
    const found = await candidates(words, io);
    if (found === null) return false;
    const matching = found.filter((candidate) => candidate.startsWith(current));
    io.out(matching.map((candidate) => `${candidate}\n`).join(''));
  } catch {
    // A message would stand in the prompt.
  }
  return true;
}
