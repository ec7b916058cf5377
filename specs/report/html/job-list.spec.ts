/** The jobs of a run: each has an address of its own, and a drawing of its states. */
import { expect, it } from 'vitest';
import { jobList } from '../../../src/report/html/job-list.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';

const pageOf = (id: string, ...states: readonly string[]): string => {
  const trace = new TraceBuilder();
  trace.submitted(0, id, [{ hang: true }]);
  for (const [index, state] of states.entries()) trace.seen(1_000 * (index + 1), id, state);
  const index = { scriptOf: new Map(), evidence: new Set<number>(), listed: new Set<number>(), scripts: [] };
  return jobList(trace.history(60_000), index).markup;
};

it('links to each job, whatever is in its id', () => {
  const page = pageOf('a b', 'IN_PROGRESS');
  expect(page).toContain('id="job-a b"');
  expect(page).toContain('href="#job-a%20b"');
  // Half a character can be in no address.
  expect(pageOf('a\ud800', 'IN_PROGRESS')).toContain('href="#job-a%EF%BF%BD"');
});

it('draws when a job was in which state, unless it was looked at too often', () => {
  const drawn = 'aria-label="a b in time: IN_QUEUE → IN_PROGRESS by 1 s; IN_PROGRESS by 2 s"';
  expect(pageOf('a b', 'IN_PROGRESS', 'IN_PROGRESS')).toContain(drawn);
  expect(pageOf('a b', ...Array.from({ length: 60 }, () => 'IN_PROGRESS'))).not.toContain('<svg');
});
