import { scenario } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

const CLIENTS = 8;

const JOBS_EACH = 13;

/** Cancels of each client in a second. */
const EACH_SECOND = 2;

const SECONDS = 20;

export default scenario.each(
  { needs: ['dedicated', 'load-allowed', 'worker-count-known'], exclusive: true },
  (one) => ({
    'rate-of-cancel': one({
      title: '100 cancels fit into ten seconds; further ones are refused and cancel nothing',
      needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
      secondEndpoint: true,
      workers: 0,
      script: (_, s, { marginMs }) => [
        s.run('job', { plan: s.works(100) }),
        s.run('other', { plan: s.works(100) }),
        s.run('there', { plan: s.works(100), endpoint: s.secondEndpoint }),
        Array.from({ length: 5 }, () => s.burst('cancel', 20, { job: 'other' })),
        s.cancel('job'),
        s.cancel('there', { endpoint: s.secondEndpoint }),
        s.status('job'),
        s.cancel('job', { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
        s.status('job'),
      ],
    }),
    'rate-of-cancel-holds-for-the-whole-window': one({
      title: '100 cancels, and 100 more each second, exceed the limit',
      workers: 0,
      script: (_, s) => [
        Array.from({ length: 5 }, () => s.burst('cancel', 20)),
        [1_500, 3_000, 4_500].map((ms) => [
          s.pause(s.sinceStart(ms)),
          Array.from({ length: 5 }, () => s.burst('cancel', 20)),
        ]),
      ],
    }),
    'rate-of-cancel-of-waiting-jobs': one({
      title: 'no more than 100 waiting jobs can be cancelled in ten seconds',
      workers: 0,
      script: (_, s) =>
        Array.from({ length: CLIENTS }, (__, client) => {
          const jobs = Array.from({ length: JOBS_EACH }, (___, i) => `job-${client}-${i}`);
          return s.lane(`client ${client}`, s.run(jobs), s.cancel(jobs));
        }),
    }),
    'rate-of-cancel-on-an-idle-endpoint': one({
      title: 'cancels of a job that does not exist count towards the rate limit like any others',
      needs: ['dedicated', 'load-allowed'],
      script: (_, s, { marginMs }) => [
        Array.from({ length: 5 }, () => s.burst('cancel', 20)),
        s.burst('cancel', 5),
        s.burst('cancel', 1, { at: s.wait(RATE_WINDOW_MS + 2 * marginMs + 1) }),
      ],
    }),
    'rate-of-cancel-over-two-windows': one({
      title: 'wherever windows begin, 300 cancels do not fit into twenty seconds',
      workers: 0,
      script: (_, s) =>
        Array.from({ length: CLIENTS }, (__, client) => {
          const labels = Array.from({ length: EACH_SECOND * SECONDS }, (___, i) => `job-${client}-${i}`);
          return s.lane(
            `client ${client}`,
            s.run(labels),
            Array.from({ length: SECONDS }, (___, second) => [
              s.cancel(labels.slice(second * EACH_SECOND, (second + 1) * EACH_SECOND)),
              s.pause(s.wait(1_000 - 50)),
            ]),
          );
        }),
    }),
  }),
);
