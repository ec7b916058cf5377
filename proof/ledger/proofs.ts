/** `npm run proofs`: tries the cases of the ledger that need it, until all are tried or the time is over. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Wish } from '../proof-options.js';
import { workUntil } from '../pool.js';
import { allCases, type Case, type CaseAnswer } from './cases.js';
import { lineOf, type Entry, type Ledger } from './entry.js';
import { entryAfter, inOrder, isRegression, needOf, withoutOthers } from './order.js';
import { outcomeOf, textOf } from './outcome.js';
import {
  addToLedger,
  caseCode,
  commitNow,
  LEDGER,
  ledgerIn,
  removeOldHistories,
  saveLedger,
  today,
} from './repository.js';
import { writeFigures } from './readme.js';

export interface LedgerWish {
  /** Null: as long as it takes. */
  readonly timeMs: number | null;
  /** The file to write instead of the ledger of the repository, which stays as it is; null: none. */
  readonly save: string | null;
}

/** Endpoints side by side in each thread, where time is real. */
const REAL_AT_ONCE = 8;
/** As many are played before they are judged. */
const REAL_ROUND = 32;
const TOLD_EVERY = 50;
const WORSE = 'WORSE ';

export async function proofs(wish: Wish): Promise<boolean> {
  const { only, say, write, ledger: how } = wish;
  const stop = stopAfter(how.timeMs);
  const all = allCases(caseCode());
  const ledger = withoutOthers(ledgerIn(LEDGER), all);
  const path = how.save ?? LEDGER;
  saveLedger(path, ledger);
  removeOldHistories(all.flatMap(({ histories }) => histories));
  const chosen = all.filter((one) => isChosen(one, only));
  if (chosen.length === 0) throw new Error(`no case is called ${only.join(' or ')}`);
  say(stateOf(chosen, ledger));
  const commit = commitNow();
  // Without a limit, what is as it was is not tried again, unless it is named.
  const wanted = inOrder(chosen, ledger, shuffledBy(commit)).filter(
    (one) => how.timeMs !== null || only.includes(one.id) || needOf(one, ledger.get(one.id)) !== 'current',
  );
  const tried: Entry[] = [];
  const found: string[] = [];
  const first: string[] = [];
  await tryAll(wanted, wish, stop.signal, (one, answer, thrown) => {
    const { details, ...read } = thrown === null ? one.read(answer) : failedToAnswer(one, thrown);
    const known = ledger.get(one.id);
    const entry = entryAfter(known, { id: one.id, ...read, judge: one.judge, commit, date: today() });
    addToLedger(path, entry);
    tried.push(entry);
    if (isRegression(known, entry)) {
      // A first try fails the run that adds it to the ledger, and no other.
      const list = how.save === null || known !== undefined ? found : first;
      list.push(toldOf(entry, say), ...details);
      for (const line of details) say(line);
    }
    if (tried.length % TOLD_EVERY === 0) say(`${tried.length} of ${wanted.length}`);
  });
  stop.clear();
  const ids = new Set(tried.map(({ id }) => id));
  const others = chosen.flatMap(({ id }) => (ids.has(id) ? [] : (ledger.get(id) ?? [])));
  // What got worse once fails each run until it is fixed or accepted.
  for (const entry of others) if (isRegression(entry, entry)) found.push(toldOf(entry, say));
  const worse = found.filter((line) => line.startsWith(WORSE)).length;
  const summary =
    `${tried.length} cases tried at ${commit}, ${wanted.length - tried.length} left: ` +
    (worse === 0 ? 'none is worse than before' : `${worse} are worse than before`);
  say(summary);
  const told = [...found, ...first];
  const lines = [summary, '', ...told, ...(told.length === 0 ? [] : ['']), ...tried.map(lineOf), ''];
  write('proofs.txt', lines.join('\n'));
  if (how.save === null) writeFigures();
  return found.length === 0;
}

/** `precision`, `precision/real-quick`, a case by its whole name, or the beginning of one with `*`. */
function isChosen({ id, isReal }: Case, only: readonly string[]): boolean {
  if (only.length === 0) return !isReal;
  return only.some((wish) => {
    if (wish.endsWith('*')) return id.startsWith(wish.slice(0, -1));
    // Real time wants to be asked for by its name.
    return id === wish || (id.startsWith(`${wish}/`) && (!isReal || wish.includes('/')));
  });
}

function failedToAnswer({ plays }: Case, thrown: Error): CaseAnswer {
  return { outcome: outcomeOf('unchecked'), play: plays[0]!, details: [thrown.stack ?? thrown.message] };
}

function stateOf(cases: readonly Case[], ledger: Ledger): string {
  const count = (need: ReturnType<typeof needOf>): number =>
    cases.filter((one) => needOf(one, ledger.get(one.id)) === need).length;
  return `${cases.length} cases: ${count('untried')} never tried, ${count('changed')} of which the code has changed, ${count('current')} as they were`;
}

function toldOf(entry: Entry, say: Wish['say']): string {
  const before = entry.before === null ? '' : `, before ${textOf(entry.before)}`;
  const told = `${WORSE}${entry.id}: ${textOf(entry.outcome)}${before}; npm run proofs -- --only '${entry.id}'`;
  say(told);
  return told;
}

type Take = (one: Case, answer: unknown, thrown: Error | null) => void;

async function tryAll(
  cases: readonly Case[],
  { threads }: Wish,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const quick = cases.filter(({ isReal }) => !isReal);
  const judge = (some: readonly Case[]): Promise<void> =>
    workUntil(
      some.map(({ task }) => task),
      { threads, atOnce: 1, signal },
      (index, answer, thrown) => take(some[index]!, answer, thrown),
    );
  await judge(quick);
  const real = cases.filter(({ isReal }) => isReal);
  for (let first = 0; first < real.length && !signal.aborted; first += REAL_ROUND) {
    const round = real.slice(first, first + REAL_ROUND);
    const playing = round.flatMap(({ task }) =>
      task.kind === 'precision' ? { ...task, playOnly: true } : [],
    );
    await workUntil(playing, { threads, atOnce: REAL_AT_ONCE, signal }, () => undefined);
    await judge(round);
  }
}

/** Another order at each commit. */
function shuffledBy(commit: string): (id: string) => number {
  return (id) => createHash('sha256').update(`${commit} ${id}`).digest().readUInt32BE();
}

/** Stops when the time is over, or at Ctrl-C; a second one ends the process. */
function stopAfter(timeMs: number | null): { readonly signal: AbortSignal; clear(): void } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const abort = (): void => stop.abort();
  const timer = timeMs === null ? undefined : setTimeout(abort, timeMs);
  process.once('SIGINT', abort);
  return {
    signal: stop.signal,
    clear() {
      clearTimeout(timer);
      process.removeListener('SIGINT', abort);
    },
  };
}
