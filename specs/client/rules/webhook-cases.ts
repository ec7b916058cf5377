import type { WebhookDelivery } from '../../../src/client/session.js';
import type { RuleCases } from './rule-cases.js';
import { answered, failed, LIMITED, run, session, status, stopped, told } from './session-of.js';

const BODY = { input: { next: true } };
const next = (at: number) => run(told('IN_QUEUE', { id: `n${at}` }), { sent: BODY, at });

/** A client that waits for these webhooks. */
const receives = (...webhooks: readonly Partial<WebhookDelivery>[]) =>
  session({ weather: 'webhook-late', calls: [run()], webhooks, end: stopped(10_000) });
const HANGS = { status: null, endedMs: 9_000 } as const;
const REFUSED = { status: null } as const;

const unanswered: RuleCases['open'] = {
  'gave no webhook': session({ calls: [run()] }),
  'is still about to answer': receives({ status: null, endedMs: null }),
  'gave an address that is not called': receives({ status: null, fate: 'undeliverable' }),
  'had ended': session({
    calls: [run()],
    webhooks: [{ ...REFUSED, startedMs: 9_000, endedMs: 9_001 }],
    end: endedAt(5_000),
  }),
  'is about to end': session({ calls: [run()], webhooks: [REFUSED], end: endedAt(1_300) }),
  'knew the end of its job already': session({
    calls: [run(), status(told('COMPLETED'))],
    webhooks: [REFUSED],
    end: stopped(9_000),
  }),
};

function endedAt(atMs: number) {
  return () => ({ kind: 'ended', success: true, how: 'exit code 0', atMs }) as const;
}

const threeTimes = (...calls: Parameters<typeof session>[0]['calls'] & {}) =>
  session({
    weather: 'webhook-three-times',
    calls: [run(), ...calls],
    webhooks: [{ startedMs: 1_000 }, { startedMs: 1_200 }, { startedMs: 1_400 }],
  });

export const WEBHOOK_CASES: readonly RuleCases[] = [
  {
    rule: 'client/webhook-answers-200',
    kept: {
      'answers 200': receives({}),
      'listens no longer once it was told': receives({}, REFUSED, REFUSED),
      'answers a deployed service 204': session({
        edition: 'runpod',
        calls: [run()],
        webhooks: [{ status: 204 }],
      }),
    },
    violated: {
      'answers 204': [receives({ status: 204 }), 'webhook 1 was answered with 204'],
      'answers 500 once': [receives({}, { status: 500 }), 'webhook 2 was answered with 500'],
      'does not answer': [receives(REFUSED), 'was not answered'],
      'accepts it and never answers, although it knows already': [
        receives({}, HANGS),
        'webhook 2 was not answered',
      ],
    },
    open: unanswered,
  },
  {
    rule: 'client/receives-webhook',
    kept: { 'receives it': receives({}), 'receives it with an error': receives({ status: 500 }) },
    violated: {
      'does not listen': [receives(REFUSED), 'reached no server'],
      'gave up much later': [
        session({ calls: [run()], webhooks: [REFUSED], end: (atMs) => failed(atMs + 9_000) }),
        'reached no server',
      ],
    },
    open: { ...unanswered, 'accepts it and never answers': receives(HANGS) },
  },
  {
    rule: 'client/acts-once-on-webhook',
    kept: {
      'does nothing more': threeTimes(),
      'submits its next job once': threeTimes(next(1_010)),
      'submits a different job each time': threeTimes(
        run(told('IN_QUEUE'), { sent: { input: { n: 1 } }, at: 1_010 }),
        run(told('IN_QUEUE'), { sent: { input: { n: 2 } }, at: 1_210 }),
      ),
      'submits its next job until it is accepted': threeTimes(
        run(LIMITED, { sent: BODY, at: 1_010 }),
        run(answered(429), { sent: BODY, at: 1_210 }),
        next(1_410),
      ),
      'was submitting the same all the time': threeTimes(next(800), next(1_010), next(1_210), next(1_410)),
      'has two jobs that lead to the same': session({
        weather: 'webhook-three-times',
        calls: [run(), next(1_010), next(1_210)],
        webhooks: [{ startedMs: 1_000 }, { startedMs: 1_200 }, { startedMs: 1_205, job: 'j2' }],
      }),
    },
    violated: {
      'submits its next job three times': [
        threeTimes(next(1_010), next(1_210), next(1_410)),
        'after each of 3 webhooks of job j1',
      ],
      'submits it twice': [threeTimes(next(1_010), next(1_410)), 'after each of 2 webhooks'],
    },
    open: { 'gets one webhook': receives({}), 'gets none': session({ calls: [run()] }) },
  },
];
