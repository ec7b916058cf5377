/**
 * Which jobs make an endpoint start workers (2.2), if it has none while idle. A worker may start for other
 * reasons, and an endpoint need not start one at all: so a single job proves nothing, only a comparison with
 * other jobs that waited alone, repeated.
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../jobs/status-observations.js';
import { seconds } from '../../util/duration.js';
import { counterIn, answerOf, effectiveOperation } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { isMadeForTests } from '../observed/session.js';
import { IDLE_BEFORE_MS } from '../observed/assumptions.js';
import { onItsClock } from '../observed/tolerance.js';

/** A job for which no worker started must have been observed this many times as long as others needed. */
const MUCH_LONGER = 4;
/** Once may be coincidence: a worker was starting for another reason, or none was available. */
const TIMES_MIN = 2;

/** One job submitted to an idle endpoint without workers. */
interface Trial {
  readonly life: Life;
  readonly kind: 'low' | 'plain' | 'high';
  /** When a worker was observed, counted from the submission; null if none came while the job was alone. */
  readonly startedMs: number | null;
  /** How long the job was observed waiting. */
  readonly waitedMs: number;
}

export function judgeScaling(context: JudgingContext): void {
  const { session } = context;
  if (!session.exists || isMadeForTests(session) || !context.has('dedicated', 'scales-from-zero')) return;
  const reads = context.callIndex.of('health').filter((call) => answerOf(call) === 'ok');
  if (reads.length < 2) return;
  const trials = context.lives.flatMap((life) => trialOf(life, reads) ?? []);
  const of = (kind: Trial['kind']): readonly Trial[] => trials.filter((trial) => trial.kind === kind);
  const [low, plain, high] = [of('low'), of('plain'), of('high')];
  const neededMs = slowest([...plain, ...high]);
  judgeLowPriority(context, low, neededMs);
  judgeDefault(
    context,
    plain,
    high,
    low.some((trial) => !hasStarted(trial) && trial.waitedMs >= neededMs),
  );
}

const hasStarted = ({ startedMs }: Trial): boolean => startedMs !== null;

/** The longest time until a worker was observed. */
const slowest = (trials: readonly Trial[]): number =>
  Math.max(-Infinity, ...trials.map(({ startedMs }) => startedMs ?? -Infinity));

/** `neededMs`: the time within which a worker was observed for jobs that may start one. */
function judgeLowPriority(context: JudgingContext, low: readonly Trial[], neededMs: number): void {
  const id = '2.2/low-priority-no-scaling';
  for (const trial of low) {
    if (hasStarted(trial)) continue;
    if (neededMs > 0 && trial.waitedMs >= neededMs) context.pass(id);
    else
      context.ledger.inconclusive(
        id,
        'no job without lowPriority started a worker within the time that a job with it was observed',
      );
  }
  // A job that had to wait did not meet a free worker.
  const woken = low.filter((trial) => hasStarted(trial) && trial.waitedMs > context.session.run.graceMs);
  if (woken.length >= TIMES_MIN && woken.length === low.length)
    failTrials(id, woken, 'a worker was started for it');
  else if (woken.length > 0)
    context.ledger.inconclusive(
      id,
      'a worker came once while only a job with lowPriority waited: it may have been starting already',
    );
}

/** `noneWasThere`: no worker came for a job with lowPriority that waited just as long. */
function judgeDefault(
  context: JudgingContext,
  plain: readonly Trial[],
  high: readonly Trial[],
  noneWasThere: boolean,
): void {
  const id = '2.2/low-priority-default';
  const { graceMs } = context.session.run;
  for (const trial of plain)
    if (hasStarted(trial) && (noneWasThere || trial.waitedMs > graceMs)) context.pass(id);
  const started = high.filter(hasStarted);
  if (plain.some(hasStarted) || Math.min(plain.length, started.length) < TIMES_MIN) return;
  const within = slowest(started);
  if (plain.every(({ waitedMs }) => waitedMs >= MUCH_LONGER * within))
    failTrials(
      id,
      plain,
      `no worker was started for it, but for a job with lowPriority false one was within ${seconds(within)}`,
    );
}

function failTrials(id: RequirementId, trials: readonly Trial[], what: string): void {
  const { life, waitedMs } = trials.at(-1)!;
  const times = trials.length;
  life.fail(
    id,
    `job ${life.job.id}, alone on an endpoint without workers, waited for ${seconds(waitedMs)}: ${what} (${times} of ${times} times)`,
    trials.map((trial) => trial.life.job.submitted),
  );
}

const MAY_WAKE: readonly unknown[] = ['run', 'runsync', 'retry'];
const MAY_END: readonly unknown[] = ['cancel', 'purge-queue'];

/** Null if the endpoint was not observed idle before, or if nothing is known about the job. */
function trialOf(life: Life, reads: readonly CallEvent[]): Trial | null {
  const { submitted } = life.job;
  if (submitted.op !== 'run' || submitted.receivedMs === null || !life.isJudgedFurther) return null;
  const others = life.context.session.calls.filter((call) => call !== submitted);
  const waking = others.filter((call) => MAY_WAKE.includes(effectiveOperation(call)));
  const before = reads.filter((read) => precedes(read, submitted));
  const quiet = before.slice(before.findLastIndex((read) => !isQuiet(read)) + 1);
  const first = quiet.find((read) =>
    waking.every((call) => precedes(call, read) || precedes(submitted, call)),
  );
  if (
    first === undefined ||
    submitted.sentMs - first.sentMs < onItsClock(life.context.session.run, IDLE_BEFORE_MS)
  )
    return null;
  const ending = others.filter((call) => MAY_END.includes(effectiveOperation(call)));
  const later = [...waking, ...ending].filter((call) => precedes(submitted, call));
  const isAlone = (call: CallEvent): boolean =>
    precedes(submitted, call) && later.every((one) => precedes(call, one));
  const seen = life.reads.filter(({ call }) => isAlone(call));
  const waiting = seen.filter(({ observed }) => observed === 'IN_QUEUE');
  const atWork = [
    ...seen.filter(({ observed }) => observed !== 'IN_QUEUE' && observed !== 'GONE').map(({ call }) => call),
    ...reads.filter((read) => isAlone(read) && workersIn(read) > 0),
  ].map(({ receivedMs }) => receivedMs! - submitted.sentMs);
  const given = life.policy('lowPriority');
  return {
    life,
    kind: given === undefined ? 'plain' : given === true ? 'low' : 'high',
    startedMs: atWork.length === 0 ? null : Math.min(...atWork),
    waitedMs: Math.max(0, ...waiting.map(({ call }) => call.sentMs - submitted.receivedMs!)),
  };
}

const workersIn = (read: CallEvent): number => sumIn(read, 'workers.idle', 'workers.running');

/** Neither jobs nor workers. */
const isQuiet = (read: CallEvent): boolean =>
  workersIn(read) === 0 && sumIn(read, 'jobs.inQueue', 'jobs.inProgress') === 0;

/** NaN if the record lacks one of them. */
const sumIn = (read: CallEvent, ...counters: readonly string[]): number =>
  counters.reduce((sum, name) => sum + (counterIn(read, name) ?? NaN), 0);
