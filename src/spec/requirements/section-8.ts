/** What section 8 of the document requires. */
import { family, inSection, inTurn } from './rows.js';
import { RATES, RATE_WINDOW_MS } from '../rates.js';

/** The line of the table about each operation that limits both rate and concurrency. */
const LINE_OF = {
  runsync: '| `/runsync` | POST | 2000 requests per 10 seconds | 400 |',
  run: '| `/run` | POST | 1000 requests per 10 seconds | 200 |',
  status: '| `/status` | GET | 2000 requests per 10 seconds | 400 |',
  stream: '| `/stream` | GET | 2000 requests per 10 seconds | 400 |',
  cancel: '| `/cancel` | POST | 100 requests per 10 seconds | 20 |',
} as const;

/** Those operations, in the order of the table. */
const LIMITED = ['runsync', 'run', 'status', 'stream', 'cancel'] as const;

export const SECTION_8 = inSection('8', [
  ...inTurn(
    family('8/rate-*-below', LIMITED, (op) => ({
      level: 'must',
      text: `/* is not answered with 429 for its rate while at most ${RATES[op].requests} calls were made within 10 s.`,
      quote: LINE_OF[op],
      needs: ['dedicated', 'load-allowed'],
    })),
    family('8/rate-*-above', LIMITED, (op) => ({
      level: 'must',
      text: `/* calls beyond ${RATES[op].requests} within 10 s are answered with 429 while there are no workers.`,
      code: 429,
      quote: LINE_OF[op],
      needs:
        op === 'run' || op === 'runsync'
          ? ['dedicated', 'load-allowed', 'worker-count-known']
          : ['dedicated', 'load-allowed'],
    })),
    family('8/rate-*-recovers', LIMITED, (op) => ({
      level: 'must',
      text: 'When 10 s have passed without a call, /* is no longer answered with 429.',
      quote: LINE_OF[op],
      needs: ['dedicated', 'load-allowed'],
      waitMs: RATE_WINDOW_MS,
    })),
    family('8/concurrency-*-below', LIMITED, (op) => ({
      level: 'must',
      text: `/* is not answered with 429 for its concurrency while at most ${RATES[op].concurrency} calls are in progress.`,
      quote: LINE_OF[op],
      needs: ['dedicated', 'load-allowed'],
    })),
    family('8/concurrency-*-above', LIMITED, (op) => ({
      level: 'must',
      text: `If the target answers concurrent calls with 429 at all, it never has more than ${RATES[op].concurrency} accepted calls of /* in progress while there are no workers.`,
      quote: LINE_OF[op],
      needs: ['dedicated', 'load-allowed', 'worker-count-known'],
    })),
  ),
  {
    id: '8/rate-purge-queue-below',
    level: 'must',
    text: '/purge-queue is not answered with 429 for its rate while at most 2 calls were made within 10 s.',
    quote: '| `/purge-queue` | POST | 2 requests per 10 seconds | not applicable |',
    needs: ['dedicated'],
  },
  {
    id: '8/rate-purge-queue-above',
    level: 'must',
    text: '/purge-queue calls beyond 2 within 10 s are answered with 429 while there are no workers.',
    code: 429,
    quote: '| `/purge-queue` | POST | 2 requests per 10 seconds | not applicable |',
    needs: ['dedicated', 'worker-count-known'],
  },
  {
    id: '8/rate-purge-queue-recovers',
    level: 'must',
    text: 'When 10 s have passed without a call, /purge-queue is no longer answered with 429.',
    quote: '| `/purge-queue` | POST | 2 requests per 10 seconds | not applicable |',
    needs: ['dedicated'],
    waitMs: RATE_WINDOW_MS,
  },
  {
    id: '8/rate-openai-below',
    level: 'must',
    text: 'If the target serves it, /openai/* is not answered with 429 for its rate while at most 2000 calls were made within 10 s.',
    quote: '| `/openai/*` | POST | 2000 requests per 10 seconds | 400 |',
    needs: ['dedicated', 'load-allowed'],
  },
  {
    id: '8/rate-openai-above',
    level: 'must',
    text: 'If the target serves it, /openai/* calls beyond 2000 within 10 s are answered with 429 while there are no workers.',
    code: 429,
    quote: '| `/openai/*` | POST | 2000 requests per 10 seconds | 400 |',
    needs: ['dedicated', 'load-allowed'],
  },
  {
    id: '8/rate-requests-below',
    level: 'must',
    text: 'If the target serves it, /requests is not answered with 429 for its rate while at most 10 calls were made within 10 s.',
    quote: '| `/requests` | GET | 10 requests per 10 seconds | 2 |',
    needs: ['dedicated'],
  },
  {
    id: '8/rate-requests-above',
    level: 'must',
    text: 'If the target serves it, /requests calls beyond 10 within 10 s are answered with 429 while there are no workers.',
    code: 429,
    quote: '| `/requests` | GET | 10 requests per 10 seconds | 2 |',
    needs: ['dedicated'],
  },
  {
    id: '8/concurrency-openai-below',
    level: 'must',
    text: 'If the target serves it, /openai/* is not answered with 429 for its concurrency while at most 400 calls are in progress.',
    quote: '| `/openai/*` | POST | 2000 requests per 10 seconds | 400 |',
    needs: ['dedicated', 'load-allowed'],
  },
  {
    id: '8/concurrency-openai-above',
    level: 'must',
    text: 'If the target answers concurrent calls with 429 at all, it never has more than 400 accepted calls of /openai/* in progress while there are no workers.',
    quote: '| `/openai/*` | POST | 2000 requests per 10 seconds | 400 |',
    needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  },
  {
    id: '8/concurrency-requests-below',
    level: 'must',
    text: 'If the target serves it, /requests is not answered with 429 for its concurrency while at most 2 calls are in progress.',
    quote: '| `/requests` | GET | 10 requests per 10 seconds | 2 |',
    needs: ['dedicated', 'load-allowed'],
  },
  {
    id: '8/concurrency-requests-above',
    level: 'must',
    text: 'If the target answers concurrent calls with 429 at all, it never has more than 2 accepted calls of /requests in progress while there are no workers.',
    quote: '| `/requests` | GET | 10 requests per 10 seconds | 2 |',
    needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  },
  {
    id: '8/concurrency-enforced',
    level: 'should',
    text: 'Calls beyond the concurrency limit are answered with 429.',
    code: 429,
    quote: 'Rate limits, enforced per endpoint and per operation:',
    needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  },
  {
    id: '8/openai-shares-one-allowance',
    level: 'should',
    text: 'If the target serves them, all paths below /openai/ share one limit.',
    quote: '| `/openai/*` | POST | 2000 requests per 10 seconds | 400 |',
    needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  },
  {
    id: '8/rate-per-operation',
    level: 'must',
    text: 'Calls of one operation do not count towards the limit of another.',
    quote: 'Rate limits, enforced per endpoint and per operation:',
    needs: ['dedicated'],
  },
  {
    id: '8/rate-per-endpoint',
    level: 'must',
    text: 'Calls to one endpoint do not count towards the limit of another.',
    quote: 'Rate limits, enforced per endpoint and per operation:',
    needs: ['dedicated', 'test-control'],
  },
  {
    id: '8/workers-never-lower-limit',
    level: 'must',
    text: 'With more workers running, the limit of an operation is not lower than with fewer.',
    quote: 'the effective limit is the higher of (a) the base limit above',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated', 'load-allowed'],
    untestable:
      'The document does not give the value of requests_per_worker, which may be so small that the base limit always applies; 8/rate-cancel-below and the like check that the limit is not below the base.',
  },
  {
    id: '8/refused-call-has-no-effect',
    level: 'must',
    text: 'A call answered with 429 changes nothing: a refused /purge-queue removes nothing, a refused submission creates no job.',
    quote: 'Requests beyond the effective limit receive 429.',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
]);
