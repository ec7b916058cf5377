/** The file of created jobs knows which jobs may still be alive, whoever made them. */
import { expect, it } from 'vitest';
import { openCreatedJobsFile } from '../../src/files/created-jobs.js';
import { warningsOf } from '../../src/checking/run-warnings.js';

it('a job of the probe that is not known to have ended is reported as not ended', () => {
  const createdJobs = openCreatedJobsFile();
  for (const job of ['probe', 'other']) createdJobs.created('test', job);
  createdJobs.ended('test', 'other');
  expect(createdJobs.open()).toEqual(['test/probe']);
  const summary = { leftBehind: [] };
  const played = { summary, wallMs: 0, ending: 'interrupted', stoppedBecause: null, events: [] };
  expect(
    warningsOf(
      played as never,
      { ...played, plan: { estimate: null, target: { latency: {} } } } as never,
      createdJobs.open(),
      'npx runproof clean out/jobs.ndjson',
    ),
  ).toEqual(['1 job could not be ended: test/probe; to end it later: npx runproof clean out/jobs.ndjson']);
  const many = Array.from({ length: 400 }, (_, nth) => `test/job-${nth}`);
  expect(
    warningsOf(
      played as never,
      { ...played, plan: { estimate: null, target: { latency: {} } } } as never,
      many,
      null,
    ),
  ).toEqual(['400 jobs could not be ended: test/job-0, test/job-1, test/job-2 and others']);
});

it('submissions of the probe that were not answered are told with those of the run', () => {
  const createdJobs = openCreatedJobsFile();
  createdJobs.unanswered();
  const played = { summary: { leftBehind: [] }, wallMs: 0, ending: 'interrupted', stoppedBecause: null };
  const lost = { kind: 'call', op: 'run', lost: 'aborted' };
  const run = { ...played, events: [lost], plan: { estimate: null, target: { latency: {} } } };
  const [warning] = warningsOf(run as never, run as never, [], null, createdJobs.unansweredCount);
  expect(warning).toContain('2 calls of /run still waited when the run stopped');
});
