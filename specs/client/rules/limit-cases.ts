import type { Json } from '../../../src/history/events.js';
import type { RuleCases } from './rule-cases.js';
import { answered, run, runsync, session, status, told } from './session-of.js';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;

const wait = (value: string) => session({ calls: [runsync(told('COMPLETED'), { query: { wait: value } })] });
const statusTtl = (value: string) =>
  session({ calls: [run(), status(told('COMPLETED'), { query: { ttl: value } })] });
const policy = (value: Json, edition: 'document' | 'runpod' = 'document') =>
  session({ edition, calls: [run(told('IN_QUEUE'), { sent: { input: {}, policy: value } })] });
const s3 = (value: Json) =>
  session({ calls: [run(told('IN_QUEUE'), { sent: { input: {}, s3Config: value } })] });
const plain = session({ calls: [run(), status(told('COMPLETED'))] });

export const LIMIT_CASES: readonly RuleCases[] = [
  {
    rule: 'client/wait-in-range',
    kept: { 'waits a second': wait('1000'), 'waits five minutes': wait('300000') },
    violated: {
      'gives seconds': [wait('90'), '"90"'],
      'waits too long': [wait('300001'), '300001'],
      'gives a unit': [wait('90s'), '90s'],
      'gives a fraction': [wait('1500.5'), '1500.5'],
      'gives nothing': [wait(''), '""'],
    },
    open: {
      'gives none': session({ calls: [runsync()] }),
      'gives one to /run': session({ calls: [run(told('IN_QUEUE'), { query: { wait: '5' } })] }),
    },
  },
  {
    rule: 'client/execution-timeout-in-range',
    kept: {
      'gives five seconds': policy({ executionTimeout: 5_000 }),
      'gives seven days': policy({ executionTimeout: WEEK_MS, ttl: WEEK_MS }),
      'gives more to a deployed service': policy({ executionTimeout: 2 * WEEK_MS }, 'runpod'),
    },
    violated: {
      'gives seconds': [policy({ executionTimeout: 600 }), '600'],
      'gives more than seven days': [policy({ executionTimeout: WEEK_MS + 1 }), 'executionTimeout'],
      'gives text': [policy({ executionTimeout: '60000' }), 'not an integer'],
      'gives a fraction': [policy({ executionTimeout: 6_000.5 }), 'not an integer'],
      'gives seconds to a deployed service': [policy({ executionTimeout: 600 }, 'runpod'), '600'],
    },
    open: {
      'gives no policy': plain,
      'gives null': policy({ executionTimeout: null }),
      'gives a list': policy([]),
    },
  },
  {
    rule: 'client/ttl-in-range',
    kept: {
      'gives ten seconds': policy({ ttl: 10_000 }),
      'gives seven days': policy({ ttl: WEEK_MS }),
      'gives what the document shows to /status': statusTtl('6000'),
    },
    violated: {
      'gives seconds': [policy({ ttl: 3_600 }), '3600'],
      'gives more than seven days': [policy({ ttl: WEEK_MS + 1 }), 'policy.ttl'],
      'gives text': [policy({ ttl: '60000' }), 'not an integer'],
      'gives zero to /status': [statusTtl('0'), '"0"'],
      'gives a word to /status': [statusTtl('undefined'), 'undefined'],
    },
    open: { 'gives none': plain, 'gives null': policy({ ttl: null }) },
  },
  {
    rule: 'client/policy-types',
    kept: { 'gives an empty one': policy({}), 'gives a boolean': policy({ lowPriority: true }) },
    violated: {
      'gives a list': [policy([]), 'not an object'],
      'gives text': [policy('low'), 'not an object'],
      'gives the boolean as text': [policy({ lowPriority: 'true' }), '"true"'],
      'gives the boolean as a number': [policy({ lowPriority: 1 }), '1'],
    },
    open: { 'gives none': plain, 'gives null': policy(null) },
  },
  {
    rule: 'client/s3-config-types',
    kept: {
      'gives strings': s3({
        accessId: 'a',
        accessSecret: 'b',
        bucketName: 'c',
        endpointUrl: 'https://s3.example',
      }),
      'gives some of them': s3({ bucketName: 'c', accessId: null }),
    },
    violated: {
      'gives a number': [s3({ accessId: 7, bucketName: 'c' }), 'accessId'],
      'gives text': [s3('bucket'), 'not an object'],
    },
    open: { 'gives none': plain, 'gives null': s3(null) },
  },
  {
    rule: 'client/ttl-covers-execution',
    kept: {
      'gives both alike': policy({ executionTimeout: HOUR_MS, ttl: HOUR_MS }),
      'gives less than the default ttl': policy({ executionTimeout: HOUR_MS }),
    },
    violated: {
      'gives a shorter ttl': [policy({ executionTimeout: HOUR_MS, ttl: 60_000 }), 'only 60000'],
      'gives more than the default ttl': [policy({ executionTimeout: 48 * HOUR_MS }), 'only 86400000'],
    },
    open: {
      'gives none': plain,
      'gives a ttl alone': policy({ ttl: 10_000 }),
      'gives what is no number': policy({ executionTimeout: 'x' }),
      'calls a deployed service, which does not ask for it': policy(
        { executionTimeout: HOUR_MS, ttl: 60_000 },
        'runpod',
      ),
      'submits nothing': session({ calls: [status(answered(404))] }),
    },
  },
];
