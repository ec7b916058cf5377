/** The window of a rate limit (section 8): how many calls were let in within it, the limit as a line, and each 429. */
import type { CallEvent, HistoryEvent } from '../../../history/events.js';
import { MAIN_OPERATIONS } from '../../../spec/operations.js';
import { RATES, type RateLimit } from '../../../spec/rates.js';
import { getOrMake } from '../../../util/maps.js';
import { exactDuration } from '../../../util/duration.js';
import { pluralize } from '../../formatting.js';
import { at, figure } from './figure.js';
import { h, type Markup } from '../markup.js';
import { AXIS_HEIGHT, roundSteps, ticks } from './scale.js';

const WIDTH = 860;
const LEFT = 60;
const RIGHT = 20;
const HEIGHT = 150;
const BOTTOM = AXIS_HEIGHT + HEIGHT;
/** However many calls there are, this many values are drawn. */
const COLUMNS = 200;
/** Calls of a failure that are named. */
const NAMED_MAX = 3;

/** The calls of one operation at one endpoint, made by one script, in the order of sending. */
interface RatedCalls {
  readonly limit: RateLimit;
  readonly calls: readonly CallEvent[];
}

interface Column {
  /** The most calls let in within one window that ends in this column. */
  most: number;
  refused: number;
}

/** Null if these calls are not of a rated operation, or too few to say anything of its limit. */
export function rateDrawing(history: readonly HistoryEvent[], shown: readonly number[]): Markup | null {
  const last = history.find((event) => event.kind === 'call' && event.call === shown.at(-1));
  if (last?.kind !== 'call') return null;
  const all = ratedCalls(history.filter((event) => event.kind === 'call' && event.script === last.script));
  const rated = all.find(({ calls }) => calls.includes(last));
  return rated === undefined ? null : draw(rated, shown.slice(-NAMED_MAX));
}

/**
 * Of each operation the calls of the script that violated its limit, or else of the one with the most calls of those that reached
 * it and saw it recover; nothing if no script came near a limit.
 *
 * @param failed calls that violate a requirement of section 8
 */
export function rateCard(history: readonly HistoryEvent[], failed: ReadonlySet<number>): Markup {
  const all = ratedCalls(history);
  if (all.length === 0) return h``;
  const isViolated = ({ calls }: RatedCalls): boolean => calls.some(({ call }) => failed.has(call));
  const recovers = ({ calls }: RatedCalls): boolean => {
    const refused = calls.findIndex(isRefused);
    return refused > 0 && calls.slice(refused).some(isLetIn);
  };
  const shown = all
    .filter((rated) => isViolated(rated) || recovers(rated))
    .sort((a, b) => Number(isViolated(b)) - Number(isViolated(a)) || b.calls.length - a.calls.length)
    .filter((rated, index, sorted) => sorted.findIndex((one) => opOf(one) === opOf(rated)) === index);
  const others = MAIN_OPERATIONS.filter(
    (op) => RATES[op] !== null && shown.every((rated) => opOf(rated) !== op),
  ).map((op) => `/${op}`);
  return h`<section id="rates" aria-labelledby="rates-title"><h2 id="rates-title">Rate limits at work</h2>
${shown.map((rated, index) => h`<details class="fold"${index === 0 ? h` open` : h``}><summary>/${opOf(rated)}: ${rated.limit.requests} calls in ${exactDuration(rated.limit.windowMs)}${isViolated(rated) ? h` <span class="badge fail">violated</span>` : h``}</summary>${draw(rated, [])}</details>`)}
${others.length === 0 ? h`` : h`<p class="meta">Not drawn, because no script had calls refused at the limit and later ones let in: ${others.join(', ')}.</p>`}</section>`;
}

const opOf = ({ calls }: RatedCalls): string => calls[0]!.op!;
const isRefused = ({ reply }: CallEvent): boolean => reply?.status === 429;
const isAccepted = ({ reply }: CallEvent): boolean => reply !== null && reply.status < 300;
/** The rate counts it, unless what is wrong with it is seen before: a wrong key always is. */
const isLetIn = ({ reply }: CallEvent): boolean => reply !== null && ![401, 403, 429].includes(reply.status);

function ratedCalls(history: readonly HistoryEvent[]): readonly RatedCalls[] {
  const found = new Map<string, { limit: RateLimit; calls: CallEvent[] }>();
  for (const event of history) {
    if (event.kind !== 'call') continue;
    const limit = event.op === null ? null : RATES[event.op];
    if (limit === null) continue;
    const key = `${event.script} ${event.endpoint} ${event.op}`;
    getOrMake(found, key, () => ({ limit, calls: [] })).calls.push(event);
  }
  return [...found.values()]
    .filter(({ limit, calls }) => calls.some(isRefused) || calls.length >= limit.requests)
    .map(({ limit, calls }) => ({ limit, calls: calls.toSorted((a, b) => a.sentTick - b.sentTick) }));
}

function draw({ limit, calls }: RatedCalls, named: readonly number[]): Markup {
  const { requests, windowMs } = limit;
  const firstMs = calls[0]!.sentMs;
  const lastMs = Math.max(...calls.map(({ sentMs }) => sentMs), firstMs + windowMs);
  // Calls at the very begin and end have a width of their own.
  const spanMs = (lastMs - firstMs) * 1.02;
  const x = (ms: number): number => LEFT + ((ms - firstMs) / spanMs) * (WIDTH - LEFT - RIGHT);
  const columns = columnsOf(calls, isLetIn, windowMs, firstMs, spanMs);
  // Of calls answered with an error it is not sure that they count.
  const surely = columnsOf(calls, isAccepted, windowMs, firstMs, spanMs);
  const most = Math.max(requests * 1.15, ...columns.map((column) => column.most));
  const y = (count: number): number => BOTTOM - (count / most) * HEIGHT;
  const columnX = (index: number): number => x(firstMs + (index * spanMs) / COLUMNS);
  const area = (of: readonly Column[], base: number): string => {
    const steps = of.map((column, index) => {
      const count = Math.max(base, column.most);
      const isLast = count !== Math.max(base, of[index + 1]?.most ?? -1);
      return isLast ? `V${at(y(count))}H${at(columnX(index + 1))}` : '';
    });
    return `M${LEFT} ${at(y(base))}${steps.join('')}V${at(y(base))}Z`;
  };
  const steps = roundSteps(spanMs, 8).map((ms) => ms + firstMs);
  const refused = calls.filter(isRefused).length;
  const accepted = calls.filter(isAccepted).length;
  const failed = calls.filter(isLetIn).length - accepted;
  const errors = failed === 0 ? '' : `, ${failed} answered with another error`;
  const text = `/${calls[0]!.op!}: of ${pluralize(calls.length, 'call')} ${accepted} were accepted${errors} and ${refused === 0 ? 'none' : refused} answered 429; at most ${Math.max(...columns.map((column) => column.most))} were let in within ${exactDuration(windowMs)}, ${requests} are allowed`;
  return figure(
    {
      ...{ kind: 'rates', width: WIDTH, height: BOTTOM + 8, text },
      caption: `${text}. The area: calls let in within the last ${exactDuration(windowMs)}; triangles: calls answered 429. Workers may raise the limit; calls of other scripts to the same endpoint use it, too.`,
    },
    ticks(steps, x, { width: WIDTH, bottom: BOTTOM, originMs: firstMs }),
    h`<path class="accepted" d="${area(columns, 0)}" />${surely.some((column) => column.most > requests) ? h`<path class="over" d="${area(surely, requests)}" />` : h``}
<path class="limit" d="M${LEFT} ${at(y(requests))}H${WIDTH - RIGHT}" /><text class="limit" x="${LEFT - 6}" y="${at(y(requests) + 4)}" text-anchor="end">${requests}</text><text x="${LEFT - 6}" y="${BOTTOM}" text-anchor="end">0</text>`,
    columns.flatMap(({ most: height, refused: times }, index) => {
      if (times === 0) return [];
      const [left, top] = [columnX(index + 0.5), y(Math.max(height, requests)) - 4];
      return h`<path class="refused" d="M${at(left)} ${at(top)}l-5 -8h10z"><title>${pluralize(times, 'call')} answered 429</title></path>`;
    }),
    calls
      .filter(({ call }) => named.includes(call))
      .map(({ call, sentMs, reply }) => {
        const isRight = x(sentMs) > WIDTH / 2;
        return h`<path class="named" d="M${at(x(sentMs))} ${AXIS_HEIGHT}V${BOTTOM}" /><text class="named" x="${at(x(sentMs) + (isRight ? -5 : 5))}" y="${BOTTOM - 6}" text-anchor="${isRight ? 'end' : 'start'}">#${call} → ${reply?.status ?? 'no reply'}</text>`;
      }),
  );
}

function columnsOf(
  calls: readonly CallEvent[],
  isCounted: (call: CallEvent) => boolean,
  windowMs: number,
  firstMs: number,
  spanMs: number,
): readonly Column[] {
  const columns = Array.from({ length: COLUMNS }, (): Column => ({ most: 0, refused: 0 }));
  const columnOf = (ms: number): number =>
    Math.min(COLUMNS - 1, Math.floor(((ms - firstMs) / spanMs) * COLUMNS));
  for (const call of calls) if (isRefused(call)) columns[columnOf(call.sentMs)]!.refused += 1;
  const counted = calls
    .filter(isCounted)
    .map(({ sentMs }) => sentMs)
    .sort((left, right) => left - right);
  // The instants at which the count changes: a call is let in, or leaves the window.
  let [come, gone, within] = [0, 0, 0];
  let index = 0;
  const until = (column: number): void => {
    for (; index <= column; index += 1) columns[index]!.most = Math.max(columns[index]!.most, within);
  };
  while (come < counted.length || gone < counted.length) {
    const [comeMs, goneMs] = [counted[come] ?? Infinity, (counted[gone] ?? Infinity) + windowMs];
    if (comeMs < goneMs) {
      until(columnOf(comeMs) - 1);
      within += 1;
      come += 1;
      const column = columns[columnOf(comeMs)]!;
      column.most = Math.max(column.most, within);
    } else {
      if (goneMs > firstMs + spanMs) break;
      until(columnOf(goneMs));
      within -= 1;
      gone += 1;
    }
  }
  until(COLUMNS - 1);
  return columns;
}
