/** Faults of sections 4 and 5: keys and methods. */
import { refuse } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import { rememberingTheKey } from './steps.js';
import type { Faults } from './fault.js';

export const KEYS_FAULTS = {
  'health-needs-no-key': { keyPasses: ({ operation }) => operation === 'health' },
  'status-needs-no-key': { keyPasses: ({ operation }) => operation === 'status' },
  'stream-needs-no-key': { keyPasses: ({ operation }) => operation === 'stream' },
  'cancel-needs-no-key': { keyPasses: ({ operation }) => operation === 'cancel' },
  'retry-needs-no-key': { keyPasses: ({ operation }) => operation === 'retry' },
  'purge-needs-no-key': { keyPasses: ({ operation }) => operation === 'purge-queue' },
  'run-needs-no-key': { keyPasses: ({ operation }) => operation === 'run' },
  'runsync-needs-no-key': { keyPasses: ({ operation }) => operation === 'runsync' },
  'auth-not-on-other-paths': {
    keyPasses: ({ operation }) => operation === 'openai' || operation === 'requests',
  },
  'method-ignored': { method: (_right, _operation, given) => given },
  'cancel-by-delete-only': { method: (right, operation) => (operation === 'cancel' ? 'DELETE' : right) },
  'cancel-finds-nothing': {
    find: (_endpoint, _id, operation, right) => (operation === 'cancel' ? null : right),
  },
  'auth-off': { keyPasses: () => true },
  'auth-missing-accepted': { keyPasses: ({ given }) => given === null },
  'auth-missing-is-403': { keyRefused: ({ given }) => (given === null ? refuse(403, 'no key') : null) },
  'auth-missing-is-400': { keyRefused: ({ given }) => (given === null ? refuse(400, 'no key') : null) },
  'auth-missing-is-500': { keyRefused: ({ given }) => (given === null ? refuse(500, 'no key') : null) },
  'any-key': { keyPasses: ({ given }) => given !== null },
  'auth-wrong-is-403': { keyRefused: ({ given }) => (given === null ? null : refuse(403, 'wrong key')) },
  'auth-wrong-is-404': { keyRefused: ({ given }) => (given === null ? null : refuse(404, 'wrong key')) },
  'permission-not-asked-for': { keyPasses: ({ isUnpermitted }) => isUnpermitted },
  'auth-permission-for-submissions-only': {
    keyPasses: ({ isUnpermitted, operation }) =>
      isUnpermitted && operation !== 'run' && operation !== 'runsync',
  },
  'no-permission-403': {
    keyRefused: ({ isUnpermitted }) => (isUnpermitted ? refuse(403, 'no permission') : null),
  },
  'key-prefix-accepted': {
    keyPasses: ({ given, right }) => given !== null && given !== '' && right.startsWith(given),
  },
  'key-with-more-accepted': { keyPasses: ({ given, right }) => given !== null && given.startsWith(right) },
  'key-case-ignored': {
    keyPasses: ({ given, right }) => given !== null && given.toLowerCase() === right.toLowerCase(),
  },
  'auth-empty-accepted': { keyPasses: ({ given }) => given !== null && /^(bearer)?\s*$/i.test(given) },
  'auth-any-bearer': { keyPasses: ({ isBearer }) => isBearer },
  'key-length-compared': { keyPasses: ({ given, right }) => given !== null && given.length === right.length },
  'auth-acts-anyway': { refusedByKey: (act) => act() },
  'auth-refusal-shows-job': {
    checkedKey: (checked, { latest }) =>
      typeof checked === 'string' || latest === null
        ? checked
        : { code: checked.code, body: { error: 'wrong key', job: latest.endpoint.record(latest) } },
  },
  'auth-refusal-shows-output': {
    checkedKey: (checked, { latest }) =>
      typeof checked === 'string' || latest === null
        ? checked
        : {
            code: checked.code,
            body: { error: 'wrong key', details: [{ result: latest.output ?? null }] },
          },
  },
  'auth-redirects': {
    keyRefused: ({ given }) => (given === null ? { code: 302, headers: { location: '/login' } } : null),
  },
  'auth-success-cached': {
    with: () => rememberingTheKey((checked, passed, right) => (passed ? right : checked)),
  },
  'auth-refusal-cached': {
    with: () =>
      rememberingTheKey((checked, passed) =>
        !passed && typeof checked === 'string' ? refuse(401, 'wrong key') : checked,
      ),
  },
  'auth-part-of-key': { keyPasses: ({ given, right }) => given !== null && given.includes(right) },
  'auth-first-call-only': {
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
    keyPasses: ({ given, right }) => given !== null && given !== '' && right.endsWith(given),
  },
  'auth-words-after-key-ignored': {
    keyPasses: ({ given, right }) => given !== null && given.split(' ')[0] === right,
  },
} satisfies Faults;
