/** The life-cycle of a job for a drawing: its transitions, what the run saw of each, and what is required of it. */
import type { SeenTransition, Transition } from '../../../oracle/ledger/findings.js';
import { formatDuration, markOf, pluralize, type Mark } from '../../formatting.js';
import { LIVE_STATUSES } from '../../../spec/states.js';
import { getOrMake } from '../../../util/maps.js';
import type { Report, ReportRequirement } from '../../report.js';
import { sumTransitions } from '../../seen-transitions.js';

export type DrawnState = Exclude<Transition['from'], 'PURGED'>;

/** The requirements of a part of the drawing. */
interface Covered {
  readonly ids: readonly string[];
  /** Those whose failure is certainly about this part, the known ones too. */
  readonly failed: readonly string[];
  /** The worst of them; of a state, that it lasts. */
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
  /** Requirements about several parts, which failed, and the report does not tell at which. */
  readonly unplaced: readonly string[];
}

/** A transition with its requirements, of which `late` say when it must have been made. */
interface Concerned extends Pick<Edge, 'from' | 'to' | 'by' | 'ids'> {
  readonly late: readonly string[];
}

const MARKED = ['fail', 'known', 'advice'] as const;

/** A purged job is gone. A waiting job that has crashed every worker fails as one that runs. */
const drawnAs = ({ from, to }: Pick<Transition, 'from' | 'to'>): { from: DrawnState; to: DrawnState } => ({
  from: from === 'PURGED' ? 'GONE' : from === 'IN_QUEUE' && to === 'FAILED' ? 'IN_PROGRESS' : from,
  to: to === 'PURGED' ? 'GONE' : to,
});

export function lifecycleOf(report: Report, transitions: readonly Transition[]): Lifecycle {
  const found = new Map(report.requirements.map((requirement) => [requirement.id, markOf(requirement)]));
  const failing = report.requirements.filter((one) => MARKED.some((mark) => mark === markOf(one)));
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
  const concerned = [...rowsOfEdges.values()].map((rows): Concerned => {
    // "ttl (2.2)", "retention of a cancelled job (3)"
    const by = [...new Set(rows.map((row) => row.by!.replace(/ .*/, '')))].join(', ');
    return { ...drawnAs(rows[0]!), by, ids: idsOf(rows), late: rows.flatMap(({ notLater }) => notLater) };
  });
  const edges = concerned.map((edge): Edge => {
    const { from, to, by, ids } = edge;
    const times = seen.find((one) => one.from === from && one.to === to) ?? null;
    const failed = failing.filter((one) => isAbout(one, edge, concerned)).map(({ id }) => id);
    return { from, to, by, seen: times, ids, failed, mark: worst(failed, times !== null) };
  });
  const states = statesOf(transitions, idsOf, edges, (id) => failing.some((one) => one.id === id));
  const visited = new Set(['IN_QUEUE', ...seen.map(({ to }) => to)]);
  const parts = [...edges, ...states];
  return {
    edges,
    states: states.map(({ own, ...state }) => ({ ...state, mark: worst(own, visited.has(state.name)) })),
    unplaced: failing
      .map(({ id }) => id)
      .filter((id) => parts.some(({ ids }) => ids.includes(id)))
      .filter((id) => !parts.some(({ failed }) => failed.includes(id))),
    others: seen.filter(({ from, to }) => !rowsOfEdges.has(`${from} ${to}`)),
  };
}

/** `own`: the failures of a state itself, which are about no other. */
function statesOf(
  transitions: readonly Transition[],
  idsOf: (rows: readonly Transition[]) => readonly string[],
  edges: readonly Edge[],
  isFailing: (id: string) => boolean,
): readonly (Omit<State, 'mark'> & { readonly own: readonly string[] })[] {
  const all = [...new Set(transitions.map((row) => drawnAs(row).from))].map((name) => {
    const rows = transitions.filter((row) => drawnAs(row).from === name);
    return { name, ids: idsOf(rows), staying: idsOf(rows.filter(({ by }) => by === null)) };
  });
  return all.map(({ name, ids, staying }) => {
    const isOwn = (id: string): boolean =>
      all.filter((state) => state.staying.includes(id)).length === 1 && isFailing(id);
    const own = staying.filter(isOwn);
    const leaving = edges.filter(({ from }) => from === name).flatMap(({ failed }) => failed);
    return { name, ids, own, failed: ids.filter((id) => own.includes(id) || leaving.includes(id)) };
  });
}

/**
 * Whether the failure of a requirement is certainly about this transition: it is about no other, or its calls tell. A job that
 * still waits or runs when it is too late should have left this state; one that has ended by then may only have ended too late.
 */
function isAbout({ id, failures }: ReportRequirement, edge: Concerned, all: readonly Concerned[]): boolean {
  const about = all.filter(({ ids }) => ids.includes(id));
  if (!about.includes(edge) || about.length === 1) return about.includes(edge);
  const isOfLateness = about.some(({ late }) => late.includes(id));
  return failures.some(({ sign }) => {
    const left = isOfLateness ? LIVE_STATUSES.find((state) => state === sign?.state) : sign?.endedAs;
    return edge.from === left && about.filter(({ from }) => from === left).length === 1;
  });
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
  'Red: a requirement certainly failed here; jobs that violate the document are not counted.',
];

export const howManySeen = ({ edges }: Lifecycle): string =>
  `${edges.filter(({ seen }) => seen !== null).length} of ${pluralize(edges.length, 'transition')} of the document seen`;

/** Sentences, if there is something to say. */
export const alsoSeen = ({ others, unplaced }: Lifecycle): readonly string[] => [
  ...(others.length === 0
    ? []
    : [`Also seen: ${others.map(({ from, to, times }) => `${from} → ${to} (${times}×)`).join(', ')}.`]),
  ...(unplaced.length === 0
    ? []
    : [`Failed, but the report does not tell in which of several transitions: ${unplaced.join(', ')}.`]),
];

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
