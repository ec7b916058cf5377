/** What jobs of recorded traffic have in common that fail, are refused, or are read in a way that helps no one. */
import type { CallEvent } from '../../history/events.js';
import { ENDED_STATUSES, isJobStatus, type JobStatus } from '../../spec/index.js';
import { isObject } from '../../util/json.js';
import { Fineness, Share, type Hint } from './hint.js';
import { propertiesOf } from './properties.js';
import { Split, type StandsOut } from './split.js';

/** What is known of a job that is not over. */
interface JobSeen {
  /** The call that submitted it; null: it was there before. */
  submitted: number | null;
  properties: readonly string[];
  isAwaited: boolean;
  reads: number;
  status: JobStatus | null;
  /** When /status was called last, and what it showed. */
  read: { readonly atMs: number; readonly status: JobStatus | null } | null;
}

/** Who asks again so soon learns nothing new. */
const TOO_SOON_MS = 250;
/** How a job may end that its client did not want. */
const BAD_ENDS = ['FAILED', 'TIMED_OUT'] as const;

export class JobHints {
  readonly #jobs = new Map<number, JobSeen>();
  readonly #refused = new Split();
  readonly #ends = { FAILED: new Split(), TIMED_OUT: new Split() };
  readonly #unfinished = new Split();
  readonly #unread = new Share();
  readonly #tooSoon = new Share();
  readonly #afterEnd = new Share();
  readonly #fine = new Fineness();

  see(call: CallEvent): void {
    const { op, script, reply } = call;
    if (reply === null) return;
    const job = this.#jobs.get(script) ?? NEW_JOB();
    const status = statusIn(call);
    if (op === 'run' || op === 'runsync') this.#submitted(call, job);
    if (op === 'status' && reply.status < 300) this.#read(call, job, status);
    if (op === 'status' || op === 'stream' || op === 'cancel') job.reads += 1;
    job.status = status ?? job.status;
    // A retry begins a new life.
    if (op === 'retry') job.read = null;
    this.#jobs.set(script, job);
  }

  /** The script is over. */
  end(script: number): void {
    const job = this.#jobs.get(script);
    this.#jobs.delete(script);
    if (job === undefined || job.submitted === null) return;
    const { submitted, properties, status, isAwaited, reads } = job;
    const hasEnded = status !== null && ENDED_STATUSES.includes(status);
    if (hasEnded) for (const end of BAD_ENDS) this.#ends[end].see(properties, status === end, submitted);
    if (reads > 0) this.#unfinished.see(properties, !hasEnded, submitted);
    if (!isAwaited) this.#unread.see(reads === 0, submitted);
  }

  *found(): Generator<Hint> {
    yield* told(
      this.#refused,
      'submission',
      'refused',
      'its answer, and how the service handles such submissions',
    );
    for (const end of BAD_ENDS) {
      const why =
        end === 'FAILED'
          ? 'its output or error, and how the handler treats such jobs'
          : 'how long such a job takes, and `policy.executionTimeout`';
      yield* told(this.#ends[end], 'job that was seen to end', end, why);
      const { all } = this.#ends[end];
      if (this.#ends[end].clearest === null && all.isAtLeast(5, 0.2))
        yield {
          text: `${all.count} of ${all.of} jobs that were seen to end are ${end}`,
          call: all.first!,
          next: why,
        };
    }
    yield* told(
      this.#unfinished,
      'job that was asked about',
      'never seen to end',
      'its last answer, and whether its client gives up or the job hangs',
    );
    if (this.#fine.isFine && this.#tooSoon.isAtLeast(100, 0.5))
      yield {
        text: `${this.#tooSoon.count} of ${this.#tooSoon.of} calls of /status are made less than ${TOO_SOON_MS} ms after the one before, and show the same`,
        call: this.#tooSoon.first!,
        next: 'how often its client asks: once a second, or a webhook, would do',
      };
    if (this.#afterEnd.isAtLeast(100, 0.3))
      yield {
        text: `${this.#afterEnd.count} of ${this.#afterEnd.of} calls of /status ask for a job that the call before has shown as ended`,
        call: this.#afterEnd.first!,
        next: 'whether its client stops asking when the job has ended',
      };
    if (this.#unread.isAtLeast(10, 0.1))
      yield {
        text: `${this.#unread.count} of ${this.#unread.of} jobs of /run without a webhook are never asked about`,
        call: this.#unread.first!,
        next: 'whether anyone needs their results, which are kept for 30 minutes',
      };
  }

  #submitted(call: CallEvent, job: JobSeen): void {
    const { op, reply } = call;
    const { status } = reply!;
    const properties = propertiesOf(call);
    // These say something of the key and of the pace.
    if (status !== 401 && status !== 403 && status !== 429)
      this.#refused.see(properties, status >= 400, call.call);
    if (status >= 300) return;
    job.submitted = call.call;
    job.properties = properties;
    job.isAwaited = op === 'runsync' || properties.includes('`webhook`');
  }

  #read(call: CallEvent, job: JobSeen, status: JobStatus | null): void {
    const { read } = job;
    this.#fine.see(call.sentMs);
    const isSame = read !== null && status !== null && read.status === status;
    const hasEnded = status !== null && ENDED_STATUSES.includes(status);
    const isLive = isSame && !hasEnded;
    this.#tooSoon.see(isLive && call.sentMs - read.atMs < TOO_SOON_MS, call.call);
    this.#afterEnd.see(isSame && hasEnded, call.call);
    job.read = { atMs: call.sentMs, status };
  }
}

const NEW_JOB = (): JobSeen => ({
  ...{ submitted: null, properties: [], isAwaited: false },
  ...{ reads: 0, status: null, read: null },
});

function statusIn({ reply }: CallEvent): JobStatus | null {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  const status = isObject(value) ? value['status'] : null;
  return isJobStatus(status) ? status : null;
}

/** `with `s3Config`, 7 of 7 submissions are refused; without it, 0 of 155`. */
function* told(split: Split, what: string, outcome: string, next: string): Generator<Hint> {
  const { clearest } = split;
  if (clearest === null) return;
  yield { text: textOf(clearest, what, outcome), call: clearest.call, next };
}

const NAMES_TOLD_MAX = 3;

function textOf(
  { properties, has, count, of, others, ofOthers }: StandsOut,
  what: string,
  outcome: string,
): string {
  const [noun, ...rest] = what.split(' ');
  const named = properties.slice(0, NAMES_TOLD_MAX).join(', ');
  const more = properties.length > NAMES_TOLD_MAX ? ` and ${properties.length - NAMES_TOLD_MAX} more` : '';
  const all = [`${noun}s`, ...rest.map((word) => (word === 'was' ? 'were' : word))].join(' ');
  const [inside, outside] = has ? ['with', 'without'] : ['without', 'with'];
  const them = properties.length === 1 ? 'it' : 'them';
  return `${inside} ${named}${more}, ${count} of ${of} ${all} are ${outcome}; ${outside} ${them}, ${others} of ${ofOthers}`;
}
