/** Jobs that a service stops after it has answered /cancel: they are read once more before they count as not ended. */
import { expect, test } from 'vitest';
import { cancelJobs, stillAlive, type CleanupOptions } from '../../src/target/http/cleanup.js';

/** A service that answers /cancel without a state. Each job shows the states of its name, one at each look. */
function serviceOf(isGone = false): CleanupOptions {
  const looks = new Map<string, number>();
  const send = ({ path }: { readonly path: string }) => {
    const [op, job = ''] = path.split('/').slice(-2);
    if (op === 'cancel')
      return Promise.resolve({ reply: { status: 200, headers: {}, text: '{}' }, lost: null });
    const look = looks.get(job) ?? 0;
    if (isGone && look > 0) return Promise.resolve({ reply: null, lost: 'refused' });
    looks.set(job, look + 1);
    const states = job.split('.');
    const text = JSON.stringify({ id: job, status: states[look] ?? states.at(-1) });
    return Promise.resolve({ reply: { status: 200, headers: {}, text }, lost: null });
  };
  return {
    connection: { isStopped: false, send } as never,
    ...{ prefix: '', basePath: null, authorization: null, timeoutMs: 1_000, rateLimiter: null, speed: 1 },
  };
}

const JOBS = ['CANCELLED', 'IN_PROGRESS.CANCELLED', 'IN_PROGRESS'];

test.each([
  ['that ends a moment later', false, ['IN_PROGRESS']],
  ['of a service that is not there any more', true, ['IN_PROGRESS.CANCELLED', 'IN_PROGRESS']],
])('a job %s', async (_, isGone, alive) => {
  const service = serviceOf(isGone);
  const { left } = await cancelJobs(service, 'e', JOBS);
  expect(left).toEqual(JOBS.slice(1));
  const jobs = left.map((job) => ({ endpoint: 'e', job }));
  expect((await stillAlive(service, jobs)).map(({ job }) => job)).toEqual(alive);
});
