import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from '../../src/core/entities.js';
import { numberOfUuidLike, uuidLike } from '../../src/core/ids.js';
import { JobTable } from '../../src/core/job-table.js';

const jobOf = (id: string): Job => ({ id }) as Job;

test('the number of an id can be read from it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (n) => {
      expect(numberOfUuidLike(uuidLike(n))).toBe(n);
    }),
  );
});

const id = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((n) => uuidLike(n)),
  // The number of an id made here, and another text.
  fc.integer({ min: 1, max: 40 }).map((n) => `${uuidLike(n)}-u1`),
  fc.integer({ min: 1, max: 40 }).map((n) => `sync-${uuidLike(n)}`),
  fc.uuid(),
  fc.string({ maxLength: 9 }),
);

test('jobs are found by any id, made by the table or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id, does: fc.constantFrom('add', 'add', 'delete') }), { maxLength: 200 }),
      fc.constantFrom(0, 20, 40),
      (commands, made) => {
        const table = new JobTable(made);
        const model = new Map<string, Job>();
        for (const { id, does } of commands) {
          const job = jobOf(id);
          if (does === 'add') {
            table.add(job);
            model.set(id, job);
          } else {
            table.delete(id);
            model.delete(id);
          }
        }
        for (const { id } of commands) expect(table.get(id)).toBe(model.get(id));
      },
    ),
  );
});

test('a table that goes on after another one makes its next ids', () => {
  const first = new JobTable(0);
  const ids = [first.makeId(), first.makeId(), first.makeId()];
  expect(new JobTable(2).makeId()).toBe(ids[2]);
});
