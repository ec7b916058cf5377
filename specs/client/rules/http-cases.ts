import type { Reply } from '../call-of.js';
import type { RuleCases } from './rule-cases.js';
import {
  answered,
  cancel,
  failed,
  GONE,
  LIMITED,
  LOST,
  run,
  session,
  status,
  stopped,
  times,
  told,
} from './session-of.js';

const readFails = (reply: Reply, ...later: Parameters<typeof session>[0]['calls'] & {}) =>
  session({ weather: 'read-answered-500', calls: [run(), status(reply), ...later], end: failed });
const waiting = status(told('IN_PROGRESS'));

export const HTTP_CASES: readonly RuleCases[] = [
  {
    rule: 'client/no-repeat-of-refused',
    kept: {
      'ends at the first': session({ calls: [run(answered(400))], end: failed }),
      'tries once more': session({ calls: times(2, run(answered(401))), end: failed }),
      'changes what it sends': session({
        calls: [1, 2, 3, 4].map((n) => run(answered(400), { sent: { input: { n } } })),
        end: failed,
      }),
      'is refused for each of its jobs': session({
        calls: [0, 1, 2, 3].map((at) => status(answered(401), { job: `j${at}` })),
      }),
    },
    violated: {
      'submits again after 400': [session({ calls: times(4, run(answered(400))), end: failed }), '4 times'],
      'submits again after 404': [session({ calls: times(3, run(GONE)), end: failed }), 'with 404'],
      'polls on after 401': [
        session({
          weather: 'key-revoked',
          calls: [run(), waiting, ...times(9, status(answered(401)))],
          end: stopped(9),
        }),
        '9 times',
      ],
    },
    open: {
      'is not refused': session({ calls: [run(), waiting] }),
      'reads what is gone': session({ calls: [run(), ...times(9, status(GONE))] }),
      'is limited': session({ calls: times(9, run(LIMITED)) }),
      'sends the same with several threads': session({
        calls: times(5, run(answered(400), { at: 100, took: 50 })),
      }),
      'sends what cannot be compared': session({
        calls: times(5, run(answered(400), { body: { bytes: 7, isJson: false } })),
      }),
    },
  },
  {
    rule: 'client/retries-reads',
    kept: {
      'reads again after 500': readFails(answered(500), status(told('FAILED'))),
      'reads again when the connection broke': readFails(LOST, status(told('FAILED'))),
      'reads again in vain': readFails(answered(502), ...times(3, status(answered(502)))),
    },
    violated: {
      'gives up at 500': [readFails(answered(500)), 'a read was answered with 500'],
      'gives up at 502 after good reads': [
        session({ calls: [run(), waiting, waiting, status(answered(502))], end: failed }),
        'answered with 502',
      ],
      'gives up and cancels its job': [
        readFails(answered(500), cancel(told('CANCELLED'))),
        'a read was answered with 500',
      ],
      'gives up when the connection breaks': [readFails(LOST), 'a read broke'],
    },
    open: {
      'has no failed read': session({ calls: [run(), waiting] }),
      'ends with success': session({ calls: [run(), status(answered(500))] }),
      'is stopped': session({ calls: [run(), status(answered(500))], end: stopped(10) }),
      'was told the end of its job by a webhook': session({
        calls: [run(), status(answered(500))],
        webhooks: [{ state: 'FAILED' }],
        end: failed,
      }),
      'is refused': readFails(answered(401)),
    },
  },
  {
    rule: 'client/no-body-on-get',
    kept: { 'sends none': session({ calls: [run(), waiting] }) },
    violated: {
      'sends an empty object': [
        session({
          calls: [run(), status(told('COMPLETED'), { body: { bytes: 2, value: {}, isJson: true } })],
        }),
        'carries a body',
      ],
    },
    open: { 'gets nothing': session({ calls: [run()] }) },
  },
  {
    rule: 'client/closes-connections',
    kept: {
      'has one': session({ calls: [run(), waiting, waiting] }),
      'has one for each of its jobs': session({
        calls: [run(), waiting, waiting],
        jobs: Array.from({ length: 20 }, (_, at) => ({ id: `j${at}` })),
        idle: 22,
      }),
      'needed many at once': session({
        calls: times(30, status(told('IN_QUEUE'), { at: 100, took: 50 })),
        idle: 30,
      }),
    },
    violated: {
      'leaves one behind with each call': [
        session({ calls: [run(), ...times(40, waiting)], idle: 41 }),
        '41 connections',
      ],
    },
    open: { 'calls once': session({ calls: [run()] }) },
  },
];
