/** What section 5 of the document requires. */
import { MAIN_OPERATIONS, SUBMISSIONS } from '../operations.js';
import { family, inSection, neededBy } from './rows.js';

export const SECTION_5 = inSection('5', [
  ...family('5/key-accepted-*', MAIN_OPERATIONS, (op) => ({
    level: 'must',
    text: '/* with the valid key in the `authorization` header is not answered with 401.',
    quote: 'carries an API key in the `authorization` header',
    needs: neededBy(op),
  })),
  {
    id: '5/key-only-in-header',
    level: 'should',
    text: 'A key outside the `authorization` header, for example in the query, is not accepted.',
    quote: 'carries an API key in the `authorization` header',
  },
  {
    id: '5/bare-or-bearer',
    level: 'must',
    text: 'The key is accepted bare or with the prefix `Bearer `, and a form accepted in one call is accepted in all.',
    quote: 'The header value is the key itself',
  },
  {
    id: '5/bearer-accepted',
    level: 'should',
    text: 'The key is accepted with the prefix `Bearer `.',
    quote: 'one form of the the service also shows the value with a `Bearer ` prefix',
    waivedBy: ['5/key-forms=bare-only'],
  },
  ...family('5/missing-key-*', MAIN_OPERATIONS, (op) => ({
    level: 'must',
    text: '/* without an `authorization` header on an existing endpoint or job is answered with 401.',
    code: 401,
    quote: 'A missing or wrong key',
    needs: op === 'purge-queue' ? ['dedicated'] : [],
  })),
  ...family('5/wrong-key-*', MAIN_OPERATIONS, (op) => ({
    level: 'must',
    text: '/* with a key that is not valid, bare or after `Bearer ` on an existing endpoint or job is answered with 401.',
    code: 401,
    quote: 'A missing or wrong key',
    needs: op === 'purge-queue' ? ['dedicated'] : [],
  })),
  {
    id: '5/empty-key',
    level: 'must',
    text: 'An `authorization` header that is empty, or only `Bearer`, is answered with 401.',
    code: 401,
    quote: 'A missing or wrong key',
  },
  {
    id: '5/key-compared-whole',
    level: 'must',
    text: 'A prefix of the valid key, the key with text appended, or the key in another case is answered with 401.',
    code: 401,
    quote: 'A missing or wrong key',
  },
  {
    id: '5/other-scheme',
    level: 'should',
    text: 'The valid key after another scheme, such as `Basic`, is answered with 401.',
    code: 401,
    quote: 'A missing or wrong key',
  },
  ...family('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* call answered with 401 creates no job.',
    quote: 'A missing or wrong key',
    needs: ['dedicated'],
  }),
  {
    id: '5/unauthorized-cancel-has-no-effect',
    level: 'must',
    text: 'A /cancel call answered with 401 does not affect the job.',
    quote: 'A missing or wrong key',
    needs: ['scripted-worker'],
  },
  {
    id: '5/unauthorized-retry-has-no-effect',
    level: 'must',
    text: 'A /retry call answered with 401 does not affect the job.',
    quote: 'A missing or wrong key',
    needs: ['scripted-worker'],
  },
  {
    id: '5/unauthorized-purge-has-no-effect',
    level: 'must',
    text: 'A /purge-queue call answered with 401 removes nothing.',
    quote: 'A missing or wrong key',
    needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  },
  {
    id: '5/unauthorized-reveals-nothing',
    level: 'must',
    text: 'An answer with status 401 contains nothing of a job: no output, no state.',
    quote: 'A missing or wrong key',
  },
  {
    id: '5/key-without-permission',
    level: 'must',
    text: 'A key without permission for the endpoint or the operation is answered with 401.',
    code: 401,
    quote: 'or a key without permission, yields 401',
    needs: ['unpermitted-key'],
  },
]);
