/** The lane of a job: a row for each state that it may be in, with the band of time since when, and "why not?". */
import { exactDuration } from '../../util/duration.js';
import { el, prose } from './dom.js';
import type { DrawnBand, Reading } from './reading.js';
import { scaleOf } from './scale.js';

/** Of a long script, so many instants before the current one are drawn, and so many after it. */
const [BEFORE, AFTER] = [24, 8];

export interface LaneOptions {
  readonly reading: Reading;
  readonly job: number;
  readonly instant: number;
  /** The state that is asked about. */
  readonly asked: string | null;
  readonly ask: (state: string) => void;
  readonly go: (instant: number) => void;
}

export function laneOf({ reading, job, instant, asked, ask, go }: LaneOptions): HTMLElement {
  const { name, about } = reading.data.jobs[job]!;
  const bands = reading.bands(job, instant);
  const note = reading.note(job, instant);
  const window = windowOf(reading, instant, bands);
  const others = reading.data.states.filter(
    (state) => state !== 'NOT_YET' && !bands.some((one) => one.state === state),
  );
  const button = (state: string): HTMLElement =>
    el(
      'button',
      {
        type: 'button',
        id: `why-${job}-${state}`,
        'aria-pressed': `${asked === state}`,
        click: () => ask(state),
      },
      state,
    );
  return el(
    'section',
    { class: 'lane', 'aria-label': name },
    el('h3', {}, name, ' ', el('small', {}, about)),
    timesOf(window),
    ...bands.map((band) =>
      el(
        'div',
        { class: band.struckBy === null ? 'belief' : 'belief struck' },
        band.state === 'NOT_YET' ? el('b', {}, band.state) : button(band.state),
        trackOf(band, window, go),
        el(
          'p',
          {},
          band.words,
          ...(band.struckBy ?? []).map((line) => el('span', { class: 'why' }, ...prose(line))),
        ),
      ),
    ),
    ...(note === null ? [] : [el('p', { class: 'note-of' }, note)]),
    el(
      'div',
      { class: 'not', role: 'group', 'aria-label': `Why not? ${name}` },
      'Why not: ',
      ...others.map(button),
    ),
    ...(asked === null
      ? []
      : [
          el(
            'p',
            { class: 'answer' },
            ...reading.whyNot(job, instant, asked).map((line) => el('span', {}, ...prose(line))),
          ),
        ]),
  );
}

interface Window {
  readonly place: (ms: number) => number;
  readonly fromMs: number;
  readonly nowMs: number;
  /** What can be gone to, and where it is. */
  readonly instants: readonly {
    readonly instant: number;
    readonly place: number;
    readonly isCall: boolean;
  }[];
}

function windowOf({ data, last }: Reading, instant: number, bands: readonly DrawnBand[]): Window {
  const isShort = last <= BEFORE + AFTER;
  const from = isShort ? 0 : Math.max(0, instant - BEFORE);
  const seen = data.instants.slice(from, isShort ? last + 1 : instant + AFTER + 1);
  const fromMs = from === 0 ? Math.min(0, seen[0]![0]) : seen[0]![0];
  const edges = bands
    .flatMap((band) => [band.fromMs, band.byMs])
    .filter((ms) => ms > fromMs && ms < seen.at(-1)![0]);
  const place = scaleOf([fromMs, ...seen.map(([ms]) => ms), ...edges]);
  return {
    place,
    fromMs,
    nowMs: data.instants[instant]![0],
    instants: seen.map(([ms, call], at) => ({ instant: from + at, place: place(ms), isCall: call !== null })),
  };
}

/** When the tracks begin, and the current instant. */
function timesOf({ place, fromMs, nowMs }: Window): HTMLElement {
  const now = place(nowMs);
  const at = now > 50 ? `right:${100 - now}%` : `left:${now}%`;
  return el(
    'div',
    { class: 'belief times', 'aria-hidden': 'true' },
    el('span', {}),
    el(
      'div',
      {},
      ...(now > 25 ? [el('time', { style: 'left:0' }, exactDuration(fromMs))] : []),
      el('time', { style: at }, exactDuration(nowMs)),
    ),
  );
}

/** Hatched while it may have been entered, solid since it was; up to the current instant. */
function trackOf(
  band: DrawnBand,
  { place, nowMs, instants }: Window,
  go: (instant: number) => void,
): HTMLElement {
  const now = place(nowMs);
  const by = Math.min(place(band.byMs), now);
  const from = Math.min(place(band.fromMs), by);
  // What has only begun is seen, too.
  const part = (kind: string, left: number, width: number): HTMLElement =>
    el('i', {
      class: `${kind} ${band.state.toLowerCase()}`,
      style: `left:min(${left}%,100% - 3px);width:${width}%`,
    });
  const nearest = ({ clientX, currentTarget }: MouseEvent): void => {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
    const at = ((clientX - left) / width) * 100;
    const [first] = instants.toSorted((one, other) => Math.abs(one.place - at) - Math.abs(other.place - at));
    go(first!.instant);
  };
  return el(
    'div',
    { class: 'track', 'aria-hidden': 'true', click: nearest },
    ...instants
      .filter(({ isCall }) => isCall)
      .map(({ place: left }) => el('i', { class: 'tick', style: `left:${left}%` })),
    part('may', from, by - from),
    part('is', by, now - by),
    el('i', { class: 'now', style: `left:max(0px,${now}% - 2px)` }),
  );
}
