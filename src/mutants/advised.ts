/** Faults that violate a `should`: advice, which makes no target non-conforming. */
import { STATUS_TTL_EXAMPLE_MS } from '../spec/limits.js';
import type { JobView } from '../core/entities.js';
import type { Json } from '../history/events.js';
import { fault } from './mutant.js';

/** More than 2 MB. */
const isLarge = (output: Json | undefined): boolean =>
  output !== undefined && JSON.stringify(output).length > 2_000_000;

export const ADVISED = [
  fault(
    'delay-time-not-in-queue',
    'the record of a waiting job holds no delayTime',
    ['2.4/times-in-every-state'],
    (base) => ({
      delayTimeShown: (job) => (job.status === 'IN_QUEUE' ? 'absent' : base.delayTimeShown(job)),
    }),
  ),
  fault(
    'execution-time-at-the-end-only',
    'the record of a running job holds no executionTime',
    ['2.4/times-in-every-state'],
    (base) => ({
      executionTimeShown: (job) => (job.status === 'IN_PROGRESS' ? 'absent' : base.executionTimeShown(job)),
    }),
  ),
  fault(
    'times-lost-by-a-retry',
    'a retried job that waits or runs shows no times',
    ['2.4/times-in-every-state'],
    (base) => ({
      delayTimeShown: (job) =>
        job.retries > 0 && job.endedMs === null ? 'absent' : base.delayTimeShown(job),
      executionTimeShown: (job) =>
        job.retries > 0 && job.endedMs === null ? 'absent' : base.executionTimeShown(job),
    }),
  ),
  fault(
    'status-ttl-of-the-example-refused',
    '/status refuses the ttl of the document’s own example (6000)',
    ['4.3/ttl-of-the-example'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'ttl' && value >= STATUS_TTL_EXAMPLE_MS && value < bounds.min
          ? 'refused'
          : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'status-ttl-of-the-example-raised',
    '/status raises a ttl below 10 s to 10 s',
    ['4.3/ttl-of-the-example'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'ttl' && value >= 0 && value < bounds.min
          ? bounds.min
          : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'status-ttl-of-the-example-ignored',
    '/status ignores a ttl below 10 s',
    ['4.3/ttl-of-the-example'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'ttl' && value < bounds.min ? 'absent' : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'output-over-two-megabytes-dropped',
    'a job that returns more than 2 MB is COMPLETED, but its output is lost',
    ['2.4/large-output-whole'],
    (base) => ({
      outputKept: (job, output) => (isLarge(output) ? undefined : base.outputKept(job, output)),
    }),
  ),
  fault(
    'output-over-two-megabytes-fails',
    'a job that returns more than 2 MB is FAILED',
    ['2.4/large-output-whole'],
    (base) => ({
      endingOf: (report) =>
        report.kind === 'success' && isLarge(report.output)
          ? { status: 'FAILED', output: undefined, error: 'payload too large' }
          : base.endingOf(report),
    }),
  ),
  fault(
    'retry-while-retried-runs-again',
    '/retry of a job that was already retried and has not ended makes it run again',
    [
      '4.6/retries-at-once-requeue-once',
      '4.6/no-effect-in-queue',
      '4.6/no-effect-in-progress',
      '4.6/retried-job-runs',
    ],
    (base) => {
      const twice = new WeakMap<JobView, number>();
      return {
        retryOfOther: (job) => {
          if (job.retries === 0 || job.endedMs !== null) return base.retryOfOther(job);
          twice.set(job, job.retries);
          return 'done';
        },
        redispatchesAfter: (job, report) => {
          const again = twice.get(job) === job.retries && report.kind !== 'crash';
          twice.delete(job);
          return again || base.redispatchesAfter(job, report);
        },
      };
    },
  ),
  fault(
    's3-config-in-record',
    'the record of a job holds its s3Config',
    ['2.3/secret-not-shown'],
    (base) => ({ reasonShown: (job) => job.submission.s3Config ?? base.reasonShown(job) }),
  ),
  fault(
    'policy-fractions-rounded',
    'fractional numbers in policy are accepted and rounded',
    ['2.2/ttl-integer', '2.2/execution-timeout-integer'],
    (base) => ({
      integerIn: (field, value) =>
        field.startsWith('policy.') && typeof value === 'number'
          ? base.integerIn(field, Math.round(value))
          : base.integerIn(field, value),
    }),
  ),
  fault(
    'policy-numbers-as-text-taken',
    'numbers in policy may be written as strings',
    ['2.2/ttl-integer', '2.2/execution-timeout-integer'],
    (base) => ({
      integerIn: (field, value) =>
        field.startsWith('policy.') && typeof value === 'string' && /^\d+$/.test(value)
          ? base.integerIn(field, Number(value))
          : base.integerIn(field, value),
    }),
  ),
] as const;
