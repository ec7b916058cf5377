/** What section 4.9 of the document requires. */
import { inSection } from './rows.js';

export const SECTION_4_9 = inSection('4.9', [
  {
    id: '4.9/openai-exists',
    level: 'should',
    text: 'POST /v2/<endpoint_id>/openai/* with a key is not answered with 404 or 405.',
    quote: 'Paths `/openai/*` (POST) and `/requests` (GET) exist as rate-limited operations',
  },
  {
    id: '4.9/requests-exists',
    level: 'should',
    text: 'GET /v2/<endpoint_id>/requests with a key is not answered with 404 or 405.',
    quote: 'Paths `/openai/*` (POST) and `/requests` (GET) exist as rate-limited operations',
  },
]);
