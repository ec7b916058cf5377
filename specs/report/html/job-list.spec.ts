/** The jobs of a run: each has an address of its own, and a drawing of its states. */
import { expect, it } from 'vitest';
import { jobList } from '../../../src/report/html/job-list.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';

const pageOf = (...states: readonly string[]): string => {
  const trace = new TraceBuilder();
  trace.submitted(0, 'a b', [{ hang: true }]);
  for (const [index, state] of states.entries()) trace.seen(1_000 * (index + 1), 'a b', state);
  const index = { scriptOf: new Map(), evidence: new Set<number>(), listed: new Set<number>(), scripts: [] };
  return jobList(trace.history(60_000), index).markup;
};

it('links to each job, whatever is in its id', () => {
  const page = pageOf('IN_PROGRESS');
  expect(page).toContain('id="job-a b"');
  expect(page).toContain('href="#job-a%20b"');
});

it('draws when a job was in which state, unless it was looked at too often', () => {
  const drawn = 'aria-label="a b in time: IN_QUEUE → IN_PROGRESS by 1 s; IN_PROGRESS by 2 s"';
  expect(pageOf('IN_PROGRESS', 'IN_PROGRESS')).toContain(drawn);
  expect(pageOf(...Array.from({ length: 60 }, () => 'IN_PROGRESS'))).not.toContain('<svg');
});
