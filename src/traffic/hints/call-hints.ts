/** Which operations are slow as a habit, answered with errors, or not at all. */
import type { CallEvent } from '../../history/events.js';
import type { Operation } from '../../spec/index.js';
import { exactDuration } from '../../util/duration.js';
import { isObject } from '../../util/json.js';
import { getOrMake } from '../../util/maps.js';
import { Fineness, Share, type Hint } from './hint.js';

/** What the document has answered at once, or what only reads. */
const AT_ONCE: ReadonlySet<Operation | null> = new Set([
  'run',
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
]);
const SLOW_MS = 1_000;
/** Where the recording tells times in whole seconds, a call seems to take up to two. */
const SLOW_COARSE_MS = 3_000;
const CALLS_MIN = 5;
const ERRORS_SHARE = 0.01;

interface OperationSeen {
  /** How often each time was taken, by its first two digits, ms. */
  readonly times: Map<number, number>;
  slowest: { readonly ms: number; readonly call: number } | null;
  answered: number;
  readonly errors: Share;
  /** Of these. */
  notJson: number;
  readonly limited: Share;
  readonly lost: Share;
}

export class CallHints {
  readonly #widenedMs: number;
  readonly #operations = new Map<Operation, OperationSeen>();
  readonly #fine = new Fineness();
  readonly #idle = new Share();

  /** @param widenedMs how much longer a call may seem than it was, because of several clocks */
  constructor(widenedMs: number) {
    this.#widenedMs = widenedMs;
  }

  see(event: CallEvent): void {
    const { op, reply, call, lost, sentMs, receivedMs } = event;
    if (op === null) return;
    const seen = getOrMake(this.#operations, op, newOperation);
    const status = reply?.status ?? 0;
    if (reply !== null || lost === 'reset') seen.lost.see(reply === null, call);
    if (reply === null) return;
    seen.errors.see(status >= 500, call);
    if (status >= 500 && reply.body.as === 'text') seen.notJson += 1;
    seen.limited.see(status === 429, call);
    if (op === 'health') this.#seeHealth(event);
    if (status >= 300 || receivedMs === null) return;
    const ms = Math.max(0, receivedMs - sentMs - this.#widenedMs);
    this.#fine.see(ms);
    seen.answered += 1;
    const digits = twoDigits(ms);
    seen.times.set(digits, (seen.times.get(digits) ?? 0) + 1);
    if (seen.slowest === null || ms > seen.slowest.ms) seen.slowest = { ms, call };
  }

  *found(): Generator<Hint> {
    const slowMs = this.#fine.isFine ? SLOW_MS : SLOW_COARSE_MS;
    for (const [op, { times, slowest, answered }] of this.#operations) {
      const medianMs = medianOf(times, answered);
      if (AT_ONCE.has(op) && answered >= CALLS_MIN && medianMs >= slowMs)
        yield {
          text: `/${op} takes ${exactDuration(medianMs)} or more in half of ${answered} calls, up to ${exactDuration(slowest!.ms)}`,
          call: slowest!.call,
          next: `what the service waits for before it answers /${op}`,
        };
    }
    for (const [op, { errors, notJson, limited, lost }] of this.#operations) {
      if (errors.isAtLeast(CALLS_MIN, ERRORS_SHARE))
        yield {
          text: `${errors.count} of ${errors.of} calls of /${op} are answered with 5xx${notJson === 0 ? '' : `, ${notJson} of them with a body that is not JSON`}`,
          call: errors.first!,
          next:
            notJson === 0
              ? 'the logs of the service at that time'
              : 'the logs of the service, and of what stands before it, at that time',
        };
      if (limited.isAtLeast(CALLS_MIN, ERRORS_SHARE))
        yield {
          text: `${limited.count} of ${limited.of} calls of /${op} are answered with 429`,
          call: limited.first!,
          next: 'how fast clients call, and whether they wait longer each time (section 8)',
        };
      if (lost.isAtLeast(CALLS_MIN, ERRORS_SHARE))
        yield {
          text: `${lost.count} of ${lost.of} calls of /${op} get no answer`,
          call: lost.first!,
          next: 'whether clients give up too early, or connections break',
        };
    }
    if (this.#idle.isAtLeast(CALLS_MIN, 0.5))
      yield {
        text: `in ${this.#idle.count} of ${this.#idle.of} answers of /health that show waiting jobs, workers are idle`,
        call: this.#idle.first!,
        next: 'why idle workers do not take these jobs',
      };
  }

  #seeHealth({ reply, call }: CallEvent): void {
    const value = reply!.body.as === 'json' ? reply!.body.value : null;
    const jobs = isObject(value) ? value['jobs'] : null;
    const workers = isObject(value) ? value['workers'] : null;
    const waiting = isObject(jobs) ? jobs['inQueue'] : null;
    const idle = isObject(workers) ? workers['idle'] : null;
    if (typeof waiting === 'number' && typeof idle === 'number' && waiting > 0)
      this.#idle.see(idle > 0, call);
  }
}

const newOperation = (): OperationSeen => ({
  ...{ times: new Map(), slowest: null, answered: 0, notJson: 0 },
  ...{ errors: new Share(), limited: new Share(), lost: new Share() },
});

/** Rounded down. */
function twoDigits(ms: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, ms))) - 1);
  return Math.floor(ms / unit) * unit;
}

/** Half of all take as long or longer. 0: there are none. */
function medianOf(times: ReadonlyMap<number, number>, count: number): number {
  let longer = 0;
  for (const [ms, often] of [...times].sort(([left], [right]) => right - left)) {
    longer += often;
    if (longer >= count / 2) return ms;
  }
  return 0;
}
