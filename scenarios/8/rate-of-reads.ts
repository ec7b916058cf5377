import { assertRealTime, scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';
import { beyondTheRate } from '../reads-of-one-job.js';

export default scenario.each(
  { needs: ['dedicated', 'load-allowed', 'worker-count-known'], exclusive: true },
  (one) => ({
    'rate-of-status': one({
      title: '2000 status reads fit into ten seconds; further ones are refused',
      needs: ['dedicated', 'load-allowed'],
      script: (_, s, { marginMs }) => [
        s.run('job'),
        s.run('other'),
        // Once it is seen to have ended, no worker is running.
        s.await('job', s.ended, { everyMs: 500 }),
        s.await('other', s.ended, { everyMs: 500 }),
        // Those reads count as well, until their window is over.
        s.pause(s.wait(RATE_WINDOW_MS + 2 * marginMs + 1)),
        // It does not count towards the limit of /status.
        s.burst('health', 20),
        // A service that counts for each job counts half of them.
        Array.from({ length: 5 }, () => s.burst('status', 400, { jobs: ['job', 'other'] })),
        s.burst('status', 20, { jobs: ['job', 'other'] }),
        s.stream('job'),
        s.health(),
        s.status('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
      ],
    }),
    'rate-of-status-without-workers': one({
      title: 'without workers, no more than 2000 status reads are accepted',
      secondEndpoint: true,
      workers: 0,
      script: (_, s) => beyondTheRate(s, 'status'),
    }),
    'rate-of-status-over-two-windows': one({
      title: 'wherever windows begin, 4400 status reads do not fit into ten seconds',
      // No worker raises the limit: whether idle ones do is open.
      workers: 0,
      draw: (_, limits) => {
        assertRealTime(limits, '8/rate-of-status');
        return {};
      },
      script: (_, s) => {
        // A service that counts for each job counts a third of them.
        const jobs = ['one', 'two', 'three'];
        return [s.run(jobs), Array.from({ length: 11 }, () => s.burst('status', 400, { jobs }))];
      },
    }),
    'rate-of-stream': one({
      title: '2000 stream reads fit into ten seconds; further ones are refused',
      needs: ['dedicated', 'load-allowed'],
      script: (_, s, { marginMs }) => [
        s.run('job'),
        s.run('other'),
        // Once it is seen to have ended, no worker is running.
        s.await('job', s.ended, { everyMs: 500 }),
        s.await('other', s.ended, { everyMs: 500 }),
        s.pause(s.wait(3_000)),
        // A service that counts for each job counts half of them.
        Array.from({ length: 5 }, () => s.burst('stream', 400, { jobs: ['job', 'other'] })),
        s.burst('stream', 20, { jobs: ['job', 'other'] }),
        s.status('job'),
        s.stream('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
      ],
    }),
    'rate-of-stream-without-workers': one({
      title: 'without workers, no more than 2000 stream reads are accepted',
      secondEndpoint: true,
      workers: 0,
      script: (_, s) => beyondTheRate(s, 'stream'),
    }),
    'rate-of-stream-over-two-windows': one({
      title: 'wherever windows begin, 4400 stream reads do not fit into ten seconds',
      // No worker raises the limit: whether idle ones do is open.
      workers: 0,
      draw: (_, limits) => {
        assertRealTime(limits, '8/rate-of-stream');
        return {};
      },
      script: (_, s) => {
        // A service that counts for each job counts a third of them.
        const jobs = ['one', 'two', 'three'];
        return [s.run(jobs), Array.from({ length: 11 }, () => s.burst('stream', 400, { jobs }))];
      },
    }),
  }),
);
