/** What has to come about at least once in a long exploration; a goal that never did is a hole in the generator. */
import type { Phase } from './phases.js';
import { member, type Story, type ToldCall, type ToldJob } from './story.js';

export interface Goal {
  readonly id: string;
  readonly reachedIn: (story: Story) => boolean;
}

/** Looks before and after a deadline that are no further apart than this came close to it. */
const CLOSE_MS = 20_000;

const job = (id: string, reached: (job: ToldJob, story: Story) => boolean): Goal => ({
  id,
  reachedIn: (story) => story.jobs.some((each) => reached(each, story)),
});
const call = (id: string, reached: (call: ToldCall, story: Story) => boolean): Goal => ({
  id,
  reachedIn: (story) => story.calls.some((each) => reached(each, story)),
});

export const GOALS: readonly Goal[] = [
  ...(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED'] as const).map((phase) =>
    job(`ttl removes a job in ${phase}`, (each, story) => goneByTtl(each, story, phase)),
  ),
  job('ttl is seen closely from both sides', (each, story) => {
    const deadlineMs = each.submittedMs + each.ttlMs;
    const before = shownAt(each).findLast(({ atMs }) => atMs < deadlineMs);
    const after = shownAt(each).find(({ atMs, phase }) => atMs > deadlineMs && phase === 'GONE');
    return !purged(story) && isClose(before, after);
  }),
  job(
    'the retention of /run is seen closely from both sides',
    (each) => !each.synchronous && retentionClosely(each),
  ),
  job('the retention of /runsync ends', (each) => each.synchronous && endsByRetention(each)),
  job('a job overruns its executionTimeout', (each) =>
    shownAt(each).some(({ phase }) => phase === 'TIMED_OUT'),
  ),
  job('a job that overran is tried again and completes', (each) =>
    retriedFrom(each, 'TIMED_OUT', 'COMPLETED'),
  ),
  job('a failed job is tried again and completes', (each) => retriedFrom(each, 'FAILED', 'COMPLETED')),
  job('a job is tried again twice', (each) => each.calls.filter(isRetried).length >= 2),
  job('a job is cancelled after a retry', (each) => {
    const retried = each.calls.findIndex(isRetried);
    return retried !== -1 && each.calls.slice(retried).some(isCancelled);
  }),
  call('a waiting job is cancelled', (each) => isCancelled(each) && each.phase === 'IN_QUEUE'),
  call('a running job is cancelled', (each) => isCancelled(each) && each.phase === 'IN_PROGRESS'),
  call('a purge removes several jobs', (each) => removedBy(each) >= 2),
  call('a purge spares a running job', (each, story) => {
    if (removedBy(each) < 1) return false;
    return story.jobs.some(({ calls }) =>
      calls.some(({ event, told }) => event.sentMs >= each.event.sentMs && told === 'IN_PROGRESS'),
    );
  }),
  call(
    'a /runsync answers with its result',
    (each) => each.event.op === 'runsync' && each.told === 'COMPLETED',
  ),
  call('the wait of a /runsync elapses', (each) => {
    const { op, receivedMs, sentMs } = each.event;
    return (
      op === 'runsync' &&
      each.outcome !== 'lost' &&
      each.told !== 'COMPLETED' &&
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
  call('a call is refused for its key', (each) => each.outcome === '401'),
  call('a submission is refused', (each) => each.event.op === 'run' && each.outcome === '400'),
];

export function goalsReached(stories: Iterable<Story>): readonly string[] {
  const all = [...stories];
  return GOALS.filter(({ reachedIn }) => all.some(reachedIn)).map(({ id }) => id);
}

interface Shown {
  readonly atMs: number;
  readonly phase: Phase;
}

function shownAt({ calls }: ToldJob): readonly Shown[] {
  return calls.flatMap(({ event, told, outcome }) => {
    if (event.op !== 'status') return [];
    const phase = outcome === '404' ? 'GONE' : told;
    return phase === null ? [] : [{ atMs: event.sentMs, phase }];
  });
}

const isRetried = ({ event, outcome }: ToldCall): boolean => event.op === 'retry' && outcome === 'ok';
const isCancelled = ({ event, outcome }: ToldCall): boolean => event.op === 'cancel' && outcome === 'ok';
const purged = ({ calls }: Story): boolean => calls.some((each) => removedBy(each) > 0);

function goneByTtl(each: ToldJob, story: Story, phase: Phase): boolean {
  const shown = shownAt(each);
  const gone = shown.findIndex((look) => look.phase === 'GONE');
  const before = shown[gone - 1];
  if (before === undefined || before.phase !== phase) return false;
  const deadlineMs = each.submittedMs + each.ttlMs;
  return !purged(story) && before.atMs < deadlineMs && shown[gone]!.atMs >= deadlineMs;
}

function isClose(before: Shown | undefined, after: Shown | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.phase !== 'GONE' &&
    after.atMs - before.atMs <= CLOSE_MS
  );
}

function retentionClosely(each: ToldJob): boolean {
  const shown = shownAt(each);
  const gone = shown.findIndex(({ phase }) => phase === 'GONE');
  return (
    gone > 0 &&
    shown[gone - 1]!.phase === 'COMPLETED' &&
    endsByRetention(each) &&
    isClose(shown[gone - 1], shown[gone])
  );
}

function endsByRetention(each: ToldJob): boolean {
  const shown = shownAt(each);
  const gone = shown.find(({ phase }) => phase === 'GONE');
  return (
    gone !== undefined &&
    gone.atMs < each.submittedMs + each.ttlMs &&
    gone.atMs >= each.submittedMs + each.retentionMs
  );
}

function retriedFrom(each: ToldJob, from: Phase, to: Phase): boolean {
  const retried = each.calls.findIndex((one) => isRetried(one) && one.phase === from);
  return retried !== -1 && each.calls.slice(retried).some(({ told }) => told === to);
}

function removedBy({ event, outcome }: ToldCall): number {
  if (event.op !== 'purge-queue' || outcome !== 'ok') return 0;
  const removed = member(event.reply?.body.as === 'json' ? event.reply.body.value : null, 'removed');
  return typeof removed === 'number' ? removed : 0;
}

function runningAtOnce(jobs: readonly ToldJob[]): number {
  const running = jobs.map((each) => shownAt(each).filter(({ phase }) => phase === 'IN_PROGRESS'));
  const instants = running.flat().map(({ atMs }) => atMs);
  return Math.max(
    0,
    ...instants.map((ms) => running.filter((looks) => looks.some(({ atMs }) => atMs === ms)).length),
  );
}

function hasChunks({ event }: ToldCall): boolean {
  const value = event.reply?.body.as === 'json' ? event.reply.body.value : null;
  const chunks = Array.isArray(value) ? value : member(value, 'stream');
  return Array.isArray(chunks) && chunks.length > 0;
}
