/** What clients know of their jobs, and what must remain true whatever happens to the server. */
export interface KnownJob {
  readonly id: string;
  readonly kind: 'quick' | 'slow' | 'failing' | 'overrunning' | 'mortal';
  /** When it was sent, ms of this machine. */
  readonly sentMs: number;
  readonly ttlMs: number | null;
  readonly webhook: boolean;
  /** The record of its end, once a reply has shown it. */
  end: JobRecord | null;
  /** A call that may change it was not answered: its effect is unknown. */
  uncertain: boolean;
  /**
   * A call about it is in progress: there is only one at a time, so that replies come in the order of events.
   */
  busy: boolean;
}

/** A record as `/status` answers it. */
export interface JobRecord {
  readonly id: string;
  readonly status: string;
  readonly output?: { readonly run: string };
  readonly delayTime?: number;
  readonly executionTime?: number;
}

const ENDS: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

export interface KnownJobs {
  readonly jobs: readonly KnownJob[];
  readonly faults: readonly string[];
  readonly ends: number;
  readonly checks: number;
  accepted(job: KnownJob): void;
  /** `/status` has answered. */
  shown(job: KnownJob, code: number, record: JobRecord | null, nowMs: number): void;
  /** `/cancel` or `/retry` was answered with 200. */
  changed(job: KnownJob, to: 'CANCELLED' | 'IN_QUEUE'): void;
  /** The webhook of a job was called with this record. */
  called(record: JobRecord): void;
  /** Completed jobs whose webhook was not called. */
  uncalled(): readonly KnownJob[];
}

export function createKnownJobs(): KnownJobs {
  const jobs: KnownJob[] = [];
  const byId = new Map<string, KnownJob>();
  const faults: string[] = [];
  /** Records that webhooks sent of completed jobs, by id. */
  const calls = new Map<string, JobRecord>();
  let ends = 0;
  let checks = 0;

  const fault = (job: KnownJob, what: string): void =>
    void faults.push(`${what}: ${job.kind} job ${job.id}, known ${JSON.stringify(job.end)}`);

  function ended(job: KnownJob, record: JobRecord): void {
    if (job.end === null) {
      job.end = record;
      ends++;
      const call = calls.get(job.id);
      if (call !== undefined && call.output?.run !== record.output?.run)
        fault(
          job,
          `the webhook told ${JSON.stringify(call)}, and the record tells ${JSON.stringify(record)}`,
        );
      return;
    }
    if (JSON.stringify(record) !== JSON.stringify({ ...record, ...job.end }))
      return fault(job, `its end has changed to ${JSON.stringify(record)}`);
    job.end = record;
  }

  return {
    jobs,
    faults,
    get ends() {
      return ends;
    },
    get checks() {
      return checks;
    },
    accepted(job) {
      jobs.push(job);
      byId.set(job.id, job);
    },

    shown(job, code, record, nowMs) {
      checks++;
      const over = job.ttlMs !== null && nowMs - job.sentMs >= job.ttlMs;
      if (code === 404 && over) return;
      if (code !== 200 || record === null) return fault(job, `/status answers ${code}`);
      if (record.id !== job.id) return fault(job, `another job's record: ${JSON.stringify(record)}`);
      if (job.uncertain) job.end = null;
      job.uncertain = false;
      if (ENDS.has(record.status)) return ended(job, record);
      if (job.end !== null) fault(job, `it was over, and is ${record.status}`);
    },

    changed(job, to) {
      job.uncertain = false;
      if (to === 'IN_QUEUE') job.end = null;
      else ended(job, { id: job.id, status: to });
    },

    called(record) {
      if (record.status !== 'COMPLETED') return;
      const earlier = calls.get(record.id);
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(record))
        faults.push(`webhooks tell ${JSON.stringify(earlier)} and ${JSON.stringify(record)}`);
      calls.set(record.id, record);
      const job = byId.get(record.id);
      // A retry whose answer is still on its way may have led to it.
      if (job?.end && !job.busy && !job.uncertain && job.end.output?.run !== record.output?.run)
        fault(job, `the webhook tells ${JSON.stringify(record)}`);
    },

    uncalled: () =>
      jobs.filter(({ id, webhook, end }) => webhook && end?.status === 'COMPLETED' && !calls.has(id)),
  };
}
