/** The jobs of one script over time, a row for each: when it waited, ran and ended, as far as that was seen or reported. */
import type { HistoryEvent } from '../../history/events.js';
import { isObject } from '../../util/json.js';
import { exactDuration } from '../../util/duration.js';
import { truncated } from '../escape.js';
import { pluralize } from '../formatting.js';
import { at, figure } from './drawings/figure.js';
import { h, type Markup } from './markup.js';
import { drawSegment } from './drawings/proof-drawing.js';
import { lanesOf, type Lane } from './drawings/proof-lanes.js';
import { AXIS_HEIGHT, scale, ticks, TIME_CAPTION } from './drawings/scale.js';

const WIDTH = 860;
const LEFT = 130;
const RIGHT = 14;
const ROW_HEIGHT = 24;
/** One job is told by its steps; more than the last are no picture. */
const [JOBS_MIN, JOBS_MAX] = [2, 16];
const CALLS_MAX = 150;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Null if the script has too few jobs to compare, or too many to draw.
 * @param inMs records report their times in milliseconds
 */
export function jobRows(history: readonly HistoryEvent[], script: number, inMs: boolean): Markup | null {
  const events = history.filter((event) => 'script' in event && event.script === script);
  const calls = events.filter((event) => event.kind === 'call').map(({ call }) => call);
  const start = events.find((event) => event.kind === 'script');
  if (start === undefined || calls.length > CALLS_MAX) return null;
  const lanes = lanesOf(events, calls, start.atMs, false).filter(({ segments }) => segments.length > 0);
  if (lanes.length < JOBS_MIN || lanes.length > JOBS_MAX) return null;
  const rows = lanes.map((lane) => ({ lane, run: inMs ? reportedRun(lane) : null }));
  const changes = events
    .filter((event) => event.kind === 'workers')
    .map(({ receivedMs, workers }) => ({ atMs: receivedMs - start.atMs, workers }));
  const instants = [
    ...rows
      .flatMap(({ lane, run }) => [...lane.segments, ...(run === null ? [] : [run])])
      .flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
    ...changes.map(({ atMs }) => atMs),
  ];
  const along = scale(instants, WIDTH - LEFT - RIGHT);
  const x = (ms: number): number => LEFT + along(ms);
  const bottom = AXIS_HEIGHT + rows.length * ROW_HEIGHT;
  const workers = start.workers === null ? '' : ` ${pluralize(start.workers, 'worker')} at the start.`;
  return figure(
    {
      ...{ kind: 'proofs jobs', width: WIDTH, height: bottom + 4 },
      text: `Jobs in time: ${rows.map(({ lane }) => `${truncated(lane.name, 40)} ${truncated(lane.segments.at(-1)!.to, 17)} by ${exactDuration(lane.segments.at(-1)!.toMs)}`).join('; ')}`,
      caption: `A row for each job; hollow: between two reads. The line below: its run, as its record reports.${workers} ${TIME_CAPTION}`,
    },
    ticks(instants, x, { width: WIDTH, bottom }),
    changes.map(
      ({ atMs, workers: count }) =>
        h`<path class="change" d="M${at(x(atMs))} ${AXIS_HEIGHT}V${bottom}"><title>${pluralize(count, 'worker')} from here on</title></path>`,
    ),
    rows.map(({ lane, run }, index) => {
      const y = AXIS_HEIGHT + index * ROW_HEIGHT + 2;
      return h`<text class="name" x="6" y="${y + 11}">${truncated(lane.name, 17)}</text>${lane.segments.map((segment) => drawSegment(segment, x, y))}${
        run === null ? h`` : h`<path class="run" d="M${at(x(run.fromMs))} ${y + 15}H${at(x(run.toMs))}" />`
      }`;
    }),
  );
}

/** Of a job that was not retried; null where its record tells no run that fits between its first and its last read. */
function reportedRun({ calls, segments }: Lane): Span | null {
  const record = calls.findLast(({ op }) => op === 'status' || op === 'runsync')?.reply?.body;
  const value = record?.as === 'json' ? record.value : null;
  if (!isObject(value) || calls.some(({ op }) => op === 'retry')) return null;
  const { delayTime, executionTime } = value;
  const [first, last] = [segments[0]!, segments.at(-1)!];
  if (typeof delayTime !== 'number' || typeof executionTime !== 'number') return null;
  const fromMs = first.fromMs + delayTime;
  const toMs = fromMs + executionTime;
  const fits = delayTime >= 0 && executionTime > 0 && toMs <= last.toMs;
  return fits ? { fromMs, toMs } : null;
}
