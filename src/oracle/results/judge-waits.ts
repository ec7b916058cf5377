/** Section 4.1: how long a `/runsync` call waits, and what ends its waiting. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { ENDED } from '../life/zone.js';
import { answerOf, seconds, statusIn } from '../reading.js';
import type { Scene } from '../scene.js';

/** An answer may need so long on its way, the target's lateness aside. */
const ON_THE_WAY_MS = 3000;

export function judgeWaits(scene: Scene): void {
  for (const call of scene.session.calls)
    if (call.op === 'runsync' && scene.session.exists && call.request.illegal === null)
      judgeWait(scene, call);
}

interface Wait {
  readonly leastMs: number;
  readonly mostMs: number;
  readonly given: number | null;
}

/** What `wait` may mean; null when it cannot be told. A `wait` out of range may be clamped or replaced by the default. */
function waitOf(call: CallEvent): Wait | null {
  const text = call.request.query['wait'];
  if (text === undefined) return { leastMs: WAIT_DEFAULT_MS, mostMs: WAIT_DEFAULT_MS, given: null };
  if (!/^-?[0-9]+$/.test(text)) return null;
  const given = Number(text);
  if (given < WAIT_MIN_MS) return { leastMs: WAIT_MIN_MS, mostMs: WAIT_DEFAULT_MS, given };
  if (given > WAIT_MAX_MS) return { leastMs: WAIT_DEFAULT_MS, mostMs: WAIT_MAX_MS, given };
  return { leastMs: given, mostMs: given, given };
}

function judgeWait(scene: Scene, call: CallEvent): void {
  const wait = waitOf(call);
  const code = call.reply?.status;
  if (wait === null || code === 400 || code === 401 || code === 413 || code === 429) return;
  const { graceMs, earlyMs } = scene.session.run;
  const shown = statusIn(call);
  const ended = shown !== null && shown !== 'IN_QUEUE' && shown !== 'IN_PROGRESS';
  const waited = `sent at ${seconds(call.sentMs)}, answered at ${seconds(call.receivedMs ?? Infinity)}, wait ${seconds(wait.mostMs)}`;
  const latestMs = (call.arrivedByMs ?? call.sentMs) + wait.mostMs + graceMs + ON_THE_WAY_MS;
  const heldMs = call.receivedMs ?? call.gaveUpMs ?? null;
  if (heldMs !== null && heldMs > latestMs) scene.check(lateId(wait), false, call, waited);
  if (call.receivedMs === null) return;
  if (answerOf(call) === 'ok' && !ended) {
    const early = call.receivedMs < call.sentMs + wait.leastMs - earlyMs;
    scene.check(earlyId(wait), !early, call, waited);
    if (!early && heldMs !== null && heldMs <= latestMs) {
      scene.pass(lateId(wait), '4.1/wait-answers-when-elapsed');
      scene.ledger.late('wait', call.receivedMs - call.sentMs - wait.mostMs);
      scene.ledger.observe('4.1/wait-elapsed-body', shown === null ? 'id-and-status' : 'record-as-it-stands');
    }
    return;
  }
  if (shown === 'COMPLETED' || shown === 'FAILED') answeredInTime(scene, call, shown, wait);
}

function earlyId(wait: Wait): RequirementId {
  if (wait.given === null) return '4.1/wait-default-not-early';
  if (wait.given < WAIT_MIN_MS) return '4.1/wait-min-enforced';
  return wait.given === WAIT_MAX_MS ? '4.1/wait-max-honoured' : '4.1/wait-not-early';
}

function lateId(wait: Wait): RequirementId {
  if (wait.given === null) return '4.1/wait-default-answers';
  if (wait.given > WAIT_MAX_MS) return '4.1/wait-max-enforced';
  return wait.given === WAIT_MAX_MS ? '4.1/wait-max-honoured' : '4.1/wait-answers-when-elapsed';
}

/** The answer has to follow the job's end, however long the call would have waited still. */
function answeredInTime(scene: Scene, call: CallEvent, shown: 'COMPLETED' | 'FAILED', wait: Wait): void {
  const job = scene.cast.jobs.find((one) => one.submitted === call);
  const hypotheses = job === undefined ? null : (scene.known.get(job.id)?.hypotheses ?? null);
  if (hypotheses === null || hypotheses.length === 0 || hypotheses.some((at) => at.runs > 0)) return;
  const endedByMs = Math.max(...hypotheses.map((at) => at.zone.latest(ENDED)));
  const { graceMs } = scene.session.run;
  const id = shown === 'COMPLETED' ? '4.1/wait-answers-on-completion' : '4.1/wait-answers-on-failure';
  const late = call.receivedMs! > endedByMs + graceMs + ON_THE_WAY_MS;
  // It is only a test of the promise where the wait would have gone on for longer.
  if (!late && call.receivedMs! > call.sentMs + wait.leastMs - graceMs) return;
  const actual = `the job had ended by ${seconds(endedByMs)}, the call was answered at ${seconds(call.receivedMs!)}`;
  scene.check(id, !late, call, actual);
}
