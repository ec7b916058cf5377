/** A service that is wrong in every answer is judged: the user says what it is by naming it as the upstream. */
import { expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { addressOf } from '../../../src/history/exchange.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import { AT, later, record, seen, sentTo, settings, type Seen, type Told } from './support.js';

const HEADERS = { authorization: 'Bearer ***', 'content-type': 'application/json' };

/** Jobs that are submitted and read twice. */
const LIFE: readonly Told[] = Array.from({ length: 12 }, (_, nth) => {
  const [atMs, id] = [nth * 10_000, `job-${nth}`];
  return [
    { atMs, path: 'run', reply: { id, status: 'IN_QUEUE' }, headers: HEADERS },
    { atMs: atMs + 1_000, path: `status/${id}`, reply: record(id, 'IN_PROGRESS') },
    { atMs: atMs + 3_000, path: `status/${id}`, reply: record(id, 'COMPLETED') },
  ];
}).flat();

function judged(told: readonly Told[]) {
  const judge = new LiveJudge(settings());
  for (const one of told.flatMap(seen)) {
    judge.take(one);
    judge.look(toldMs(one));
  }
  for (const _ of judge.finish(AT + 1_000_000)) continue;
  const { requirements } = judge.finished?.report ?? { requirements: [] };
  const failed = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  return {
    failed: failed.map(({ id }) => id),
    trouble: judge.state.trouble,
    endpoints: judge.state.endpoints,
  };
}

const changed = (change: (reply: string) => string): readonly Told[] =>
  LIFE.map((one) => ({ ...one, reply: JSON.parse(change(JSON.stringify(one.reply))) as object }));
const always = (reply: object, status: number): readonly Told[] =>
  LIFE.map((one) => ({ ...one, reply, status }));

test.each<[string, readonly Told[], string]>([
  ['whose ids are numbers', changed((reply) => reply.replace(/"job-(\d+)"/u, '$1')), '2.4/id-in-run'],
  [
    'whose states are in lower case',
    changed((reply) =>
      reply.replace(/"(?:IN_QUEUE|IN_PROGRESS|COMPLETED)"/u, (state) => state.toLowerCase()),
    ),
    '4.2/status-in-queue',
  ],
  ['that always fails', always({ error: 'x' }, 500), '4/operation-run'],
])('a service %s is judged', (_, told, requirement) => {
  const { failed, trouble, endpoints } = judged(told);
  expect(failed).toContain(requirement);
  expect([trouble, endpoints]).toEqual([null, ['abc']]);
});

/** One job, cancelled by `GET /cancel/ID`, of which the document does not show what it does. */
const byGet = (status: number): readonly Seen[] =>
  [
    { atMs: 0, path: 'run', reply: { id: 'a', status: 'IN_QUEUE' }, headers: HEADERS },
    { atMs: 1_000, path: 'cancel/a', reply: record('a', 'CANCELLED'), status },
    { atMs: 2_000, path: 'status/a', reply: record('a', 'CANCELLED') },
  ]
    .flatMap(seen)
    .map((one) => (/cancel/.test(one.request.target) ? sentTo(one, one.request.target, 'GET') : one));

test.each<[string, number, readonly string[]]>([
  ['may have changed the job', 200, []],
  ['has changed nothing where it was refused', 405, ['4.3/shows-current-state']],
])('a call by another method %s', (_, status, failed) => {
  const recorded: string[] = [];
  const judge = new LiveJudge(settings({ others: false, crashes: false }), ({ request }) =>
    recorded.push(`${request.method} ${new URL(addressOf(request)).pathname}`),
  );
  for (const one of byGet(status)) judge.take(one);
  judge.look(AT + 3_000);
  for (const _one of judge.finish(AT + 1_000_000)) continue;
  expect(judge.state.findings.map(({ requirement }) => requirement)).toEqual(failed);
  expect(recorded).toContain('GET /v2/abc/cancel/a');
});

const found = (judge: LiveJudge): readonly string[] =>
  judge.state.findings.map(({ requirement }) => requirement);

test('a call by another method may have changed a job before it is answered', () => {
  const judge = new LiveJudge(settings({ others: false, crashes: false }));
  const [run, ran, cancel, cancelled, ...read] = byGet(200);
  for (const one of [run!, ran!, cancel!, ...read]) judge.take(one);
  judge.look(AT + 3_000);
  expect(found(judge)).toEqual([]);
  judge.take({ ...cancelled!, byMs: AT + 4_000 });
  for (const _ of judge.finish(AT + 1_000_000)) continue;
  expect(found(judge)).toEqual([]);
});

test('a call by another method does not end the time of calls that are not told', () => {
  const judge = new LiveJudge(settings({ others: false, crashes: false }));
  judge.miss(1, { fromMs: AT, byMs: null });
  const [run, ran, cancel, cancelled, begin, end] = byGet(200);
  for (const one of [cancel!, cancelled!]) judge.take(later(one, -1_000));
  for (const one of [run!, ran!, begin!, end!]) judge.take(later(one, 60_000));
  judge.look(AT + 70_000);
  expect(found(judge)).toEqual([]);
});

test.each([
  [401, 'were answered with 401 or 403'],
  [404, 'went to addresses that never answered as an endpoint does'],
  [503, 'went to addresses that never answered as an endpoint does'],
])('of a service that always answers %d it is told that it cannot be judged', (status, why) => {
  expect(judged(always({ error: 'x' }, status))).toMatchObject({
    failed: [],
    trouble: expect.stringContaining(why),
  });
});

test('another API of the service is taken for no endpoint', () => {
  const trade = LIFE.map((one) => ({ ...one, path: `cancel/${one.atMs}`, reply: { done: true } }));
  expect(judged(trade)).toMatchObject({ failed: [], endpoints: [] });
});

test('what never answers as an endpoint does is none beside one that does', () => {
  const judge = new LiveJudge(settings());
  const elsewhere = always({ error: 'x' }, 500)
    .flatMap(seen)
    .map((one) => sentTo(one, one.request.target.replace('abc', 'other')));
  for (const one of [...LIFE.slice(0, 3).flatMap(seen), ...elsewhere]) judge.take(one);
  expect(judge.state).toMatchObject({ endpoints: ['abc'], judged: 3, unjudged: { unanswered: 36 } });
});
