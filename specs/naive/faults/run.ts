/** Faults of section 4.2: `/run`. */
import { hasEnded, isOver, type Job } from '../job.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../submission.js';
import { nowIn, later, removeIn, whenever, timesAtOnce, roundedUp } from './memory.js';
import { deletedJobs } from './steps.js';
import { breaking } from './fault.js';

export const RUN_FAULTS = [
  breaking(
    '4.2',
    'Response: `{id: string, status: string}` where `status` is `IN_QUEUE`. Returns immediately.',
    {
      'run-waits': {
        does: 'the call answers when the job has ended',
        answerRun: (job, answer) => whenever(job, isOver, answer),
      },
      'run-shows-current-status': {
        does: 'the answer has the status of the moment, e.g. IN_PROGRESS',
        runBody: (body, job) => ({ ...body, status: job.status }),
      },
      'run-answers-id-only': { does: 'the answer has no status', runBody: (_body, job) => ({ id: job.id }) },
      'run-answers-wrong-id': {
        does: 'the id in the answer is not that of the job',
        runBody: (body, job) => ({ ...body, id: `${job.id.slice(0, -1)}z` }),
      },
    },
  ),
  breaking('4.2', 'Result retention: 30 minutes after completion.', {
    'run-retention-one-minute': {
      does: 'results are kept one minute',
      retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: MINUTE_MS } : retention),
    },
    'run-retention-three-minutes': {
      does: 'results are kept three minutes',
      retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: 3 * MINUTE_MS } : retention),
    },
    'run-retention-one-day': {
      does: 'results are kept a day, at most until ttl',
      contested: 'whether retention is a promise to keep or to delete; section 7 says 404',
      retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: DAY_MS } : retention),
    },
    'run-retention-never': {
      does: 'results are kept until ttl',
      contested: 'whether retention is a promise to keep or to delete; section 7 says 404',
      retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: Infinity } : retention),
    },
    'run-retention-from-submission': {
      does: 'the 30 minutes start at submission',
      submitted(job) {
        if (job.kind === 'run') removeIn(30 * MINUTE_MS, job, hasEnded);
      },
    },
    'run-retention-from-start': {
      does: 'the 30 minutes start when a worker picks the job up',
      retention: ({ ms, fromMs }, job) => ({
        ms,
        fromMs: job.kind === 'run' ? (job.startedMs ?? fromMs) : fromMs,
      }),
    },
    'run-retention-restarts-on-read': {
      does: 'every /status starts the 30 minutes anew',
      statusRead(record, job) {
        if (job.kind === 'run' && hasEnded(job))
          job.endpoint.lifespans.retainUntil(job, nowIn(job.endpoint) + 30 * MINUTE_MS);
        return record;
      },
    },
    'retention-drops-output-only': {
      does: 'after the retention the record stays, without output',
      retentionOver(job) {
        job.output = undefined;
        return true;
      },
    },
    'retention-streams-on': {
      does: 'after the retention /stream still answers',
      with: () => {
        const deleted = deletedJobs();
        return {
          ...deleted.hooks,
          find(endpoint, id, operation, right) {
            const job = operation === 'stream' ? deleted.find(endpoint, id) : null;
            return right ?? (job !== null && hasEnded(job) ? job : null);
          },
        };
      },
    },
    'results-latest-hundred-only': {
      does: 'of the results only the latest hundred are kept',
      ended({ endpoint }) {
        const [oldest, ...others] = endpoint.ended();
        if (others.length >= 100 && oldest !== undefined) endpoint.remove(oldest);
      },
    },
    'retention-sweep-ignores-kind': {
      does: 'when a result of /runsync expires, older ones of /run go with it',
      retentionOver({ endpoint, kind, endedMs }) {
        if (kind !== 'runsync') return false;
        for (const other of endpoint.ended())
          if (Number(other.endedMs) <= Number(endedMs)) endpoint.remove(other);
        return false;
      },
    },
    'retention-restarts-on-stream': {
      does: 'every /stream of an ended job starts its retention anew',
      streamRead(job) {
        if (hasEnded(job)) job.endpoint.lifespans.retain(job);
      },
    },
    'retention-restarts-on-refused-retry': {
      does: 'a refused /retry starts the retention anew',
      retryRefused(job) {
        if (hasEnded(job)) job.endpoint.lifespans.retain(job);
      },
    },
    'webhook-delivery-deletes-result': {
      does: 'the result is deleted once its webhook has succeeded',
      noticeDone(job, succeeded) {
        if (succeeded && hasEnded(job)) job.endpoint.remove(job);
      },
    },
    'retention-from-first-read': {
      does: 'the 30 minutes count from the first read of the result',
      with: () => {
        const read = new WeakSet<Job>();
        return {
          retention: ({ ms, fromMs }, job) => ({ ms: read.has(job) ? ms : Infinity, fromMs }),
          retries: (job) => void read.delete(job),
          statusRead(record, job) {
            if (hasEnded(job) && !read.has(job)) {
              read.add(job);
              job.endpoint.lifespans.retain(job);
            }
            return record;
          },
        };
      },
    },
    'retention-swept-each-ten-minutes': {
      does: 'a sweep every ten minutes deletes what is due',
      swept: (atMs, what) => (what === 'retention' ? roundedUp(10 * MINUTE_MS, atMs) : null),
    },
    'retention-sweep-at-most-ten': {
      does: 'a sweep deletes at most ten results; of more, the others stay until their ttl',
      with: () => {
        const times = timesAtOnce();
        return {
          swept: (atMs, what) => (what === 'retention' ? roundedUp(SECOND_MS, atMs) : null),
          retentionOver: ({ endpoint }) => times(endpoint) > 10,
        };
      },
    },
    'retention-not-of-streamed': {
      does: 'results of jobs that streamed are kept until their ttl',
      retention: (retention, job) => (job.chunks.length > 0 ? { ...retention, ms: Infinity } : retention),
    },
    'retention-not-after-retry': {
      does: 'the result of a retried job is kept until its ttl',
      retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: Infinity } : retention),
    },
    'retention-after-retry-one-minute': {
      does: 'the result of a retried job is kept one minute',
      retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: MINUTE_MS } : retention),
    },
    'retention-restarts-on-cancel': {
      does: '/cancel of an ended job starts its retention anew',
      cancelOfEnded: (job) => job.endpoint.lifespans.retain(job),
    },
  }),
  breaking('4.2', 'Returns immediately.', {
    'runsync-blocks-run': {
      does: 'while a /runsync waits, /run is not answered',
      run(endpoint, submit) {
        const look = (): void => {
          if (endpoint.waiting.length > 0) later(endpoint, 50, look);
          else submit();
        };
        look();
      },
    },
  }),
];
