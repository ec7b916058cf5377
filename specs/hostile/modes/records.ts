/** Records that say what cannot be: statuses, times and counts. */
import { JUDGED, type Mode } from '../mode.js';
import { laterAnswers, membersTo, memberText, mode, noService, to, untold } from './helpers.js';

const RECORDS = ['status', 'runsync'];
const turning = <T>(values: readonly T[], number: number): T => values[number % values.length]!;

export const RECORD_MODES: readonly Mode[] = [
  mode('status-unknown', 'tells statuses that nobody knows', {
    answers: laterAnswers(
      membersTo(RECORDS, (_r, call) => ({
        status: turning(['DONE', 'completed', '', 'IN_QUEUE '], call.number),
      })),
    ),
  }),
  mode('status-of-other-types', 'tells a status that is a number, a list, an object or null', {
    answers: laterAnswers(
      membersTo(['run', 'cancel', 'retry', ...RECORDS], (_r, call) => ({
        status: turning([200, ['COMPLETED'], { COMPLETED: true }, null, true], call.number),
      })),
    ),
  }),
  mode('never-ends', 'has jobs that never end', { hangs: 'all' }),
  mode('never-ends-and-cannot', 'has jobs that never end, and answers 500 to every cancel', {
    hangs: 'later',
    answers: to(['cancel'], () => ({ status: 500, headers: {}, body: '' })),
    jobs: 'named',
  }),
  mode('cancels-slowly', 'has jobs that never end, and takes 20 s for each cancel', {
    hangs: 'later',
    writes: (call, socket, plain) => {
      const reply = `HTTP/1.1 ${plain.status} Any\r\ncontent-length: ${plain.body.length}\r\n\r\n${String(plain.body)}`;
      if (call.operation === 'cancel') setTimeout(() => socket.write(reply), 20_000).unref();
      else socket.write(reply);
    },
    jobs: 'named',
  }),
  mode('lives-backwards', 'tells COMPLETED first, then IN_PROGRESS, then IN_QUEUE, in circles', {
    answers: membersTo(['status'], (_r, call) => ({
      status: turning(['COMPLETED', 'IN_PROGRESS', 'IN_QUEUE'], call.number),
    })),
  }),
  mode('every-status', 'tells each time another status', {
    answers: membersTo(RECORDS, (_r, call) => ({
      status: turning(
        ['IN_QUEUE', 'TIMED_OUT', 'COMPLETED', 'CANCELLED', 'FAILED', 'IN_PROGRESS'],
        call.number,
      ),
    })),
  }),
  mode('other-output-each-time', 'tells another output each time', {
    answers: membersTo(RECORDS, (_r, call) => ({ output: { call: call.number, at: Math.sin(call.number) } })),
  }),
  mode('times-beyond', 'tells times of -1, 1e308, 0.5, -1e308 and 9007199254740992', {
    answers: membersTo(RECORDS, (_r, call) => {
      const ms = turning([-1, 1e308, 0.5, 9007199254740992, -1e308, 1e-308], call.number);
      return { delayTime: ms, executionTime: ms };
    }),
  }),
  mode('times-infinite', 'tells times that are infinite once they are read', {
    answers: to(RECORDS, memberText('"delayTime":1e999,"executionTime":-1e999')),
  }),
  mode('times-of-other-types', 'tells times as texts, lists and objects', {
    answers: membersTo(RECORDS, (_r, call) => {
      const value = turning(['12', 'NaN', [1], {}, null, true, '1e308', '\u0661'], call.number);
      return { delayTime: value, executionTime: value };
    }),
  }),
  mode('counts-beyond', 'counts jobs and workers as -1, 1e308, texts and lists', {
    answers: membersTo(['health', 'purge-queue'], (_r, call) => {
      const n = turning<unknown>([-1, 1e308, 'many', [], 2.5, Number.MAX_SAFE_INTEGER], call.number);
      return {
        removed: n,
        jobs: { completed: n, failed: n, inProgress: n, inQueue: n, retried: n },
        workers: { idle: n, running: n },
      };
    }),
  }),
  mode('million-workers', 'tells of a million idle workers', {
    answers: membersTo(['health'], () => ({ workers: { idle: 1_000_000, running: 1e15 } })),
  }),
  mode('infinite-workers', 'tells of infinitely many workers', {
    answers: to(['health'], memberText('"workers":{"idle":1e999,"running":1e999}')),
  }),
  mode('health-is-a-list', 'answers /health with lists where objects should be', {
    answers: membersTo(['health'], () => ({ jobs: [], workers: [[]] })),
  }),
  mode('everything-200', 'answers 200 to what should be refused', {
    answers: (_call, plain) => ({ ...plain, status: 200 }),
  }),
  mode('everything-created', 'answers 201, 202 and 203 in place of 200', {
    answers: (call, plain) => ({
      ...plain,
      status: plain.status === 200 ? 201 + (call.number % 3) : plain.status,
    }),
  }),
  noService('everything-404', 'answers 404 to everything', {
    answers: (_call, plain) => ({ ...plain, status: 404 }),
  }),
  mode('refuses-the-key-later', 'answers the first 40 calls, then 401 to everything', {
    answers: (call, plain) => (call.number < 40 ? plain : { status: 401, headers: {}, body: '{}' }),
    jobs: 'named',
    hangs: 'later',
    exits: JUDGED,
  }),
  untold('mirrors-the-request', 'answers each call with its own body', {
    answers: (call) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: call.body }),
  }),
];
