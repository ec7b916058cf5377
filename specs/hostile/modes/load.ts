/** Refusals, overload and slowness. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EITHER, type Answer, type Mode } from '../mode.js';
import { bytesOf } from '../server.js';
import { FIRST_CALLS, laterAnswers } from './helpers.js';

const refusal = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"error":"not now"}',
});

const slowly =
  (ms: (number: number) => number): NonNullable<Mode['writes']> =>
  async (call, socket, plain) => {
    await sleep(ms(call.number), undefined, { ref: false });
    for (const part of bytesOf(plain)) socket.write(part);
  };

export const LOAD: readonly Mode[] = [
  {
    name: 'too-many-for-a-year',
    what: 'answers 429 to everything, to be tried again in a year',
    answers: () => refusal(429, { 'retry-after': '31536000' }),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'too-many-later',
    what: 'answers the first calls, then 429 with odd values of Retry-After, to cancels as well',
    hangs: 'later',
    answers: laterAnswers((call) =>
      refusal(429, {
        'retry-after': ['-1', '1e308', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon', '', '0'][call.number % 6]!,
        'x-ratelimit-reset': '99999999999999999999',
      }),
    ),
    jobs: 'named',
    exits: EITHER,
  },
  {
    name: 'too-many-cancels',
    what: 'answers 429 to every cancel',
    hangs: 'later',
    answers: (call, plain) => (call.operation === 'cancel' ? refusal(429) : plain),
    jobs: 'named',
  },
  {
    name: 'unavailable',
    what: 'answers 503 to everything',
    answers: () => refusal(503, { 'retry-after': '31536000' }),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'unavailable-by-turns',
    what: 'answers 502, 503, 504 and 520 to every second call',
    answers: (call, plain) =>
      call.number % 2 === 1 ? refusal([502, 503, 504, 520][(call.number >> 1) % 4]!) : plain,
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'errors-after-the-deed',
    what: 'makes the job and answers 500',
    answers: (call, plain) =>
      call.operation === 'run' && call.number > FIRST_CALLS ? { ...plain, status: 500 } : plain,
    jobs: 'untold',
  },
  {
    name: 'slow-start',
    what: 'takes 4 s for each of the first calls',
    writes: slowly((number) => (number < 6 ? 4_000 : 0)),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'slow-always',
    what: 'takes 2.5 s for every call',
    writes: slowly(() => 2_500),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'slower-and-slower',
    what: 'takes 20 ms more for each call',
    writes: slowly((number) => number * 20),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'one-connection',
    what: 'takes one connection and resets all others',
    connects: oneAtATime(),
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'closes-after-each',
    what: 'closes the connection after each answer, without saying so',
    writes: (_call, socket, plain) => {
      const [head, body] = bytesOf(plain);
      socket.write(head);
      socket.end(body);
    },
    jobs: 'untold',
    exits: EITHER,
  },
  {
    name: 'goes-away',
    what: 'closes every connection for good after 30 calls',
    writes: (call, socket, plain) => {
      if (call.number >= 30) return void socket.destroy();
      for (const part of bytesOf(plain)) socket.write(part);
    },
    jobs: 'untold',
    exits: EITHER,
  },
];

function oneAtATime(): NonNullable<Mode['connects']> {
  let open = 0;
  return (socket) => {
    if (open > 0) return void socket.resetAndDestroy();
    open += 1;
    socket.once('close', () => (open -= 1));
  };
}
