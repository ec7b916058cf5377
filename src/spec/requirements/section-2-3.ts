/** What section 2.3 of the document requires. */
import { SUBMISSIONS } from '../operations.js';
import { family, inSection } from './rows.js';

export const SECTION_2_3 = inSection('2.3', [
  {
    id: '2.3/access-id-reaches-worker',
    level: 'must',
    text: '`s3Config.accessId` reaches the worker as submitted.',
    quote: '| `accessId` | string',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/access-secret-reaches-worker',
    level: 'must',
    text: '`s3Config.accessSecret` reaches the worker as submitted.',
    quote: '| `accessSecret` | string',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/bucket-name-reaches-worker',
    level: 'must',
    text: '`s3Config.bucketName` reaches the worker as submitted.',
    quote: '| `bucketName` | string |',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/endpoint-url-reaches-worker',
    level: 'must',
    text: '`s3Config.endpointUrl` reaches the worker as submitted.',
    quote: '| `endpointUrl` | string',
    needs: ['scripted-worker'],
  },
  ...family('2.3/passed-along-*', SUBMISSIONS, {
    level: 'must',
    text: 'The `s3Config` of a /* submission reaches the worker complete and unchanged.',
    quote: 'The service only passes this information along',
    needs: ['scripted-worker'],
  }),
  {
    id: '2.3/service-does-not-use-it',
    level: 'must',
    text: 'The service itself does not use `s3Config`.',
    quote: 'The service only passes this information along',
    needs: ['scripted-worker', 'webhook-reachable'],
  },
  {
    id: '2.3/secret-not-shown',
    level: 'should',
    text: '`s3Config.accessSecret` appears in no answer and no webhook call, except in what the worker itself returns.',
    quote: 'The service only passes this information along',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/not-mixed-between-jobs',
    level: 'must',
    text: 'A job gets the `s3Config` of its own submission, or none if there was none, and never that of another job.',
    quote: 'The service only passes this information along',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/kept-across-retry',
    level: 'should',
    text: 'A retried job gets the `s3Config` of its submission again.',
    quote: 'The service only passes this information along',
    needs: ['scripted-worker'],
  },
  {
    id: '2.3/any-provider-accepted',
    level: 'must',
    text: 'An `endpointUrl` with any host is accepted.',
    quote: 'Any S3-compatible provider works.',
  },
]);
