/**
 * Coverage goals: situations that a long exploration has to reach. A goal that is never reached shows a gap
 * in the generator.
 */
import { getOrMake } from '../util/maps.js';
import type { ModelState } from './endpoint-model.js';
import { member, type Observation, type ScriptTrace, type TracedCall, type TracedJob } from './trace.js';

export interface Goal {
  readonly id: string;
  readonly reachedIn: (trace: ScriptTrace) => boolean;
}

/** Reads before and after a deadline count as close when they are no further apart than this. */
const CLOSE_MS = 20_000;

const job = (id: string, reached: (job: TracedJob, trace: ScriptTrace) => boolean): Goal => ({
  id,
  reachedIn: (trace) => trace.jobs.some((each) => reached(each, trace)),
});
const call = (id: string, reached: (call: TracedCall, trace: ScriptTrace) => boolean): Goal => ({
  id,
  reachedIn: (trace) => trace.calls.some((each) => reached(each, trace)),
});

export const GOALS: readonly Goal[] = [
  ...(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED'] as const).map((state) =>
    job(`ttl removes a job in ${state}`, (each, trace) => goneByTtl(each, trace, state)),
  ),
  job('ttl is observed closely from both sides', (each, trace) => {
    const deadlineMs = each.submittedMs + each.ttlMs;
    const before = each.observations.findLast(({ atMs }) => atMs < deadlineMs);
    const after = each.observations.find(({ atMs, state }) => atMs > deadlineMs && state === 'GONE');
    return !purged(trace) && isClose(before, after);
  }),
  job(
    'the retention of /run is observed closely from both sides',
    (each) => !each.synchronous && retentionClosely(each),
  ),
  job('the retention of /runsync ends', (each) => each.synchronous && endsByRetention(each)),
  job('a job overruns its executionTimeout', (each) =>
    each.observations.some(({ state }) => state === 'TIMED_OUT'),
  ),
  job('a job that overran is retried and completes', (each) => retriedFrom(each, 'TIMED_OUT', 'COMPLETED')),
  job('a failed job is retried and completes', (each) => retriedFrom(each, 'FAILED', 'COMPLETED')),
  job('a job is retried twice', (each) => each.calls.filter(isRetried).length >= 2),
  job('a job is cancelled after a retry', (each) => {
    const retried = each.calls.findIndex(isRetried);
    return retried !== -1 && each.calls.slice(retried).some(isCancelled);
  }),
  call('a waiting job is cancelled', (each) => isCancelled(each) && each.state === 'IN_QUEUE'),
  call('a running job is cancelled', (each) => isCancelled(each) && each.state === 'IN_PROGRESS'),
  call('a purge removes several jobs', (each) => removedBy(each) >= 2),
  call('a purge spares a running job', (each, trace) => {
    if (removedBy(each) < 1) return false;
    return trace.jobs.some(({ calls }) =>
      calls.some(
        ({ event, reportedState }) => event.sentMs >= each.event.sentMs && reportedState === 'IN_PROGRESS',
      ),
    );
  }),
  call(
    'a /runsync answers with its result',
    (each) => each.event.op === 'runsync' && each.reportedState === 'COMPLETED',
  ),
  call('the wait of a /runsync elapses', (each) => {
    const { op, receivedMs, sentMs } = each.event;
    return (
      op === 'runsync' &&
      each.outcome !== 'lost' &&
      each.reportedState !== 'COMPLETED' &&
      (receivedMs ?? 0) - sentMs >= 1_000
    );
  }),
  { id: 'two jobs run at once', reachedIn: ({ jobs }) => runningAtOnce(jobs) >= 2 },
  {
    id: 'a webhook is called three times',
    reachedIn: ({ webhooks }) =>
      webhooks.some(({ url }) => webhooks.filter((w) => w.url === url).length >= 3),
  },
  call('a stream shows chunks', (each) => each.event.op === 'stream' && hasChunks(each)),
  call('a limit is reached', (each) => each.outcome === '429'),
  call('a call is refused because of its key', (each) => each.outcome === '401'),
  call('a submission is refused', (each) => each.event.op === 'run' && each.outcome === '400'),
];

export function goalsReached(traces: Iterable<ScriptTrace>): readonly string[] {
  const all = [...traces];
  return GOALS.filter(({ reachedIn }) => all.some(reachedIn)).map(({ id }) => id);
}

const isRetried = ({ event, outcome }: TracedCall): boolean => event.op === 'retry' && outcome === 'ok';
const isCancelled = ({ event, outcome }: TracedCall): boolean => event.op === 'cancel' && outcome === 'ok';
const purged = ({ calls }: ScriptTrace): boolean => calls.some((each) => removedBy(each) > 0);

function goneByTtl(each: TracedJob, trace: ScriptTrace, state: ModelState): boolean {
  const { observations } = each;
  const gone = observations.findIndex((look) => look.state === 'GONE');
  const before = observations[gone - 1];
  if (before === undefined || before.state !== state) return false;
  const deadlineMs = each.submittedMs + each.ttlMs;
  return !purged(trace) && before.atMs < deadlineMs && observations[gone]!.atMs >= deadlineMs;
}

function isClose(before: Observation | undefined, after: Observation | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.state !== 'GONE' &&
    after.atMs - before.atMs <= CLOSE_MS
  );
}

function retentionClosely(each: TracedJob): boolean {
  const { observations } = each;
  const gone = observations.findIndex(({ state }) => state === 'GONE');
  return (
    gone > 0 &&
    observations[gone - 1]!.state === 'COMPLETED' &&
    endsByRetention(each) &&
    isClose(observations[gone - 1], observations[gone])
  );
}

function endsByRetention(each: TracedJob): boolean {
  const gone = each.observations.find(({ state }) => state === 'GONE');
  return (
    gone !== undefined &&
    gone.atMs < each.submittedMs + each.ttlMs &&
    gone.atMs >= each.submittedMs + each.retentionMs
  );
}

function retriedFrom(each: TracedJob, from: ModelState, to: ModelState): boolean {
  const retried = each.calls.findIndex((one) => isRetried(one) && one.state === from);
  return retried !== -1 && each.calls.slice(retried).some(({ reportedState }) => reportedState === to);
}

function removedBy({ event, outcome }: TracedCall): number {
  if (event.op !== 'purge-queue' || outcome !== 'ok') return 0;
  const removed = member(event.reply?.body.as === 'json' ? event.reply.body.value : null, 'removed');
  return typeof removed === 'number' ? removed : 0;
}

function runningAtOnce(jobs: readonly TracedJob[]): number {
  const running = new Map<number, Set<TracedJob>>();
  for (const job of jobs)
    for (const { atMs, state } of job.observations)
      if (state === 'IN_PROGRESS') getOrMake(running, atMs, () => new Set<TracedJob>()).add(job);
  return Math.max(0, ...[...running.values()].map(({ size }) => size));
}

function hasChunks({ event }: TracedCall): boolean {
  const value = event.reply?.body.as === 'json' ? event.reply.body.value : null;
  const chunks = Array.isArray(value) ? value : member(value, 'stream');
  return Array.isArray(chunks) && chunks.length > 0;
}
