/** Faults that violate a `should`: advice, which makes no target non-conforming. */
import { STATUS_TTL_EXAMPLE_MS } from '../spec/limits.js';
import type { JobView } from '../core/entities.js';
import type { Json } from '../history/events.js';
import type { Changes } from './mutant.js';

/** More than 2 MB. */
const isLarge = (output: Json | undefined): boolean =>
  output !== undefined && JSON.stringify(output).length > 2_000_000;

export const ADVISED: Changes = {
  'delay-time-not-in-queue': (base) => ({
    delayTimeShown: (job) => (job.status === 'IN_QUEUE' ? 'absent' : base.delayTimeShown(job)),
  }),
  'execution-time-at-the-end-only': (base) => ({
    executionTimeShown: (job) => (job.status === 'IN_PROGRESS' ? 'absent' : base.executionTimeShown(job)),
  }),
  'times-lost-by-a-retry': (base) => ({
    delayTimeShown: (job) => (job.retries > 0 && job.endedMs === null ? 'absent' : base.delayTimeShown(job)),
    executionTimeShown: (job) =>
      job.retries > 0 && job.endedMs === null ? 'absent' : base.executionTimeShown(job),
  }),
  'status-ttl-of-the-example-refused': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'ttl' && value >= STATUS_TTL_EXAMPLE_MS && value < bounds.min
        ? 'refused'
        : base.outOfRange(field, value, bounds),
  }),
  'status-ttl-of-the-example-raised': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'ttl' && value >= 0 && value < bounds.min
        ? bounds.min
        : base.outOfRange(field, value, bounds),
  }),
  'status-ttl-of-the-example-ignored': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'ttl' && value < bounds.min ? 'absent' : base.outOfRange(field, value, bounds),
  }),
  'output-over-two-megabytes-dropped': (base) => ({
    outputKept: (job, output) => (isLarge(output) ? undefined : base.outputKept(job, output)),
  }),
  'output-over-two-megabytes-fails': (base) => ({
    endingOf: (report) =>
      report.kind === 'success' && isLarge(report.output)
        ? { status: 'FAILED', output: undefined, error: 'payload too large' }
        : base.endingOf(report),
  }),
  'retry-while-retried-runs-again': (base) => {
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
  'retry-deducts-earlier-runs': (base) => ({
    executionDeadlineMs: (job, timeoutMs) => base.executionDeadlineMs(job, timeoutMs - job.ranBeforeMs),
  }),
  's3-config-in-record': (base) => ({
    reasonShown: (job) => job.submission.s3Config ?? base.reasonShown(job),
  }),
  'policy-fractions-rounded': (base) => ({
    integerIn: (field, value) =>
      field.startsWith('policy.') && typeof value === 'number'
        ? base.integerIn(field, Math.round(value))
        : base.integerIn(field, value),
  }),
  'policy-numbers-as-text-taken': (base) => ({
    integerIn: (field, value) =>
      field.startsWith('policy.') && typeof value === 'string' && /^\d+$/.test(value)
        ? base.integerIn(field, Number(value))
        : base.integerIn(field, value),
  }),
};
