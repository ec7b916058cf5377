/** Refusals, overload and slowness. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EITHER, type Answer, type Mode } from '../mode.js';
import { bytesOf } from '../server.js';
import { FIRST_CALLS, laterAnswers, mode, unclear, untold } from './helpers.js';

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
  unclear('too-many-for-a-year', 'answers 429 to everything, to be tried again in a year', {
    answers: () => refusal(429, { 'retry-after': '31536000' }),
  }),
  mode(
    'too-many-later',
    'answers the first calls, then 429 with odd values of Retry-After, to cancels as well',
    {
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
  ),
  mode('too-many-cancels', 'answers 429 to every cancel', {
    hangs: 'later',
    answers: (call, plain) => (call.operation === 'cancel' ? refusal(429) : plain),
    jobs: 'named',
  }),
  unclear('unavailable', 'answers 503 to everything', {
    answers: () => refusal(503, { 'retry-after': '31536000' }),
  }),
  unclear('unavailable-by-turns', 'answers 502, 503, 504 and 520 to every second call', {
    answers: (call, plain) =>
      call.number % 2 === 1 ? refusal([502, 503, 504, 520][(call.number >> 1) % 4]!) : plain,
  }),
  untold('errors-after-the-deed', 'makes the job and answers 500', {
    answers: (call, plain) =>
      call.operation === 'run' && call.number > FIRST_CALLS ? { ...plain, status: 500 } : plain,
  }),
  unclear('slow-start', 'takes 4 s for each of the first calls', {
    writes: slowly((number) => (number < 6 ? 4_000 : 0)),
  }),
  unclear('slow-always', 'takes 2.5 s for every call', { writes: slowly(() => 2_500) }),
  unclear('slower-and-slower', 'takes 20 ms more for each call', { writes: slowly((number) => number * 20) }),
  unclear('one-connection', 'takes one connection and resets all others', { connects: oneAtATime() }),
  unclear('closes-after-each', 'closes the connection after each answer, without saying so', {
    writes: (_call, socket, plain) => {
      const [head, body] = bytesOf(plain);
      socket.write(head);
      socket.end(body);
    },
  }),
  unclear('goes-away', 'closes every connection for good after 30 calls', {
    writes: (call, socket, plain) => {
      if (call.number >= 30) return void socket.destroy();
      for (const part of bytesOf(plain)) socket.write(part);
    },
  }),
];

function oneAtATime(): NonNullable<Mode['connects']> {
  let open = 0;
  return (socket) => {
    if (open > 0) return void socket.resetAndDestroy();
    open += 1;
    socket.once('close', () => (open -= 1));
  };
}
