/** What section 7 of the document requires. */
import { JOB_OPERATIONS, MAIN_OPERATIONS, SUBMISSIONS } from '../operations.js';
import { family, inSection } from './rows.js';
import { RUN_RETENTION_MS, TTL_MIN_MS, WAIT_DEFAULT_MS } from '../limits.js';

export const SECTION_7 = inSection('7', [
  ...family('7/malformed-json-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* body that is not well-formed JSON is answered with 400.',
    code: 400,
    quote: '| 400 | Bad the service | Malformed the service or parameters. |',
  }),
  ...family('7/body-not-object-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* body that is JSON but not an object is answered with 400.',
    code: 400,
    quote: '| 400 | Bad the service | Malformed the service or parameters. |',
  }),
  ...family('7/no-body-*', SUBMISSIONS, {
    level: 'must',
    text: '/* without a body is answered with 400.',
    code: 400,
    quote: '| 400 | Bad the service | Malformed the service or parameters. |',
  }),
  {
    id: '7/wait-not-integer',
    level: 'should',
    text: 'A `wait` that is not a number (non-empty text) is answered with 400.',
    code: 400,
    quote: '| 400 | Bad the service | Malformed the service or parameters. |',
  },
  {
    id: '7/status-ttl-not-integer',
    level: 'should',
    text: 'A query parameter `ttl` of /status that is not a number is answered with 400.',
    code: 400,
    quote: '| 400 | Bad the service | Malformed the service or parameters. |',
  },
  ...family('7/unknown-endpoint-*', MAIN_OPERATIONS, {
    level: 'must',
    text: '/* with a valid key and an endpoint id that does not exist is answered with 404.',
    code: 404,
    quote: '| 404 | Not Found | Wrong endpoint id;',
    needs: ['endpoint-in-path'],
  }),
  ...family('7/ttl-expired-*', JOB_OPERATIONS, {
    level: 'must',
    text: '/* of a job whose `ttl` expired is answered with 404.',
    code: 404,
    quote: 'also a job whose `ttl` expired or whose result expired.',
    waitMs: TTL_MIN_MS,
  }),
  ...family('7/result-expired-*', JOB_OPERATIONS, {
    level: 'must',
    text: '/* of a job whose result expired is answered with 404.',
    code: 404,
    quote: 'also a job whose `ttl` expired or whose result expired.',
    waitMs: WAIT_DEFAULT_MS,
  }),
  ...family('7/result-expired-run-*', JOB_OPERATIONS, {
    level: 'must',
    text: '/* of a /run job whose result expired is answered with 404.',
    code: 404,
    quote: 'also a job whose `ttl` expired or whose result expired.',
    waitMs: RUN_RETENTION_MS,
  }),
  ...family('7/unknown-job-*', JOB_OPERATIONS, {
    level: 'should',
    text: '/* of a job id that never existed is refused with a 4xx; 404 is the code that the document gives for jobs.',
    code: 404,
    quote: 'also a job whose `ttl` expired or whose result expired.',
  }),
  {
    id: '7/no-500-for-client-errors',
    level: 'should',
    text: 'A call that is malformed, unauthorized or for something that does not exist is not answered with a status of 500 or above.',
    quote: '| 500 | Internal Server Error | Endpoint-side failure; the worker may have crashed. |',
  },
  {
    id: '7/no-500-in-normal-use',
    level: 'should',
    text: 'A valid call is not answered with a status of 500 or above while the worker works.',
    quote: '| 500 | Internal Server Error | Endpoint-side failure; the worker may have crashed. |',
  },
]);
