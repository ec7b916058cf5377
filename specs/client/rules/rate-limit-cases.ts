import type { Reply } from '../call-of.js';
import type { RuleCases } from './rule-cases.js';
import {
  again,
  answered,
  cancel,
  failed,
  LIMITED,
  run,
  session,
  status,
  stopped,
  told,
} from './session-of.js';

const limited = (...pauses: readonly number[]) =>
  session({ weather: 'rate-limited-for-ever', calls: again(run(LIMITED), pauses), end: failed });
/** On a machine that runs this late during each pause. */
const limitedLate = (lostMs: number, pauses: readonly number[]) => {
  const calm = limited(...pauses);
  const lags = calm.calls.map(({ fromMs: toMs }) => ({ fromMs: toMs - lostMs, toMs, lostMs }));
  return session({ weather: 'rate-limited-for-ever', calls: again(run(LIMITED), pauses), end: failed, lags });
};
const readsLimited = (...pauses: readonly number[]) =>
  session({
    weather: 'reads-rate-limited-for-ever',
    calls: [run(), ...again(status(LIMITED), pauses)],
    end: failed,
  });
const afterwards = (reply: Reply, pause: number) =>
  session({
    weather: 'rate-limited-once',
    calls: [run(), status(reply), status(told('COMPLETED'), { after: pause })],
  });
const purge = { operation: 'purge-queue', method: 'POST', path: '/v2/ep/purge-queue' } as const;
const twoSeconds = answered(429, {}, 2_000);

export const RATE_LIMIT_CASES: readonly RuleCases[] = [
  {
    rule: 'client/within-limits',
    kept: {
      'purges twice': session({ calls: again(purge, [100]) }),
      'purges again after ten seconds': session({ calls: again(purge, [100, 10_000]) }),
      'reads once': session({ calls: [run(), status(told('COMPLETED'))] }),
    },
    violated: {
      'purges six times in a row': [session({ calls: again(purge, [10, 10, 10, 10, 10]) }), '6 times'],
      'cancels thirty jobs at once': [
        session({ calls: Array.from({ length: 30 }, () => cancel(told('CANCELLED'), { at: 0, took: 50 })) }),
        '30 calls of /cancel were open at once; 20 are allowed',
      ],
    },
    open: { 'calls nothing that has a limit': session({ calls: [] }) },
  },
  {
    rule: 'client/backs-off',
    kept: {
      'doubles its pauses': limited(500, 1_000, 2_000, 4_000),
      'reaches a cap': readsLimited(500, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000),
      'reaches a low cap by two growths': readsLimited(250, 500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000),
      'reaches a long cap at once': readsLimited(2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000),
      'takes pauses around growing ones': limited(700, 600, 620, 900, 1_300, 2_100),
      'takes any pause up to a growing one': limited(700, 300, 1_900, 3_000),
      'begins with a few milliseconds': limited(1, 2, 4, 8),
      'gives up after three calls': limited(100, 200),
    },
    violated: {
      'tries again at once': [limited(1, 3, 0, 2, 1), 'at once'],
      'gives up after four calls without a pause': [limited(1, 3, 2), 'at once'],
      'hardly pauses': [readsLimited(30, 31, 29, 30, 30), 'at once'],
      'pauses a second each time': [limited(1_000, 1_010, 1_005, 1_003), 'do not grow'],
      'polls on as before': [readsLimited(200, 201, 202, 200, 204, 200), 'do not grow'],
      'does not pause, but its first calls are slow': [limited(96, 31, 12, 7, 11, 3, 14, 3), 'at once'],
      'starts curl for each call, one after the other': [
        readsLimited(...Array.from({ length: 40 }, (_, at) => 35 + 13 * (at % 5))),
        'at once',
      ],
      'pauses half a second often, on a machine that sometimes runs late': [
        {
          ...limited(...Array.from({ length: 50 }, () => 510)),
          machineLags: [{ fromMs: 3_000, toMs: 3_300, lostMs: 300 }],
        },
        'do not grow',
      ],
      'pauses alike on a slow machine': [limited(310, 312, 480, 330, 305, 320, 340, 515, 308), 'do not grow'],
      'pauses a second each time, on a machine that runs late': [
        limitedLate(100, [1_000, 1_010, 1_005, 1_003]),
        'do not grow',
      ],
      'waits longer once, and then a second each time': [
        limited(500, ...Array.from({ length: 18 }, () => 1_002)),
        'grow only once',
      ],
      'shrinks its pauses': [limited(3_000, 2_000, 1_500, 1_000, 500), 'shrink'],
    },
    open: {
      'is never limited': session({ calls: [run(), status(told('COMPLETED'))] }),
      'is limited once': limited(1_000),
      'gives up at once': limited(),
      'pauses longer because the machine is slow': limited(1_000, 1_004, 3_100, 1_002),
      'may wait longer each time by less than the machine runs late': limitedLate(200, [250, 260, 280, 320]),
      'seems to wait longer each time, and is late': limitedLate(200, [250, 300, 340, 420]),
      'may shrink its pauses only because the first is late': limitedLate(600, [700, 100, 150, 200, 300]),
      'takes any pause, and the last is short by chance': limited(400, 900, 1_500, 100),
      'takes pauses around growing ones': limited(700, 600, 620, 900),
      'pauses long': limited(10_000, 10_000, 10_000, 10_000),
      'asks for many jobs': session({
        calls: [0, 1, 2, 3, 4, 5].map((at) => status(LIMITED, { job: `j${at}`, after: 1 })),
      }),
      'asks with several threads': session({
        calls: [0, 1, 2, 3, 4, 5].map((at) => run(LIMITED, { at: 100 + at, took: 50 })),
      }),
      'was told how long to wait': session({
        calls: again(run(twoSeconds), [2_000, 2_000, 2_000, 2_000, 2_000]),
      }),
      'had reached its cap before': session({
        calls: [
          run(),
          status(answered(500)),
          ...again(status(LIMITED, { after: 4_000 }), [4_000, 4_000, 4_000, 4_000]),
        ],
      }),
      'had waited before, and then seems to wait longer only once': session({
        calls: [
          run(),
          status(answered(500)),
          ...again(status(LIMITED), [700, 1_000, 1_000, 1_000, 1_000, 1_000]),
        ],
      }),
    },
  },
  {
    rule: 'client/honours-retry-after',
    kept: {
      'waits as long': afterwards(twoSeconds, 2_000),
      'waits a little less, as timers do': afterwards(twoSeconds, 1_950),
      'waits longer after 503': afterwards(answered(503, {}, 2_000), 5_000),
    },
    violated: {
      'tries again at once': [afterwards(twoSeconds, 10), 'tried again after 10 ms'],
      'takes it for less': [afterwards(answered(503, {}, 2_000), 1_000), 'told to wait 2 s'],
    },
    open: {
      'is told no time': afterwards(LIMITED, 10),
      'does not try again': session({ calls: [run(twoSeconds)], end: failed }),
      'asks for something else meanwhile': session({
        calls: [run(), status(twoSeconds), status(told('IN_QUEUE'), { job: 'j2', after: 5 })],
      }),
      'had a second call under way': session({
        calls: [run(), status(twoSeconds, { at: 300, took: 50 }), status(told('IN_QUEUE'), { at: 320 })],
      }),
    },
  },
  {
    rule: 'client/retries-rate-limited',
    kept: {
      'tries again': afterwards(twoSeconds, 2_000),
      'tries again, in vain': limited(1_000),
      'reads in another way': session({
        calls: [run(), status(LIMITED), status(told('COMPLETED'))],
        end: failed,
      }),
    },
    violated: {
      'gives up at the first submission': [
        session({ calls: [run(twoSeconds)], end: failed }),
        'answered with 429',
      ],
      'gives up at the first read': [
        session({ calls: [run(), status(LIMITED)], end: failed }),
        'answered with 429',
      ],
      'gives up its cancel': [
        session({
          weather: 'cancel-rate-limited',
          calls: [run(), ...again(status(answered(500)), [200, 200]), cancel(LIMITED)],
          end: failed,
        }),
        'did not try again',
      ],
      'gives up at 503': [session({ calls: [run(), status(answered(503, {}, 2_000))], end: failed }), '503'],
    },
    open: {
      'is never limited': session({ calls: [run(), status(told('COMPLETED'))] }),
      'ends with success all the same': session({ calls: [run(), status(LIMITED)], webhooks: [{}] }),
      'is stopped': session({ calls: [run(LIMITED)], end: stopped(20_000) }),
      'is answered with 503 without a time': session({ calls: [run(), status(answered(503))], end: failed }),
    },
  },
];
