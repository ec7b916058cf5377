/** What section 4 of the document requires. */
import { family, inSection } from './rows.js';

export const SECTION_4 = inSection('4', [
  ...family('4/other-paths-require-key-*', ['openai', 'requests'], {
    level: 'should',
    text: 'A call of /* without a key is answered with 401.',
    code: 401,
    quote: 'All operations require authentication (section 5).',
  }),
  {
    id: '4/operation-runsync',
    level: 'must',
    text: 'POST /v2/<endpoint_id>/runsync submits a job.',
    quote: '| Synchronous job | POST | `/v2/<endpoint_id>/runsync` |',
  },
  {
    id: '4/operation-run',
    level: 'must',
    text: 'POST /v2/<endpoint_id>/run submits a job.',
    quote: '| Asynchronous job | POST | `/v2/<endpoint_id>/run` |',
  },
  {
    id: '4/operation-status',
    level: 'must',
    text: "GET /v2/<endpoint_id>/status/<job_id> answers the job's record.",
    quote: '| Job status | GET | `/v2/<endpoint_id>/status/<job_id>` |',
  },
  {
    id: '4/operation-stream',
    level: 'must',
    text: "GET /v2/<endpoint_id>/stream/<job_id> answers the job's stream.",
    quote: '| Stream output | GET | `/v2/<endpoint_id>/stream/<job_id>` |',
    needs: ['scripted-worker'],
  },
  {
    id: '4/operation-cancel',
    level: 'must',
    text: 'POST /v2/<endpoint_id>/cancel/<job_id> cancels the job.',
    quote: '| Cancel | POST | `/v2/<endpoint_id>/cancel/<job_id>` |',
  },
  {
    id: '4/operation-retry',
    level: 'must',
    text: 'POST /v2/<endpoint_id>/retry/<job_id> requeues the job.',
    quote: '| Retry | POST | `/v2/<endpoint_id>/retry/<job_id>` |',
    needs: ['scripted-worker'],
  },
  {
    id: '4/operation-purge-queue',
    level: 'must',
    text: 'POST /v2/<endpoint_id>/purge-queue purges the queue.',
    quote: '| Purge queue | POST | `/v2/<endpoint_id>/purge-queue` |',
    needs: ['dedicated'],
  },
  {
    id: '4/operation-health',
    level: 'must',
    text: 'GET /v2/<endpoint_id>/health answers the health record.',
    quote: '| Health | GET | `/v2/<endpoint_id>/health` |',
  },
]);
