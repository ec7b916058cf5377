import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/spec/types.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const KEYED = '5/key-without-permission';
const SCOPE = '8/limit-scope';

type Auth = NonNullable<NonNullable<Parameters<TraceBuilder['call']>[5]>['auth']>;

/** `/purge-queue` at this instant, by the run's own user or another. */
const purge = (story: TraceBuilder, atMs: number, code: number, auth: Auth = 'bare'): TraceBuilder =>
  story.call(
    atMs,
    'purge-queue',
    null,
    code,
    code === 200 ? { removed: 0, status: 'completed' } : { error: 'no' },
    { auth },
  );

const idle = (): TraceBuilder =>
  new TraceBuilder(0, { capabilities: ['dedicated', 'other-user-key', 'unpermitted-key'] });

function scopeOf(story: TraceBuilder): unknown {
  const { openQuestions } = story.judged(20_000);
  return openQuestions.find(({ id }) => id === SCOPE)?.readings ?? [];
}

describe(KEYED, () => {
  const asked = (op: Operation, code: number, auth: Auth = 'unpermitted'): TraceBuilder =>
    idle()
      .call(0, 'health', null, 200, HEALTH)
      .call(1, op, null, code, code === 200 ? HEALTH : { error: 'no' }, { auth });
  const HEALTH = {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, running: 0 },
  };

  it.each([
    [401, 'pass'],
    [200, 'fail'],
    [403, 'fail'],
    [404, 'fail'],
  ])('answered %d: %s', (code, verdict) => {
    expect(verdictOf(asked('health', code).judged(10), KEYED)).toBe(verdict);
    expect(verdictOf(asked('health', code, 'unpermitted-bearer').judged(10), KEYED)).toBe(verdict);
  });
});

describe(SCOPE, () => {
  const usedUp = (): TraceBuilder => purge(purge(purge(idle(), 0, 200), 0, 200), 0, 429);

  it('is per user if another user is accepted while the first one is refused before and after', () => {
    const story = purge(purge(usedUp(), 0, 200, 'other-user'), 0, 429);
    expect(scopeOf(story)).toEqual(['per-user-and-endpoint']);
    // Three were let in at one instant: two of one user and one of another.
    expect(failed(story.judged(20_000))).toEqual([]);
  });

  it('is per endpoint if the first call of another user is refused', () => {
    const story = purge(purge(usedUp(), 0, 429, 'other-user'), 0, 429);
    expect(scopeOf(story)).toEqual(['per-endpoint']);
    expect(failed(story.judged(20_000))).toEqual([]);
  });

  it('stays open if a window may have restarted in between', () => {
    expect(scopeOf(purge(purge(usedUp(), 0, 200, 'other-user'), 0, 200))).toEqual([]);
    expect(scopeOf(purge(purge(usedUp(), 6_000, 200, 'other-user'), 6_000, 429))).toEqual([]);
  });

  it('stays open if the first user was never refused', () => {
    expect(scopeOf(purge(purge(idle(), 0, 200), 0, 200, 'other-user'))).toEqual([]);
  });
});

it('what another user is told about a job is open', () => {
  const story = new TraceBuilder().submitted(0, 'a', [{ hang: true }]);
  story.call(10, 'status', 'a', 404, { error: 'not found' }, { auth: 'other-user' });
  story.seen(20, 'a', 'IN_PROGRESS');
  expect(failed(story.judged(30))).toEqual([]);
});

it('a purge by another user with a lost answer may have taken effect', () => {
  const story = new TraceBuilder(0).submitted(0, 'a', [{ return: 1 }]);
  story.call(10, 'purge-queue', null, null, null, { auth: 'other-user', receivedMs: 20 });
  story.seen(30, 'a', 'GONE');
  expect(failed(story.judged(5_000))).toEqual([]);
});

it.each<['controlled' | 'real', readonly string[]]>([
  ['controlled', ['5/empty-key', '4/other-paths-require-key-requests']],
  ['real', []],
])('a gateway may refuse any call for its rate, before its key: on a %s clock', (clock, wanted) => {
  const trace = new TraceBuilder(1, clock === 'real' ? { clock, graceMs: 2_000, earlyMs: 50 } : {})
    .call(0, 'health', null, 429, {}, { auth: 'empty' })
    .call(10, 'requests', null, 429, {}, { auth: 'missing' })
    .call(20, 'health', null, 200, { jobs: {}, workers: {} });
  const { requirements } = trace.judged(1_000);
  const found = requirements
    .filter(({ id, verdict }) => verdict === 'fail' && /key/.test(id))
    .map(({ id }) => id);
  expect(found.toSorted()).toEqual(wanted.toSorted());
});
