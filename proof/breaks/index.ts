/**
 * `breaks/` promises, for every wrong, the requirements that it really breaks, judged from the document's sentences and not from
 * what the oracle says: those of its row in the catalogue, `src/mutants/wrongs.ts`, and what follows from it, or from a wrong that
 * only the naive server can do, which the lists say. Precision is measured against it.
 */
import { FAULTS } from '../../specs/naive/faults/wrongs.js';
import { WRONGS } from '../../src/mutants/wrongs.js';
import { REQUIREMENTS, type Requirement } from '../../src/spec/index.js';
import { CALLS } from './calls.js';
import { CHANGES } from './cancel-retry-purge.js';
import { HEALTH } from './health.js';
import { LIFESPANS } from './lifespans.js';
import { fits, wordsOf, type BreaksList } from './list.js';
import { LIVES } from './states-and-workers.js';
import { NARROW } from './narrow.js';
import { RECORDS } from './records.js';
import { RESULTS } from './results.js';
import { SILENT } from './silent.js';
import { STREAMS } from './streams.js';
import { SUBMISSIONS } from './submissions.js';
import { WEBHOOKS } from './webhooks.js';

const LISTS: readonly BreaksList[] = [
  LIVES,
  SUBMISSIONS,
  LIFESPANS,
  RECORDS,
  RESULTS,
  STREAMS,
  CHANGES,
  HEALTH,
  CALLS,
  WEBHOOKS,
  NARROW,
];

const ids: readonly string[] = REQUIREMENTS.map(({ id }) => id);
const faults: readonly string[] = [...new Set([...FAULTS, ...WRONGS].map(({ id }) => id))];
const byFault = new Map<string, Set<string>>();

const breaking = (fault: string): Set<string> => {
  const known = byFault.get(fault) ?? new Set();
  byFault.set(fault, known);
  return known;
};
const inCatalogue = new Map(WRONGS.map(({ id, breaks }) => [id, new Set<string>(breaks)]));
for (const [id, breaks] of inCatalogue) for (const requirement of breaks) breaking(id).add(requirement);
for (const { rows } of LISTS)
  for (const [those, requirements] of rows) {
    const broken = wordsOf(requirements).flatMap((glob) => ids.filter(fits(glob)));
    for (const glob of wordsOf(those))
      for (const fault of faults.filter(fits(glob))) for (const id of broken) breaking(fault).add(id);
  }

/** Requirements that the fault breaks; empty where nobody has said. */
export function brokenBy(fault: string): ReadonlySet<string> {
  return byFault.get(fault) ?? new Set();
}

const MUSTS: readonly Requirement[] = REQUIREMENTS.filter(({ level }) => level === 'must');

/** Why nothing may be said of a fault. */
export interface Excuse {
  readonly why: string;
  /** By a row of `silent.ts`; else by what the fault breaks. */
  readonly isListed: boolean;
}

/** `sharedMaxWaitMs`: played in real time on an endpoint that others use, with waits of at most so long. Null: something has to be said of the fault. */
export function whySilent(fault: string, sharedMaxWaitMs: number | null = null): Excuse | null {
  const row = SILENT.rows.find(([those]) => wordsOf(those).some((glob) => fits(glob)(fault)));
  if (row !== undefined) return { why: `${row[1]}: ${row[2]}`, isListed: true };
  const broken = MUSTS.filter(({ id }) => brokenBy(fault).has(id));
  if (broken.length === 0) return { why: 'it breaks no must', isListed: false };
  if (sharedMaxWaitMs === null) return null;
  const needsAll = ({ needs }: Requirement): boolean => needs.includes('dedicated');
  const waits = ({ waitMs }: Requirement): boolean => waitMs > sharedMaxWaitMs;
  if (!broken.every((one) => needsAll(one) || waits(one))) return null;
  const reasons = [
    ...(broken.some(needsAll) ? ['an endpoint that nobody else uses (--dedicated)'] : []),
    ...(broken.some((one) => !needsAll(one)) ? [`waits of more than ${sharedMaxWaitMs} ms`] : []),
  ];
  return { why: `each must that it breaks needs ${reasons.join(' or ')}`, isListed: false };
}

/** Whether no caller can tell the fault from a conformant endpoint. */
export function isUnobservable(fault: string): boolean {
  return whySilent(fault)?.why.startsWith('unobservable: ') === true;
}

/** Words of the lists that name no fault or no requirement any more, or say what the catalogue says, each with the file to edit. */
export function staleWords(): readonly string[] {
  const silent = SILENT.rows.map(([those]) => [those, '', ''] as const);
  return [...LISTS, { file: SILENT.file, rows: silent }].flatMap(({ file, rows }) =>
    rows.flatMap(([those, requirements]) => [
      ...wordsOf(those)
        .filter((glob) => !faults.some(fits(glob)))
        .map((glob) => `there is no fault ${glob}: correct ${file}`),
      ...wordsOf(requirements)
        .filter((glob) => !ids.some(fits(glob)))
        .map((glob) => `there is no requirement ${glob}: correct ${file}`),
      ...wordsOf(those)
        .filter(
          (glob) => requirements !== '' && faults.filter(fits(glob)).every((id) => isSaid(id, requirements)),
        )
        .map(
          (glob) => `the catalogue says all that this row says of ${glob}: ${requirements}: correct ${file}`,
        ),
    ]),
  );
}

const isSaid = (fault: string, requirements: string): boolean =>
  wordsOf(requirements).every((glob) =>
    ids.filter(fits(glob)).every((id) => inCatalogue.get(fault)?.has(id)),
  );

/** Faults of which no list says what they break; those that an open question makes legal break nothing. */
export function unlisted(): readonly string[] {
  const legal = FAULTS.filter((fault) => fault.legal !== undefined).map(({ id }) => id as string);
  return faults.filter((fault) => !legal.includes(fault) && brokenBy(fault).size === 0);
}
