/** What a test of a client does to the endpoint, and sees of it, besides calling it. */
import type { JobDetail } from '../../core/job-detail.js';
import { parseDuration } from '../../util/duration.js';
import { isCount } from '../../util/json.js';
import type { CallLog } from '../calls/call-log.js';
import type { Script } from '../../scenario/script.js';
import type { ControlledClock } from './controlled-clock.js';
import type { HostView } from '../host-view.js';
import type { LoggedCall } from '../logged-call.js';
import { OptionsError } from '../options.js';
import type { Recorder } from '../recorder.js';
import type { ResendWebhook } from '../webhooks/resend-webhook.js';

/** The clock of the endpoint, and what clients have done. @public */
export interface TestControls {
  /** The time of the endpoint, ms. A controlled clock starts at 0. */
  nowMs(): number;
  /**
   * Moves a controlled clock: by ms, or by a duration such as `'250ms'`, `'1m'`, `'1h30m'` or `'7d'`. All that is due
   * until then happens in its order: jobs start and end, timers expire, webhooks are called. Resolves with the new time,
   * ms. @throws {RunproofError} `usage` in real time, and for anything but a duration
   */
  advance(by: number | string): Promise<number>;
  /**
   * Moves a controlled clock to the next instant at which anything happens without a call. Resolves with the new time,
   * ms, or null if nothing is due. @throws {RunproofError} `usage` in real time
   */
  advanceToNext(): Promise<number | null>;
  /**
   * The next instant at which anything happens without a call, ms: now where something is under way, null if nothing is
   * due. @throws {RunproofError} `usage` in real time
   */
  nextDueMs(): number | null;
  /** The last 1,000 API calls, the oldest first. */
  calls(): readonly LoggedCall[];
  /**
   * A script that makes the last 10,000 calls again, on jobs of its own: save it as JSON for `runproof replay`, `shrink`
   * and `check --scenarios`, or pass it to `checkTarget`. It holds what clients sent, and no key. Its title says which
   * calls it leaves out. @throws {RunproofError} `usage` unless the endpoint was started with `record: true`
   */
  recordedScript(): Script;
  /**
   * The jobs that exist now, with what their clients sent, in order of submission: up to 1,000 of each kind (running,
   * waiting, ended).
   */
  jobs(): readonly JobDetail[];
  /**
   * Sends the webhook of an ended job once more, to test that its receiver takes it twice: same address, same body. The
   * job and its own attempts stay as they are. Resolves with the answered status code, or null without an answer.
   * @throws {RunproofError} `usage` unless the job exists, has ended, and has a webhook
   */
  resendWebhook(id: string): Promise<number | null>;
}

const JOBS_MAX = 1_000;

export function createTestControls(
  clock: ControlledClock | null,
  view: () => HostView,
  { calls }: Pick<CallLog, 'calls'>,
  recorder: Recorder | null,
  resend: ResendWebhook,
): TestControls {
  const controlled = (): ControlledClock => {
    if (clock === null)
      throw new OptionsError("real time cannot be advanced: start the endpoint with clock: 'controlled'");
    return clock;
  };
  return {
    nowMs: () => view().nowMs,
    async advance(by) {
      const byMs = typeof by === 'number' ? by : parseDuration(by);
      const { advance, nowMs } = controlled();
      if (!isCount(byMs) || !isCount(nowMs() + byMs))
        throw new OptionsError(
          `advance wants ms, or a duration such as '1m' or '1h30m', not ${JSON.stringify(by)}`,
        );
      return advance(byMs);
    },
    async advanceToNext() {
      const { advance, nowMs, nextEventAtMs } = controlled();
      const nextMs = nextEventAtMs();
      return nextMs === null ? null : advance(Math.max(0, nextMs - nowMs()));
    },
    nextDueMs: () => controlled().nextEventAtMs(),
    calls: () => [...calls()],
    recordedScript() {
      if (recorder === null)
        throw new OptionsError('no calls are kept for a script: start the endpoint with record: true');
      return recorder.script();
    },
    jobs() {
      const { service } = view();
      return service
        .snapshot(JOBS_MAX)
        .flatMap((endpoint) => endpoint.jobs.flatMap(({ id }) => service.job(endpoint.id, id) ?? []))
        .sort((left, right) => left.submittedMs - right.submittedMs);
    },
    async resendWebhook(id) {
      for (const endpoint of view().service.snapshot(0)) {
        const ended = resend(endpoint.id, id);
        if (ended !== null) return ended;
      }
      throw new OptionsError(`no webhook to send: no job ${id}, not ended, or without a webhook`);
    },
  };
}
