import { describe, expect, test } from 'vitest';
import { ENDED, QUEUED, STARTED, SUBMITTED, Zone, ZERO } from '../../src/oracle/model/zone.js';

describe('a zone', () => {
  test('knows nothing at first', () => {
    const zone = Zone.unbounded();
    expect(zone.earliest(STARTED)).toBe(-Infinity);
    expect(zone.latest(STARTED)).toBe(Infinity);
  });

  test('follows bounds through others', () => {
    const zone = Zone.unbounded();
    zone.restrict(SUBMITTED, ZERO, 100);
    zone.restrict(STARTED, SUBMITTED, 50);
    zone.restrict(ENDED, STARTED, 7);
    expect(zone.latest(ENDED)).toBe(157);
  });

  test('is left as it was by what would empty it', () => {
    const zone = Zone.unbounded();
    zone.restrict(ZERO, SUBMITTED, -10);
    const before = zone.copy();
    expect(zone.restrict(SUBMITTED, ZERO, 9)).toBe(false);
    expect(zone.within(before) && before.within(zone)).toBe(true);
    expect(zone.restrict(SUBMITTED, ZERO, 10)).toBe(true);
    expect([zone.earliest(SUBMITTED), zone.latest(SUBMITTED)]).toEqual([10, 10]);
  });

  test('keeps what a forgotten instant implied', () => {
    const zone = Zone.unbounded();
    zone.restrict(QUEUED, ZERO, 5);
    zone.restrict(STARTED, QUEUED, 5);
    zone.forget(QUEUED);
    expect(zone.latest(QUEUED)).toBe(Infinity);
    expect(zone.latest(STARTED)).toBe(10);
  });

  test('makes two instants one', () => {
    const zone = Zone.unbounded();
    zone.restrict(SUBMITTED, ZERO, 5);
    zone.equate(QUEUED, SUBMITTED);
    zone.restrict(ZERO, QUEUED, -3);
    expect([zone.earliest(SUBMITTED), zone.latest(SUBMITTED)]).toEqual([3, 5]);
  });

  test('takes in another, and what lies between', () => {
    const early = Zone.unbounded();
    early.restrict(STARTED, ZERO, 2);
    early.restrict(ZERO, STARTED, -1);
    const late = Zone.unbounded();
    late.restrict(STARTED, ZERO, 9);
    late.restrict(ZERO, STARTED, -8);
    const both = early.copy();
    both.widen(late);
    expect([both.earliest(STARTED), both.latest(STARTED)]).toEqual([1, 9]);
    expect([early.within(both), late.within(both), early.latest(STARTED)]).toEqual([true, true, 2]);
  });

  test('is within a wider one, and not the other way round', () => {
    const wide = Zone.unbounded();
    wide.restrict(STARTED, ZERO, 10);
    const narrow = wide.copy();
    narrow.restrict(STARTED, ZERO, 5);
    expect(narrow.within(wide)).toBe(true);
    expect(wide.within(narrow)).toBe(false);
    expect(narrow.restrict(ZERO, STARTED, -6)).toBe(false);
    expect(wide.restrict(ZERO, STARTED, -6)).toBe(true);
  });
});
