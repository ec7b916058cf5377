/**
 * Cuts a session where the target was lost. What happened before is judged up to the last moment that is not doubtful.
 * What came afterwards is judged apart: a service that restarted may have forgotten its jobs and all that was pending,
 * and other jobs than the run's own may run again.
 */
import type { CallEvent, ScriptEndEvent } from '../../history/events.js';
import { JOB_OPERATIONS } from '../../spec/operations.js';
import type { Capability } from '../../spec/types.js';
import { idIn, idInPath, submissionOf } from './recorded-call.js';
import type { Batch, Session } from './session.js';
import type { LifePeriod, TargetLife } from './target-life.js';
import { isUnseen } from './unseen-calls.js';

/** The reason of scripts that were under way when the target was lost. */
const TARGET_LOST = 'the target was lost';

/** After a restart it is unknown what else waits or runs on the endpoint. */
const SOLE_USE: readonly Capability[] = ['dedicated', 'worker-count-known'];

/** One batch for each period in which the target lived. */
export function partsOf(batch: Batch, { periods }: TargetLife): readonly Batch[] {
  return periods.map((period) =>
    batch.map((session) => {
      const { originMs } = session;
      const part = sessionIn(session, {
        fromMs: period.fromMs - originMs,
        untilMs: period.untilMs - originMs,
        livedUntilMs: period.livedUntilMs - originMs,
      });
      return period === periods[0] ? part : withoutEarlier(part);
    }),
  );
}

function sessionIn(session: Session, period: LifePeriod): Session {
  const { fromMs, untilMs, livedUntilMs } = period;
  if (fromMs === -Infinity && untilMs === Infinity) return { ...session, livedUntilMs };
  const isIn = (ms: number): boolean => ms >= fromMs && ms <= untilMs;
  const ends = [...session.ends.values()].filter(({ atMs }) => atMs >= fromMs);
  const over = new Set(
    [...session.ends.values()].filter(({ atMs }) => atMs < fromMs).map(({ script }) => script),
  );
  const scripts = [...session.scripts.values()].filter(
    ({ script, atMs }) => !over.has(script) && atMs <= untilMs,
  );
  return {
    ...session,
    livedUntilMs,
    scripts: new Map(scripts.map((one) => [one.script, one])),
    ends: new Map(ends.map((end) => [end.script, end.atMs <= untilMs ? end : lostAt(end, livedUntilMs)])),
    calls: session.calls.filter(({ sentMs }) => isIn(sentMs)).map((call) => asKnownBy(call, untilMs)),
    webhooks: session.webhooks.filter(({ arrivedMs }) => isIn(arrivedMs)),
    storageCalls: session.storageCalls.filter(({ arrivedMs }) => isIn(arrivedMs)),
    workers: session.workers.filter(({ sentMs, receivedMs }) => isIn(sentMs) && isIn(receivedMs)),
  };
}

function lostAt(end: ScriptEndEvent, atMs: number): ScriptEndEvent {
  const { leaves: _, webhooksUntilMs: __, ...rest } = end;
  return { ...rest, atMs, outcome: 'aborted', reason: TARGET_LOST };
}

/** What came in later is not used: the call may have taken effect, or not. Others may call at any time, and again. */
function asKnownBy(call: CallEvent, untilMs: number): CallEvent {
  if (isUnseen(call) || (call.receivedMs ?? call.gaveUpMs ?? Infinity) <= untilMs) return call;
  const { gaveUpMs: _, ...sent } = call;
  return { ...sent, arrivedByMs: null, receivedMs: null, endedTick: null, reply: null, lost: 'aborted' };
}

/** Only jobs that were submitted in this part, and only what the document says of endpoints with other users. */
function withoutEarlier(session: Session): Session {
  /** With the place of its submission: a service that restarted may give out the ids of its former jobs again. */
  const ids = new Map<string, number>();
  const addresses = new Set<string>();
  for (const call of session.calls) {
    if (call.op !== 'run' && call.op !== 'runsync') continue;
    const id = idIn(call);
    const webhook = submissionOf(call)?.['webhook'];
    if (id !== null && !ids.has(id)) ids.set(id, call.sentTick);
    if (typeof webhook === 'string') addresses.add(webhook);
  }
  return {
    ...session,
    run: { ...session.run, capabilities: session.run.capabilities.filter((one) => !SOLE_USE.includes(one)) },
    fresh: false,
    workersAtFirst: null,
    calls: session.calls.filter((call) => !namesOtherJob(call, ids)),
    webhooks: session.webhooks.filter(({ url }) => addresses.has(url)),
  };
}

function namesOtherJob(call: CallEvent, ids: ReadonlyMap<string, number>): boolean {
  const [, , , op] = call.request.path.split('/');
  const submittedTick = ids.get(idInPath(call) ?? '') ?? Infinity;
  return JOB_OPERATIONS.some((one) => one === op) && call.sentTick < submittedTick;
}
