/** Deadlines fire in the order of their instants; those of one instant in the order of setting. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deadlines, type DeadlineSubjects } from '../../src/core/deadlines.js';
import type { ServiceState } from '../../src/core/state.js';

const ENDPOINT = { id: 'ep' } as DeadlineSubjects['dispatch'];
const JOB = { id: 'job' } as DeadlineSubjects['ttl'];
const STATE = {} as ServiceState;
const KINDS = ['dispatch', 'ttl', 'retention'] as const;
const set = (
  deadlines: Deadlines,
  atMs: number,
  fire: () => void = () => {},
  kind: (typeof KINDS)[number] = 'dispatch',
) =>
  kind === 'dispatch'
    ? deadlines.set(kind, ENDPOINT, atMs, fire)
    : deadlines.set<'ttl' | 'retention'>(kind, JOB, atMs, fire);

test('returns due deadlines in order, and none that were dropped', () => {
  const plan = fc.array(
    fc.record({ atMs: fc.nat({ max: 50 }), dropped: fc.boolean(), kind: fc.constantFrom(...KINDS) }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(plan, fc.nat({ max: 60 }), (planned, nowMs) => {
      const deadlines = new Deadlines();
      const fired: number[] = [];
      const made = planned.map(({ atMs, kind }, seq) => set(deadlines, atMs, () => fired.push(seq), kind));
      for (const [at, { dropped }] of planned.entries()) if (dropped) deadlines.drop(made[at]!);
      const order = deadlines.next(7).map(({ seq }) => seq);
      for (let due = deadlines.takeDue(nowMs); due !== null; due = deadlines.takeDue(nowMs))
        due.fire(due.atMs, STATE, due.about as never);
      const kept = planned.flatMap(({ atMs, dropped }, seq) => (dropped ? [] : [{ atMs, seq }]));
      const due = kept.filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
      expect(fired).toEqual(due.map(({ seq }) => seq));
      const later = kept.filter(({ atMs }) => atMs > nowMs).map(({ atMs }) => atMs);
      const inOrder = [...kept].sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
      expect(order).toEqual(inOrder.slice(0, 7).map(({ seq }) => seq));
      expect(deadlines.nextMs()).toBe(later.length === 0 ? null : Math.min(...later));
    }),
  );
});

test('dropping a deadline twice, or after it has fired, has no effect', () => {
  const deadlines = new Deadlines();
  const first = set(deadlines, 5);
  const lined = set(deadlines, 6, undefined, 'ttl');
  set(deadlines, 7);
  deadlines.drop(lined);
  deadlines.drop(lined);
  deadlines.drop(first);
  deadlines.drop(first);
  const second = deadlines.takeDue(7)!;
  deadlines.drop(second);
  deadlines.drop(null);
  expect(deadlines.nextMs()).toBeNull();
});
