/** A server that does not cancel running jobs: the jobs that go on are open in jobs.ndjson, and the run says so. */
import { expect, it } from 'vitest';
import { MUTANTS } from '../../../src/mutants/index.js';
import { LOCAL_API_KEY, startServer } from '../../../src/server/index.js';
import { runCli } from '../../../src/shell/program.js';
import { readCreatedJobs } from '../../../src/files/created-jobs.js';
import { forThisTest } from '../../support/servers.js';
import { createFakeIo } from '../../cli/fake-io.js';

it(
  'names the jobs that still run after a check, and does not call them ended',
  { timeout: 60_000 },
  async () => {
    const { rules } = MUTANTS.find(({ id }) => id === 'cancel-only-queued')!;
    const { url } = forThisTest(await startServer({ workers: 9, endpoints: ['test'], rules }));
    const io = createFakeIo({ env: {} });
    const options = ['--only', '3/cancel-running', '--runs', '1', '--seed', '1', '--out', 'r'];
    expect(await runCli(['check', `${url}/v2/test`, ...options, '--budget', '6s'], io)).toBe(1);
    const { open } = readCreatedJobs('r/jobs.ndjson', io.cwd);
    const health = await fetch(`${url}/v2/test/health`, { headers: { authorization: LOCAL_API_KEY } });
    const { jobs } = (await health.json()) as { readonly jobs: { readonly inProgress: number } };
    expect(jobs.inProgress).toBeGreaterThan(0);
    expect(open.length).toBeGreaterThanOrEqual(jobs.inProgress);
    expect(io.printed() + io.complained()).toMatch(
      /^.*\d+ jobs? could not be ended: .*clean r\/jobs.ndjson/m,
    );
    expect(await runCli(['clean', 'r/jobs.ndjson'], io)).toBe(3);
  },
);
