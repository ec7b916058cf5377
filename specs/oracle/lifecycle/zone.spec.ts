import { describe, expect, test } from 'vitest';
import { ENDED, QUEUED, STARTED, SUBMITTED, Zone, ZERO } from '../../../src/oracle/model/zone.js';

describe('a zone', () => {
  test('knows nothing at first', () => {
    const zone = Zone.unbounded();
    expect(zone.earliest(STARTED)).toBe(-Infinity);
    expect(zone.latest(STARTED)).toBe(Infinity);
  });

  test('follows bounds through others', () => {
    const zone = Zone.unbounded();
    zone.constrain(SUBMITTED, ZERO, 100);
    zone.constrain(STARTED, SUBMITTED, 50);
    zone.constrain(ENDED, STARTED, 7);
    expect(zone.latest(ENDED)).toBe(157);
  });

  test('is left as it was by what would empty it', () => {
    const zone = Zone.unbounded();
    zone.constrain(ZERO, SUBMITTED, -10);
    const before = zone.copy();
    expect(zone.constrain(SUBMITTED, ZERO, 9)).toBe(false);
    expect(zone.isSubsetOf(before) && before.isSubsetOf(zone)).toBe(true);
    expect(zone.constrain(SUBMITTED, ZERO, 10)).toBe(true);
    expect([zone.earliest(SUBMITTED), zone.latest(SUBMITTED)]).toEqual([10, 10]);
  });

  test('keeps what a forgotten instant implied', () => {
    const zone = Zone.unbounded();
    zone.constrain(QUEUED, ZERO, 5);
    zone.constrain(STARTED, QUEUED, 5);
    zone.free(QUEUED);
    expect(zone.latest(QUEUED)).toBe(Infinity);
    expect(zone.latest(STARTED)).toBe(10);
  });

  test('makes two instants one', () => {
    const zone = Zone.unbounded();
    zone.constrain(SUBMITTED, ZERO, 5);
    zone.assign(QUEUED, SUBMITTED);
    zone.constrain(ZERO, QUEUED, -3);
    expect([zone.earliest(SUBMITTED), zone.latest(SUBMITTED)]).toEqual([3, 5]);
  });

  test('takes in another, and what lies between', () => {
    const early = Zone.unbounded();
    early.constrain(STARTED, ZERO, 2);
    early.constrain(ZERO, STARTED, -1);
    const late = Zone.unbounded();
    late.constrain(STARTED, ZERO, 9);
    late.constrain(ZERO, STARTED, -8);
    const both = early.copy();
    both.extendToHull(late);
    expect([both.earliest(STARTED), both.latest(STARTED)]).toEqual([1, 9]);
    expect([early.isSubsetOf(both), late.isSubsetOf(both), early.latest(STARTED)]).toEqual([true, true, 2]);
  });

  test('is within a wider one, and not the other way round', () => {
    const wide = Zone.unbounded();
    wide.constrain(STARTED, ZERO, 10);
    const narrow = wide.copy();
    narrow.constrain(STARTED, ZERO, 5);
    expect(narrow.isSubsetOf(wide)).toBe(true);
    expect(wide.isSubsetOf(narrow)).toBe(false);
    expect(narrow.constrain(ZERO, STARTED, -6)).toBe(false);
    expect(wide.constrain(ZERO, STARTED, -6)).toBe(true);
  });
});
