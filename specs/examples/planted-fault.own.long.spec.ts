import { expect, it } from 'vitest';
import { plainEndpoint } from '../../examples/in-process/plain-endpoint/index.js';
import { Jobs, type Job } from '../../examples/in-process/plain-endpoint/jobs.js';
import { named } from '../../scenarios/index.js';
import { checkTarget, fetchTarget } from '../../src/index.js';

/** The plain endpoint with one fault: a job's lifespan begins when a worker takes it. */
class LivesFromItsStart extends Jobs {
  protected override start(job: Job): void {
    super.start(job);
    this.expireAt(job, Date.now() + job.ttlMs);
  }
}

it('a ttl that is counted from the start of the job is found, and told in words', async () => {
  const target = fetchTarget(
    {
      fresh: ({ endpoint, secondEndpoint, workers, apiKey }) =>
        plainEndpoint({
          endpoints: secondEndpoint === null ? [endpoint] : [endpoint, secondEndpoint],
          workers,
          apiKey: apiKey ?? '',
          createJobs: (count) => new LivesFromItsStart(count),
        }),
    },
    { worker: 'scripted' },
  );
  const scenarios = named.filter(({ name }) => name.startsWith('2.2/'));
  const { conforms, findings } = await checkTarget(target, { seed: 1, runs: 1, scenarios });
  await target.close();
  expect(conforms).toBe(false);
  const failed = findings.requirements.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toContain('2.2/ttl-starts-at-submission');
  expect(failed.filter(({ section }) => section !== '2.2')).toEqual([]);
  const [failure] = failed.flatMap(({ failures }) => failures);
  expect(failure?.actual).toMatch(/^status #\d+, sent at .* s, was answered with 200 IN_PROGRESS$/);
  expect(failure?.proof.join('\n')).toMatch(
    /ttl set by .* ttl .* must be deleted by .*\nbut it was still there at /,
  );
});
