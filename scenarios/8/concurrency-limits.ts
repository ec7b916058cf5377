import { scenario } from '../../src/scenario/index.js';
import { crowdsOf, refusedBefore } from '../reads-of-one-job.js';

const CANCELS = 20 + 21;

export default scenario.each(
  { needs: ['dedicated', 'load-allowed', 'worker-count-known'], workers: 0, exclusive: true },
  (one) => ({
    concurrency: one({
      title: 'as many concurrent submissions, cancels and lists as allowed, and one more of each',
      script: (_, s) => {
        const jobs = Array.from({ length: CANCELS }, (__, i) => `job-${i}`);
        // Submissions of other lanes would add to the calls that are counted.
        const then = s.after(jobs.at(-1)!, 'submitted').plus(1);
        return [
          (['run', 'cancel'] as const).map((op) => refusedBefore(s, op)),
          s.run(jobs),
          // Calls that are answered at once overlap only while the ends of their bodies are missing.
          s.lane('runs', s.burst('run', 200, { held: true, at: then }), s.burst('run', 201, { held: true })),
          s.lane(
            'lists',
            s.burst('requests', 2, { held: true, at: then }),
            s.burst('requests', 3, { held: true }),
          ),
          s.burst('cancel', 20, { held: true, jobs: jobs.slice(0, 20) }),
          s.burst('cancel', 21, { held: true, jobs: jobs.slice(20) }),
          s.purge(),
        ];
      },
    }),
    'concurrency-of-openai': one({
      title: 'one concurrent call of /openai above the limit, and then as many as the limit allows',
      needs: ['scripted-worker', 'dedicated', 'load-allowed', 'worker-count-known'],
      script: (_, s) => {
        const others = Array.from({ length: 21 }, (__, i) => `other-${i}`);
        return [
          // While the bodies are held back no worker can raise the limit. Where the worker answers, one is needed
          // to finish.
          s.workers(1, { lane: 'control', at: s.wait(15_000) }),
          s.run(others, { lane: 'beside' }),
          // A service that refuses one of these has to refuse one of those.
          s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
          refusedBefore(s, 'openai'),
          s.burst('openai', 401, { held: true }),
          s.burst('openai', 400, { held: true }),
          s.health(),
        ];
      },
    }),
    'concurrency-of-runsync': one({
      title: '400 concurrent calls of /runsync may wait; further ones are refused until others were answered',
      needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
      script: (_, s) => {
        const others = Array.from({ length: 21 }, (__, i) => `other-${i}`);
        return [
          s.run(others, { lane: 'beside' }),
          // A service that refuses one of these has to refuse one of those.
          s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
          s.lane('crowd', refusedBefore(s, 'runsync'), s.burst('runsync', 400, { wait: 5_000 })),
          s.lane('beyond', s.burst('runsync', 60, { wait: 1_000, at: s.wait(1_000) })),
          s.health({ at: s.sinceStart(2_000) }),
          s.runsync('after', { wait: 1_000, at: s.sinceStart(8_000) }),
          s.purge(),
        ];
      },
    }),
    'concurrency-of-status': one({
      title: '400 concurrent reads of a job are allowed, and one more is refused',
      script: (_, s) => crowdsOf(s, 'status'),
    }),
    'concurrency-of-stream': one({
      title: '400 concurrent reads of a stream are allowed, and one more is refused',
      script: (_, s) => crowdsOf(s, 'stream'),
    }),
  }),
);
