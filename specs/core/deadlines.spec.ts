/** Deadlines fire in the order of their instants; those of one instant in the order of setting. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deadlines } from '../../src/core/deadlines.js';

test('returns due deadlines in order, and none that were dropped', () => {
  const plan = fc.array(fc.record({ atMs: fc.nat({ max: 50 }), dropped: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(plan, fc.nat({ max: 60 }), (set, nowMs) => {
      const deadlines = new Deadlines();
      const fired: number[] = [];
      const made = set.map(({ atMs }, seq) => deadlines.set(atMs, () => fired.push(seq)));
      for (const [at, { dropped }] of set.entries()) if (dropped) deadlines.drop(made[at]!);
      for (let due = deadlines.takeDue(nowMs); due !== null; due = deadlines.takeDue(nowMs))
        due.fire(due.atMs);
      const kept = set.flatMap(({ atMs, dropped }, seq) => (dropped ? [] : [{ atMs, seq }]));
      const due = kept.filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
      expect(fired).toEqual(due.map(({ seq }) => seq));
      const later = kept.filter(({ atMs }) => atMs > nowMs).map(({ atMs }) => atMs);
      expect(deadlines.nextMs()).toBe(later.length === 0 ? null : Math.min(...later));
    }),
  );
});

test('dropping a deadline twice, or after it has fired, has no effect', () => {
  const deadlines = new Deadlines();
  const first = deadlines.set(5, () => {});
  deadlines.set(7, () => {});
  deadlines.drop(first);
  deadlines.drop(first);
  const second = deadlines.takeDue(7)!;
  deadlines.drop(second);
  deadlines.drop(null);
  expect(deadlines.nextMs()).toBeNull();
});
