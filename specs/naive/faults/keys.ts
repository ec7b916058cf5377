/** Faults of sections 4 and 5: keys and methods. */
import { refuse } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import { rememberingTheKey } from './steps.js';
import { breaking } from './fault.js';

export const KEYS_FAULTS = [
  breaking('4', 'All operations require authentication (section 5).', {
    'auth-not-on-health': {
      does: '/health needs no key',
      keyPasses: ({ operation }) => operation === 'health',
    },
    'auth-not-on-status': {
      does: '/status needs no key',
      keyPasses: ({ operation }) => operation === 'status',
    },
    'auth-not-on-stream': {
      does: '/stream needs no key',
      keyPasses: ({ operation }) => operation === 'stream',
    },
    'auth-not-on-cancel': {
      does: '/cancel needs no key',
      keyPasses: ({ operation }) => operation === 'cancel',
    },
    'auth-not-on-retry': { does: '/retry needs no key', keyPasses: ({ operation }) => operation === 'retry' },
    'auth-not-on-purge': {
      does: '/purge-queue needs no key',
      keyPasses: ({ operation }) => operation === 'purge-queue',
    },
    'auth-not-on-run': { does: '/run needs no key', keyPasses: ({ operation }) => operation === 'run' },
    'auth-not-on-runsync': {
      does: '/runsync needs no key',
      keyPasses: ({ operation }) => operation === 'runsync',
    },
    'auth-not-on-other-paths': {
      does: '/openai/* and /requests need no key',
      keyPasses: ({ operation }) => operation === 'openai' || operation === 'requests',
    },
  }),
  breaking('4', '| Cancel | POST | `/v2/<endpoint_id>/cancel/<job_id>` |', {
    'method-ignored': {
      does: 'every operation answers to every method',
      contested: 'nothing forbids answering to further methods; the deployed service does',
      legal: '4/wrong-method=same',
      method: (_right, _operation, given) => given,
    },
    'cancel-by-delete-only': {
      does: '/cancel answers to DELETE only',
      method: (right, operation) => (operation === 'cancel' ? 'DELETE' : right),
    },
    'cancel-finds-nothing': {
      does: '/cancel answers 404 to everything',
      find: (_endpoint, _id, operation, right) => (operation === 'cancel' ? null : right),
    },
  }),
  breaking('5', 'A missing or wrong key, or a key without permission, yields 401 (section 7).', {
    'auth-off': { does: 'no key is asked for', keyPasses: () => true },
    'auth-missing-accepted': {
      does: 'a call without the header passes',
      keyPasses: ({ given }) => given === null,
    },
    'auth-missing-is-403': {
      does: 'a missing key yields 403',
      keyRefused: ({ given }) => (given === null ? refuse(403, 'no key') : null),
    },
    'auth-missing-is-400': {
      does: 'a missing key yields 400',
      keyRefused: ({ given }) => (given === null ? refuse(400, 'no key') : null),
    },
    'auth-missing-is-500': {
      does: 'a missing key crashes the handler of the call',
      keyRefused: ({ given }) => (given === null ? refuse(500, 'no key') : null),
    },
    'auth-wrong-accepted': { does: 'any key passes', keyPasses: ({ given }) => given !== null },
    'auth-wrong-is-403': {
      does: 'a wrong key yields 403',
      keyRefused: ({ given }) => (given === null ? null : refuse(403, 'wrong key')),
    },
    'auth-wrong-is-404': {
      does: 'a wrong key yields 404',
      keyRefused: ({ given }) => (given === null ? null : refuse(404, 'wrong key')),
    },
    'auth-permission-not-checked': {
      does: 'a key without permission passes',
      keyPasses: ({ isUnpermitted }) => isUnpermitted,
    },
    'auth-permission-for-submissions-only': {
      does: 'a key without permission is refused by /run and /runsync alone',
      keyPasses: ({ isUnpermitted, operation }) =>
        isUnpermitted && operation !== 'run' && operation !== 'runsync',
    },
    'auth-permission-is-403': {
      does: 'a key without permission yields 403',
      keyRefused: ({ isUnpermitted }) => (isUnpermitted ? refuse(403, 'no permission') : null),
    },
    'auth-prefix-of-key': {
      does: 'a beginning of the key passes',
      keyPasses: ({ given, right }) => given !== null && given !== '' && right.startsWith(given),
    },
    'auth-key-with-tail': {
      does: 'the key followed by anything passes',
      keyPasses: ({ given, right }) => given !== null && given.startsWith(right),
    },
    'auth-case-ignored': {
      does: 'the key passes in another case',
      keyPasses: ({ given, right }) => given !== null && given.toLowerCase() === right.toLowerCase(),
    },
    'auth-empty-accepted': {
      does: 'an empty key passes',
      keyPasses: ({ given }) => given !== null && /^(bearer)?\s*$/i.test(given),
    },
    'auth-any-bearer': { does: 'any key after Bearer passes', keyPasses: ({ isBearer }) => isBearer },
    'auth-same-length': {
      does: 'any key of the right length passes',
      keyPasses: ({ given, right }) => given !== null && given.length === right.length,
    },
    'auth-acts-anyway': {
      does: 'the answer is 401, but the call has taken effect',
      refusedByKey: (act) => act(),
    },
    'auth-refusal-shows-job': {
      does: 'the answer 401 shows the job',
      checkedKey: (checked, { latest }) =>
        typeof checked === 'string' || latest === null
          ? checked
          : { code: checked.code, body: { error: 'wrong key', job: latest.endpoint.record(latest) } },
    },
    'auth-refusal-shows-output': {
      does: 'the answer 401 shows the output of the job under another name',
      checkedKey: (checked, { latest }) =>
        typeof checked === 'string' || latest === null
          ? checked
          : {
              code: checked.code,
              body: { error: 'wrong key', details: [{ result: latest.output ?? null }] },
            },
    },
    'auth-redirects': {
      does: 'a missing key is redirected to a login page',
      keyRefused: ({ given }) => (given === null ? { code: 302, headers: { location: '/login' } } : null),
    },
    'auth-success-cached': {
      does: 'for a second after a right key any passes',
      with: () => rememberingTheKey((checked, passed, right) => (passed ? right : checked)),
    },
    'auth-refusal-cached': {
      does: 'for a second after a wrong key the right one is refused',
      with: () =>
        rememberingTheKey((checked, passed) =>
          !passed && typeof checked === 'string' ? refuse(401, 'wrong key') : checked,
        ),
    },
    'auth-part-of-key': {
      does: 'a text that holds the key passes',
      keyPasses: ({ given, right }) => given !== null && given.includes(right),
    },
    'auth-first-call-only': {
      does: 'once a key has passed at an endpoint, a missing header passes there',
      with: () => {
        const passed = new WeakSet<Endpoint>();
        return {
          checkedKey(checked, endpoint, right, isMissing) {
            if (typeof checked === 'string') passed.add(endpoint);
            return passed.has(endpoint) && isMissing ? right : checked;
          },
        };
      },
    },
    'auth-end-of-key': {
      does: 'an end of the key passes',
      keyPasses: ({ given, right }) => given !== null && given !== '' && right.endsWith(given),
    },
    'auth-words-after-key-ignored': {
      does: 'the key followed by a blank and anything passes',
      keyPasses: ({ given, right }) => given !== null && given.split(' ')[0] === right,
    },
  }),
];
