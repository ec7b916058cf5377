/** The file of created jobs knows which jobs may still be alive, whoever made them. */
import { expect, it } from 'vitest';
import { openCreatedJobsFile } from '../../src/app/files/created-jobs.js';
import { warningsOf } from '../../src/app/run-warnings.js';

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
      { ...played, plan: { estimate: null } } as never,
      createdJobs.open(),
      'out/jobs.ndjson',
    ),
  ).toEqual(['could not be ended: test/probe; to end them later: runproof clean out/jobs.ndjson']);
});
