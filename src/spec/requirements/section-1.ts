/** What section 1 of the document requires. */
import { JOB_OPERATIONS, MAIN_OPERATIONS } from '../operations.js';
import { family, inSection, neededBy } from './rows.js';

/** The codes of section 7 that a run can bring about. */
const ERROR_CODES = [400, 401, 404, 429] as const;

export const SECTION_1 = inSection('1', [
  {
    id: '1/waits-when-no-worker-free',
    level: 'must',
    text: 'A job submitted while every worker is busy stays IN_QUEUE until a worker is free.',
    quote: 'When no worker is free, the job waits in a queue.',
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '1/no-more-jobs-in-progress-than-workers',
    level: 'must',
    text: 'There are never more jobs IN_PROGRESS than the endpoint has workers.',
    quote: 'When no worker is free, the job waits in a queue.',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '1/free-worker-takes-job',
    level: 'must',
    text: 'A job submitted while a worker is free is started.',
    quote: "When a worker is free, the worker's handler processes the job.",
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '1/freed-worker-takes-waiting-job',
    level: 'must',
    text: 'A waiting job is started once a busy worker has become free.',
    quote: "When a worker is free, the worker's handler processes the job.",
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '1/every-job-is-processed',
    level: 'must',
    text: 'Each accepted job that is not cancelled, purged or expired ends; none is forgotten in the queue.',
    quote: "When a worker is free, the worker's handler processes the job.",
    needs: ['scripted-worker', 'worker-count-known'],
  },
  {
    id: '1/job-processed-once',
    level: 'should',
    text: 'A job that ends without failing is processed once, not again.',
    quote: "When a worker is free, the worker's handler processes the job.",
    needs: ['scripted-worker'],
  },
  ...family('1/endpoints-isolated-*', JOB_OPERATIONS, {
    level: 'must',
    text: "A job submitted to one endpoint cannot be reached by /* under another endpoint's id.",
    quote: '`<endpoint_id>` is a string identifying the endpoint',
    needs: ['second-endpoint'],
  }),
  {
    id: '1/endpoints-isolated-purge',
    level: 'must',
    text: 'Purging one endpoint does not affect the jobs of another.',
    quote: '`<endpoint_id>` is a string identifying the endpoint',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated', 'test-control'],
  },
  {
    id: '1/endpoints-isolated-health',
    level: 'must',
    text: 'The health record of one endpoint does not count the jobs of another.',
    quote: '`<endpoint_id>` is a string identifying the endpoint',
    needs: ['dedicated', 'test-control'],
  },
  {
    id: '1/endpoints-isolated-workers',
    level: 'must',
    text: "Busy workers of one endpoint do not keep another endpoint's jobs waiting.",
    quote: '`<endpoint_id>` is a string identifying the endpoint',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated', 'test-control'],
  },
  ...family('1/json-body-*', MAIN_OPERATIONS, (op) => ({
    level: 'must',
    text: 'A successful answer of /* has a JSON body.',
    quote: 'the service and response bodies are JSON (`content-type: application/json`).',
    needs: neededBy(op),
  })),
  ...family('1/json-content-type-*', MAIN_OPERATIONS, (op) => ({
    level: 'must',
    text: 'A successful answer of /* has the content type application/json, parameters such as a charset aside.',
    quote: 'the service and response bodies are JSON (`content-type: application/json`).',
    needs: neededBy(op),
  })),
  ...family('1/json-error-body-*', ERROR_CODES, (code) => ({
    level: 'must',
    text: 'The body of an answer of one of the eight operations with status *, if any, is JSON.',
    quote: 'the service and response bodies are JSON (`content-type: application/json`).',
    needs: code === 429 ? ['dedicated'] : [],
  })),
  ...family('1/json-error-content-type-*', ERROR_CODES, (code) => ({
    level: 'must',
    text: 'The body of an answer of one of the eight operations with status *, if any, has the content type application/json.',
    quote: 'the service and response bodies are JSON (`content-type: application/json`).',
    needs: code === 429 ? ['dedicated'] : [],
  })),
]);
