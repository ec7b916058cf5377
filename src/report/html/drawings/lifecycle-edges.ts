/** The life-cycle of a job for a drawing: its transitions, what the run saw of each, and what is required of it. */
import type { SeenTransition, Transition } from '../../../oracle/ledger/findings.js';
import { formatDuration, markOf, pluralize, type Mark } from '../../formatting.js';
import { getOrMake } from '../../../util/maps.js';
import type { Report } from '../../report.js';
import { sumTransitions } from '../../seen-transitions.js';

export type DrawnState = Exclude<Transition['from'], 'PURGED'>;

/** The requirements of a part of the drawing. */
interface Covered {
  readonly ids: readonly string[];
  /** Those that failed, the known ones too. */
  readonly failed: readonly string[];
  /**
   * The worst of those about this part. What failed and concerns several transitions counts for those of them that have a
   * failure of their own; if none has, for all. A state's own are that it lasts.
   */
  readonly mark: Extract<Mark, 'fail' | 'known' | 'advice'> | 'seen' | 'unseen';
}

export interface Edge extends Covered {
  readonly from: DrawnState;
  readonly to: DrawnState;
  /** The timers and calls that cause it. */
  readonly by: string;
  readonly seen: SeenTransition | null;
}

export interface State extends Covered {
  readonly name: DrawnState;
}

export interface Lifecycle {
  readonly edges: readonly Edge[];
  readonly states: readonly State[];
  /** What was seen beyond the transitions that the document names. */
  readonly others: readonly SeenTransition[];
}

const MARKED = ['fail', 'known', 'advice'] as const;

/** A purged job is gone. A waiting job that has crashed every worker fails as one that runs. */
const drawnAs = ({ from, to }: Pick<Transition, 'from' | 'to'>): { from: DrawnState; to: DrawnState } => ({
  from: from === 'PURGED' ? 'GONE' : from === 'IN_QUEUE' && to === 'FAILED' ? 'IN_PROGRESS' : from,
  to: to === 'PURGED' ? 'GONE' : to,
});

export function lifecycleOf(report: Report, transitions: readonly Transition[]): Lifecycle {
  const found = new Map(report.requirements.map((requirement) => [requirement.id, markOf(requirement)]));
  const isFailed = (id: string): boolean => MARKED.some((mark) => mark === found.get(id));
  const idsOf = (rows: readonly Transition[]): readonly string[] => {
    const all = rows.flatMap(({ notEarlier, notLater, requires }) => [
      ...requires,
      ...notEarlier,
      ...notLater,
    ]);
    return [...new Set<string>(all)].filter((id) => found.has(id));
  };
  const worst = (ids: readonly string[], isSeen: boolean): Covered['mark'] =>
    MARKED.find((mark) => ids.some((id) => found.get(id) === mark)) ?? (isSeen ? 'seen' : 'unseen');
  const seen = sumTransitions(
    (report.transitions ?? [])
      .map((one) => ({ ...one, ...drawnAs(one) }))
      .filter(({ from, to }) => from !== to),
  );
  const rowsOfEdges = new Map<string, Transition[]>();
  for (const row of transitions) {
    const { from, to } = drawnAs(row);
    if (row.by !== null && from !== to) getOrMake(rowsOfEdges, `${from} ${to}`, () => []).push(row);
  }
  const edges = [...rowsOfEdges.values()].map((rows) => {
    const { from, to } = drawnAs(rows[0]!);
    const ids = idsOf(rows);
    // "ttl (2.2)", "retention of a cancelled job (3)"
    const by = [...new Set(rows.map((row) => row.by!.replace(/ .*/, '')))].join(', ');
    const times = seen.find((one) => one.from === from && one.to === to) ?? null;
    return { from, to, by, seen: times, ids, failed: ids.filter(isFailed) };
  });
  const sharing = (id: string): number => edges.filter(({ failed }) => failed.includes(id)).length;
  const hasOwn = ({ failed }: Pick<Edge, 'failed'>): boolean => failed.some((id) => sharing(id) === 1);
  const isTold = (id: string): boolean =>
    sharing(id) === 1 || !edges.some((edge) => edge.failed.includes(id) && hasOwn(edge));
  const visited = new Set(['IN_QUEUE', ...seen.map(({ to }) => to)]);
  return {
    edges: edges.map((edge) => ({ ...edge, mark: worst(edge.failed.filter(isTold), edge.seen !== null) })),
    states: [...new Set(transitions.map((row) => drawnAs(row).from))].map((name) => {
      const rows = transitions.filter((row) => drawnAs(row).from === name);
      const ids = idsOf(rows);
      const staying = idsOf(rows.filter(({ by }) => by === null));
      return { name, ids, failed: ids.filter(isFailed), mark: worst(staying, visited.has(name)) };
    }),
    others: seen.filter(({ from, to }) => !rowsOfEdges.has(`${from} ${to}`)),
  };
}

/** What causes a transition, how often it was seen, and what failed or how long it took. */
export function wordsOf({ by, seen, failed, mark }: Edge): readonly string[] {
  const failures = isMarked(mark) ? [`${failed.length} failed`] : [];
  if (seen === null) return [by, ...(failures.length === 0 ? ['never seen'] : failures)];
  const { times, shortestMs, longestMs } = seen;
  const span = [shortestMs, longestMs].flatMap((ms) => (ms === null ? [] : ms)).toSorted((a, b) => a - b);
  const isAbout = shortestMs !== null && longestMs !== null && shortestMs > longestMs;
  const text = `${isAbout ? '~' : ''}${[...new Set(span.map(roughly))].join(' – ')}`;
  const after = failures.length > 0 || span.length === 0 ? failures : [text];
  return [by, `${times}×`, ...after];
}

/** In one unit, as there is little room: `29 min`. */
const roughly = (ms: number): string => formatDuration(ms).split(' ', 2).join(' ');

export const countOf = (ids: readonly string[], failed: readonly string[]): string =>
  `${pluralize(ids.length, 'requirement')}${failed.length === 0 ? '' : `, ${failed.length} failed`}`;

/** How to read the drawing, in short lines. */
export const CAPTION = [
  'How many jobs certainly made each transition, and the shortest and longest time they had spent in the state before,',
  'as far as reads prove it. ~: approximate, because no read proves a difference.',
  'Dashed: never seen.',
  'Red: a requirement about it failed; jobs that violate the document are not counted.',
];

export const howManySeen = ({ edges }: Lifecycle): string =>
  `${edges.filter(({ seen }) => seen !== null).length} of ${pluralize(edges.length, 'transition')} of the document seen`;

/** A sentence, if there is something to say. */
export const alsoSeen = ({ others }: Lifecycle): readonly string[] =>
  others.length === 0
    ? []
    : [`Also seen: ${others.map(({ from, to, times }) => `${from} → ${to} (${times}×)`).join(', ')}.`];

/** Each requirement that failed, with the states and transitions that are marked for it. */
export function failuresOf({ edges, states }: Lifecycle): readonly string[] {
  const places = new Map<string, string[]>();
  const parts = [
    ...edges.map((edge) => ({ ...edge, name: `${edge.from} → ${edge.to}` })),
    ...states.filter(({ mark }) => isMarked(mark)),
  ];
  for (const { name, failed, mark } of parts)
    for (const id of failed) {
      const where = getOrMake(places, id, () => []);
      if (isMarked(mark)) where.push(name);
    }
  return [...places].map(([id, where]) => `Failed: ${id} (${where.join(', ')})`);
}

const isMarked = (mark: Covered['mark']): boolean => mark !== 'seen' && mark !== 'unseen';
