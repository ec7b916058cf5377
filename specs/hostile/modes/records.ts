/** Records that say what cannot be: statuses, times and counts. */
import { JUDGED, type Mode } from '../mode.js';
import { laterAnswers, members, memberText, to } from './helpers.js';

const RECORDS = ['status', 'runsync'];
const turning = <T>(values: readonly T[], number: number): T => values[number % values.length]!;

export const RECORD_MODES: readonly Mode[] = [
  {
    name: 'status-unknown',
    what: 'tells statuses that nobody knows',
    answers: laterAnswers(
      to(
        RECORDS,
        members((_r, call) => ({ status: turning(['DONE', 'completed', '', 'IN_QUEUE '], call.number) })),
      ),
    ),
  },
  {
    name: 'status-of-other-types',
    what: 'tells a status that is a number, a list, an object or null',
    answers: laterAnswers(
      to(
        ['run', 'cancel', 'retry', ...RECORDS],
        members((_r, call) => ({
          status: turning([200, ['COMPLETED'], { COMPLETED: true }, null, true], call.number),
        })),
      ),
    ),
  },
  {
    name: 'never-ends',
    what: 'has jobs that never end',
    hangs: 'all',
  },
  {
    name: 'never-ends-and-cannot',
    what: 'has jobs that never end, and answers 500 to every cancel',
    hangs: 'later',
    answers: to(['cancel'], () => ({ status: 500, headers: {}, body: '' })),
    jobs: 'named',
  },
  {
    name: 'cancels-slowly',
    what: 'has jobs that never end, and takes 20 s for each cancel',
    hangs: 'later',
    writes: (call, socket, plain) => {
      const reply = `HTTP/1.1 ${plain.status} Any\r\ncontent-length: ${plain.body.length}\r\n\r\n${String(plain.body)}`;
      if (call.operation === 'cancel') setTimeout(() => socket.write(reply), 20_000).unref();
      else socket.write(reply);
    },
    jobs: 'named',
  },
  {
    name: 'lives-backwards',
    what: 'tells COMPLETED first, then IN_PROGRESS, then IN_QUEUE, in circles',
    answers: to(
      ['status'],
      members((_r, call) => ({ status: turning(['COMPLETED', 'IN_PROGRESS', 'IN_QUEUE'], call.number) })),
    ),
  },
  {
    name: 'every-status',
    what: 'tells each time another status',
    answers: to(
      RECORDS,
      members((_r, call) => ({
        status: turning(
          ['IN_QUEUE', 'TIMED_OUT', 'COMPLETED', 'CANCELLED', 'FAILED', 'IN_PROGRESS'],
          call.number,
        ),
      })),
    ),
  },
  {
    name: 'other-output-each-time',
    what: 'tells another output each time',
    answers: to(
      RECORDS,
      members((_r, call) => ({ output: { call: call.number, at: Math.sin(call.number) } })),
    ),
  },
  {
    name: 'times-beyond',
    what: 'tells times of -1, 1e308, 0.5, -1e308 and 9007199254740992',
    answers: to(
      RECORDS,
      members((_r, call) => {
        const ms = turning([-1, 1e308, 0.5, 9007199254740992, -1e308, 1e-308], call.number);
        return { delayTime: ms, executionTime: ms };
      }),
    ),
  },
  {
    name: 'times-infinite',
    what: 'tells times that are infinite once they are read',
    answers: to(RECORDS, memberText('"delayTime":1e999,"executionTime":-1e999')),
  },
  {
    name: 'times-of-other-types',
    what: 'tells times as texts, lists and objects',
    answers: to(
      RECORDS,
      members((_r, call) => {
        const value = turning(['12', 'NaN', [1], {}, null, true, '1e308', '\u0661'], call.number);
        return { delayTime: value, executionTime: value };
      }),
    ),
  },
  {
    name: 'counts-beyond',
    what: 'counts jobs and workers as -1, 1e308, texts and lists',
    answers: to(
      ['health', 'purge-queue'],
      members((_r, call) => {
        const n = turning<unknown>([-1, 1e308, 'many', [], 2.5, Number.MAX_SAFE_INTEGER], call.number);
        return {
          removed: n,
          jobs: { completed: n, failed: n, inProgress: n, inQueue: n, retried: n },
          workers: { idle: n, running: n },
        };
      }),
    ),
  },
  {
    name: 'million-workers',
    what: 'tells of a million idle workers',
    answers: to(
      ['health'],
      members(() => ({ workers: { idle: 1_000_000, running: 1e15 } })),
    ),
  },
  {
    name: 'infinite-workers',
    what: 'tells of infinitely many workers',
    answers: to(['health'], memberText('"workers":{"idle":1e999,"running":1e999}')),
  },
  {
    name: 'health-is-a-list',
    what: 'answers /health with lists where objects should be',
    answers: to(
      ['health'],
      members(() => ({ jobs: [], workers: [[]] })),
    ),
  },
  {
    name: 'everything-200',
    what: 'answers 200 to what should be refused',
    answers: (_call, plain) => ({ ...plain, status: 200 }),
  },
  {
    name: 'everything-created',
    what: 'answers 201, 202 and 203 in place of 200',
    answers: (call, plain) => ({
      ...plain,
      status: plain.status === 200 ? 201 + (call.number % 3) : plain.status,
    }),
  },
  {
    name: 'everything-404',
    what: 'answers 404 to everything',
    answers: (_call, plain) => ({ ...plain, status: 404 }),
    jobs: 'untold',
    exits: [3],
  },
  {
    name: 'refuses-the-key-later',
    what: 'answers the first 40 calls, then 401 to everything',
    answers: (call, plain) => (call.number < 40 ? plain : { status: 401, headers: {}, body: '{}' }),
    jobs: 'named',
    hangs: 'later',
    exits: JUDGED,
  },
  {
    name: 'mirrors-the-request',
    what: 'answers each call with its own body',
    answers: (call) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: call.body }),
    jobs: 'untold',
  },
];
