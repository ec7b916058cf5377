/** Violations of sections 2.4 to 2.7 and 4.8: contents of answers, and counts of /health. */
import type { Json } from '../history/events.js';
import { without, type Changes } from './mutant.js';

/** The health record with members of `jobs` or `workers` replaced; undefined leaves a member out. */
function patched(
  health: Json,
  group: 'jobs' | 'workers',
  change: (counts: { [name: string]: number }) => { [name: string]: number | undefined },
): Json {
  const record = health as { readonly [group: string]: { readonly [name: string]: number } };
  const counts = { ...record[group] };
  const entries = Object.entries({ ...counts, ...change(counts) }).filter(([, value]) => value !== undefined);
  return { ...record, [group]: Object.fromEntries(entries) as { [name: string]: number } };
}

export const SECTION_2_4: Changes = {
  'id-new-on-retry': () => ({ idOnRetry: (_job, fresh) => fresh() }),
  'status-lower-case': (base) => ({
    statusShown: (job, view) => (view === 'status' ? job.status.toLowerCase() : base.statusShown(job, view)),
  }),
  'status-misspelt-on-cancel': (base) => ({
    statusShown: (job, view) => (view === 'cancel' ? 'CANCELED' : base.statusShown(job, view)),
  }),
  'output-wrapped': () => ({
    outputKept: (_job, output) => (output === undefined ? undefined : { result: output }),
  }),
  'output-as-text': () => ({
    outputKept: (_job, output) => (Array.isArray(output) ? JSON.stringify(output) : output),
  }),
  'output-ascii-only': () => ({
    outputKept: (_job, output) =>
      output === undefined
        ? undefined
        : (JSON.parse(JSON.stringify(output).replace(/[^\0-\x7f]/g, '?')) as Json),
  }),
  'output-not-in-status': without((field, view) => field === 'output' && view === 'status'),
  'output-not-in-runsync': without((field, view) => field === 'output' && view === 'runsync'),
  'output-of-another-job': () => {
    let before: Json | undefined;
    return {
      outputKept: (_job, output) => {
        const shown = before ?? output;
        before = output;
        return shown;
      },
    };
  },
  'output-while-queued': (base) => ({
    outputShown: (job, view) => (job.status === 'IN_QUEUE' ? {} : base.outputShown(job, view)),
  }),
  'delay-time-missing': () => ({ delayTimeShown: () => 'absent' }),
  'execution-time-missing': () => ({ executionTimeShown: () => 'absent' }),
  'delay-time-includes-run': () => ({ delayTimeMs: (job, nowMs) => (job.endedMs ?? nowMs) - job.queuedMs }),
  'execution-time-includes-wait': () => ({
    executionTimeMs: (job, nowMs) => (job.startedMs === null ? 0 : (job.endedMs ?? nowMs) - job.submittedMs),
  }),
  'execution-time-goes-on': () => ({
    executionTimeMs: (job, nowMs) => (job.startedMs === null ? 0 : nowMs - job.startedMs),
  }),
  'cancelled-execution-time-goes-on': (base) => ({
    executionTimeMs: (job, nowMs) =>
      job.status === 'CANCELLED' && job.startedMs !== null
        ? nowMs - job.startedMs
        : base.executionTimeMs(job, nowMs),
  }),
  'times-with-fraction': (base) => ({ inUnitShown: (ms) => base.inUnitShown(ms) + 0.5 }),
  'delay-time-in-seconds': (base) => ({
    delayTimeMs: (job, nowMs) => Math.floor(base.delayTimeMs(job, nowMs) / 1000),
  }),
  'chunk-bare': () => ({ chunkOf: (output) => output }),
  'chunk-misnamed': () => ({ chunkOf: (output) => ({ data: output }) }),
  'chunk-as-text': () => ({
    chunkOf: (output) => ({ output: typeof output === 'string' ? output : JSON.stringify(output) }),
  }),
  'metrics-as-list': () => ({ chunkOf: (output) => ({ output, metrics: [] }) }),
  'purge-status-upper-case': () => ({ purgeBody: (removed) => ({ removed, status: 'COMPLETED' }) }),
  'purge-counts-running': () => ({ purgeCount: (removed, running) => removed + running }),
  'purge-counts-nothing': () => ({ purgeCount: () => 0 }),
  'purge-count-as-text': (base) => ({
    purgeBody: (removed) => ({
      ...(base.purgeBody(removed) as { readonly [name: string]: Json }),
      removed: String(removed),
    }),
  }),
  'health-without-idle': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'workers', () => ({ idle: undefined })),
  }),
  'health-without-retried': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ retried: undefined })),
  }),
  'health-queue-with-running': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
        inQueue: jobs['inQueue']! + counts.held.IN_PROGRESS,
      })),
  }),
  'health-queue-only-grows': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ inQueue: counts.entered.IN_QUEUE })),
  }),
  'health-progress-only-grows': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ inProgress: counts.entered.IN_PROGRESS })),
  }),
  'health-completed-with-failed': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
        completed: jobs['completed']! + counts.entered.FAILED,
      })),
  }),
  'health-completed-with-cancelled': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
        completed: jobs['completed']! + counts.entered.CANCELLED,
      })),
  }),
  'health-completed-stuck': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ completed: 0 })),
  }),
  'health-failed-stuck': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ failed: 0 })),
  }),
  'health-failed-with-completed': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
        failed: jobs['failed']! + counts.entered.COMPLETED,
      })),
  }),
  'health-retried-counts-failures': (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ retried: counts.entered.FAILED })),
  }),
};
