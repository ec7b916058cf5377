/** What a client knows of its jobs, and what must still be so whatever happens to the server. */
export interface Known {
  readonly id: string;
  readonly kind: 'quick' | 'slow' | 'failing' | 'overrunning' | 'mortal';
  /** When it was sent, ms of this machine. */
  readonly sentMs: number;
  readonly ttlMs: number | null;
  readonly webhook: boolean;
  /** The record of its end, once a reply has shown it. */
  end: Told | null;
  /** A call that may change it has got no answer: what it did is unknown. */
  unsure: boolean;
  /** A call of it is under way: no other, so that replies come in the order of events. */
  busy: boolean;
}

/** A record as `/status` answers it. */
export interface Told {
  readonly id: string;
  readonly status: string;
  readonly output?: { readonly run: string };
  readonly delayTime?: number;
  readonly executionTime?: number;
}

const ENDS: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

export interface Ledger {
  readonly jobs: readonly Known[];
  readonly faults: readonly string[];
  readonly ends: number;
  readonly checks: number;
  accepted(job: Known): void;
  /** `/status` has answered. */
  shown(job: Known, code: number, told: Told | null, nowMs: number): void;
  /** `/cancel` or `/retry` was answered 200. */
  changed(job: Known, to: 'CANCELLED' | 'IN_QUEUE'): void;
  /** The webhook of a job was called with this record. */
  called(told: Told): void;
  /** Jobs that ended well and whose webhook nobody has called. */
  uncalled(): readonly Known[];
}

export function createLedger(): Ledger {
  const jobs: Known[] = [];
  const byId = new Map<string, Known>();
  const faults: string[] = [];
  /** What webhooks told of jobs that ended well, by id. */
  const calls = new Map<string, Told>();
  let ends = 0;
  let checks = 0;

  const fault = (job: Known, what: string): void =>
    void faults.push(`${what}: ${job.kind} job ${job.id}, known ${JSON.stringify(job.end)}`);

  function ended(job: Known, told: Told): void {
    if (job.end === null) {
      job.end = told;
      ends++;
      const call = calls.get(job.id);
      if (call !== undefined && call.output?.run !== told.output?.run)
        fault(job, `the webhook told ${JSON.stringify(call)}, and the record tells ${JSON.stringify(told)}`);
      return;
    }
    if (JSON.stringify(told) !== JSON.stringify({ ...told, ...job.end }))
      return fault(job, `its end has changed to ${JSON.stringify(told)}`);
    job.end = told;
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

    shown(job, code, told, nowMs) {
      checks++;
      const over = job.ttlMs !== null && nowMs - job.sentMs >= job.ttlMs;
      if (code === 404 && over) return;
      if (code !== 200 || told === null) return fault(job, `/status answers ${code}`);
      if (told.id !== job.id) return fault(job, `another job's record: ${JSON.stringify(told)}`);
      if (job.unsure) job.end = null;
      job.unsure = false;
      if (ENDS.has(told.status)) return ended(job, told);
      if (job.end !== null) fault(job, `it was over, and is ${told.status}`);
    },

    changed(job, to) {
      job.unsure = false;
      if (to === 'IN_QUEUE') job.end = null;
      else ended(job, { id: job.id, status: to });
    },

    called(told) {
      if (told.status !== 'COMPLETED') return;
      const earlier = calls.get(told.id);
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(told))
        faults.push(`webhooks tell ${JSON.stringify(earlier)} and ${JSON.stringify(told)}`);
      calls.set(told.id, told);
      const job = byId.get(told.id);
      // A retry whose answer is still on its way may have led to it.
      if (job?.end && !job.busy && !job.unsure && job.end.output?.run !== told.output?.run)
        fault(job, `the webhook tells ${JSON.stringify(told)}`);
    },

    uncalled: () =>
      jobs.filter(({ id, webhook, end }) => webhook && end?.status === 'COMPLETED' && !calls.has(id)),
  };
}
