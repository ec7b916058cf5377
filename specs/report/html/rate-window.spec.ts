import { describe, expect, it } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../../src/history/events.js';
import { rateCard, rateDrawing } from '../../../src/report/html/drawings/rate-window.js';
import { renderHtml } from '../../../src/report/html/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { CONTEXT, madeUpReport } from '../sample-report.js';

/** Calls of `/purge-queue`, of which two are allowed in 10 s. */
function purges(...calls: readonly (readonly [atMs: number, code: number])[]): readonly HistoryEvent[] {
  const trace = new TraceBuilder(0);
  for (const [atMs, code] of calls) trace.call(atMs, 'purge-queue', null, code, { removed: 0 });
  return trace.events;
}
/** So many calls of `/cancel`, of which 100 are allowed in 10 s, one that is refused, and one later. */
function recovering(code: number, calls = 100): readonly HistoryEvent[] {
  const trace = new TraceBuilder(0).by(1);
  for (let call = 0; call <= calls; call += 1) trace.call(0, 'cancel', 'x', call < calls ? code : 429, {});
  return trace.call(20_000, 'cancel', 'x', code, {}).events;
}
const NONE = new Set<number>();
const limited = purges([0, 200], [0, 200], [5_000, 429], [9_999, 429], [10_000, 200]);
const unlimited = purges([0, 200], [1_000, 200], [2_000, 200], [2_000, 200]);
const last = (history: readonly HistoryEvent[]): number =>
  (history.findLast((event) => event.kind === 'call') as CallEvent).call;
/** The heights of the area, one for each step. */
const heights = (markup: string): number[] =>
  [.../class="accepted" d="([^"]*)"/.exec(markup)![1]!.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y));

describe('the window of a rate limit', () => {
  it('is full at the limit, which is a line, and each refusal is marked', () => {
    const markup = rateDrawing(limited, [last(limited)])!.markup;
    const line = Number(/class="limit" d="M60 ([\d.]+)H/.exec(markup)![1]);
    expect(Math.min(...heights(markup))).toBeCloseTo(line, 1);
    expect(markup.match(/class="refused"/g)).toHaveLength(2);
    expect(markup).not.toContain('class="over"');
    expect(markup).toContain(`#${last(limited)} → 200`);
    expect(markup).toContain(
      'of 5 calls 3 were accepted and 2 answered 429; at most 2 were let in within 10 s',
    );
  });

  it('shows by how much it was exceeded', () => {
    const markup = rateDrawing(unlimited, [last(unlimited)])!.markup;
    expect(markup).toContain('class="over"');
    expect(markup).toContain('at most 4 were let in within 10 s, 2 are allowed');
  });

  it('is empty again after the window', () => {
    const levels = heights(rateDrawing(limited, [last(limited)])!.markup);
    // Two, then one: the first two calls have left when the last one comes.
    expect(levels.at(-2)).toBeGreaterThan(levels[0]!);
  });

  it('has a bounded size, however many calls there are, and whatever they are called', () => {
    const many = purges(
      ...Array.from({ length: 5_000 }, (_, index) => [index * 17, index % 3 === 0 ? 429 : 200] as const),
    );
    const markup = rateDrawing(many, [-1, last(many)])!.markup;
    expect(markup.length).toBeLessThan(40_000);
    expect(markup).not.toMatch(/NaN|Infinity/);
  });

  it('is drawn for calls that may reach a limit only', () => {
    expect(rateDrawing(purges([0, 200]), [0])).toBeNull();
    expect(rateDrawing(limited, [])).toBeNull();
    const { events } = new TraceBuilder(1).alive(0);
    expect(rateDrawing(events, [0])).toBeNull();
  });

  it('of a run are those that were reached and recovered, of each operation the one with the most calls', () => {
    expect(rateCard(limited, NONE).markup).toContain('of 5 calls');
    const { markup: note } = rateCard(unlimited, NONE);
    expect(note).not.toContain('<figure');
    expect(note).toMatch(/Not drawn, .*: \/runsync, .*, \/purge-queue\./);
    expect(rateCard(purges([0, 200]), NONE).markup).toBe('');
    const { markup } = rateCard([...limited, ...recovering(200)], NONE);
    expect(markup.match(/<figure/g)).toHaveLength(2);
    expect(markup).toContain('/cancel: of 102 calls');
    expect(markup).toContain('/purge-queue: of 5 calls');
    expect(markup).toMatch(/Not drawn, .*: \/runsync, \/run, \/status, \/stream\./);
  });

  it('of a run are those that were violated, too, and come first', () => {
    const others = recovering(404).map((one) =>
      one.kind === 'call' ? { ...one, call: one.call + 1_000 } : one,
    );
    const { markup } = rateCard([...others, ...unlimited], new Set([last(unlimited)]));
    expect(markup).toMatch(/<summary>\/purge-queue: 2 calls in 10 s <span class="badge fail">violated</);
    expect(markup).toContain(
      'of 4 calls 4 were accepted and none answered 429; at most 4 were let in within 10 s',
    );
    expect(markup.match(/<summary>\S+/g)).toEqual(['<summary>/purge-queue:', '<summary>/cancel:']);
  });

  it('has calls that the limit let in, though they failed for another reason, but never says that these are too many', () => {
    const { markup } = rateCard(recovering(404), NONE);
    expect(markup).toContain(
      'of 102 calls 0 were accepted, 101 answered with another error and 1 answered 429',
    );
    expect(markup).toContain('at most 100 were let in within 10 s');
    const mixed = rateCard(recovering(400, 101), NONE).markup;
    expect(mixed).toContain('at most 101 were let in within 10 s');
    expect(mixed).not.toContain('class="over"');
    expect(rateCard(recovering(401), NONE).markup).not.toContain('<figure');
  });

  it('is in the card of a requirement of section 8', () => {
    const made = madeUpReport();
    const [first, ...others] = made.requirements;
    const failure = { ...first!.failures[0]!, calls: [last(unlimited)] };
    const requirement = { ...first!, section: '8', failures: [failure] };
    const page = renderHtml(
      { ...made, requirements: [requirement, ...others] },
      { ...CONTEXT, history: unlimited },
    );
    expect(page).toMatch(/<article class="card fail">.*?<figure class="axis rates">/s);
  });
});
