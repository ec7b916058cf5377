/** When scripts begin that share a clock. */
import { describe, expect, it } from 'vitest';
import { joinedStarts, type CallsInARow } from '../../src/schedule/joined-starts.js';

const script = (...instants: readonly number[]): CallsInARow =>
  new Map(instants.map((instant) => [instant, 1]));

/** The instants at which the clock has to stop. */
const stopsOf = (scripts: readonly CallsInARow[]): readonly number[] => {
  const starts = joinedStarts(scripts);
  const stops = scripts.flatMap((one, index) => [...one.keys()].map((instant) => starts[index]! + instant));
  return [...new Set(stops)].sort((a, b) => a - b);
};

describe('scripts that share a clock', () => {
  it('begin at once where they do something at the same instants', () => {
    expect(joinedStarts([script(0, 250, 500), script(0, 500), script(0)])).toEqual([0, 0, 0]);
  });

  it('begin later where that joins more of their instants', () => {
    const scripts = [script(0, 1_000, 1_300, 5_000), script(0, 300), script(0, 4_000)];
    expect(joinedStarts(scripts)).toEqual([0, 1_000, 1_000]);
    expect(stopsOf(scripts)).toEqual([0, 1_000, 1_300, 5_000]);
  });

  it('begin where others make as many calls one after the other', () => {
    const long: CallsInARow = new Map([
      [0, 1],
      [700, 40],
    ]);
    expect(joinedStarts([long, new Map([[0, 30]])])).toEqual([0, 700]);
  });

  it('need no stop of their own where others have stops as far apart', () => {
    const squares = Array.from({ length: 61 }, (_, n) => n * n);
    const oddNumbers = Array.from({ length: 60 }, (_, n) => 2 * n + 1);
    const scripts = [script(...squares), ...oddNumbers.map((apart) => script(0, apart))];
    expect(stopsOf(scripts)).toEqual(squares);
  });

  it('begin only at multiples of a slot where they act in slots', () => {
    const scripts = [script(0, 700, 1_000, 5_000), script(0, 300), script(0, 4_000)];
    expect(joinedStarts(scripts, 500)).toEqual([0, 0, 1_000]);
  });

  it('begin somewhere even if they do nothing, and there may be none', () => {
    expect(joinedStarts([script(), script(0)])).toEqual([0, 0]);
    expect(joinedStarts([])).toEqual([]);
  });
});
