/** Sections 4, 5, 7, 8: who may call, what a request may hold, and which code refuses it. */
import type { Json } from '../../history/events.js';
import * as limits from '../../spec/limits.js';
import type { Operation } from '../../spec/types.js';
import type { CoreRequest } from '../api.js';
import { API_VERSION } from '../../spec/operations.js';
import type { Is } from './is.js';

/** Why a request is refused. */
export type Problem =
  | 'unauthorized'
  | 'no-such-path'
  | 'no-such-endpoint'
  | 'no-such-job'
  /** The job was deleted while the call waited for it. */
  | 'job-gone'
  | 'wrong-method'
  | 'malformed'
  | 'wrong-state'
  | 'too-large'
  | 'too-many'
  | 'too-many-at-once';

/** The integers a request may hold. */
export type IntegerField = 'policy.executionTimeout' | 'policy.ttl' | 'wait' | 'ttl';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

const TITLES: { readonly [code: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
};

const isObject = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWebAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
};

export const httpRules = (is: Is, runpod: boolean) => ({
  /** §5: the key in the header's value, bare or after `Bearer `; null when the form is not accepted. */
  keyIn: (header: string): string | null => {
    const bearer = /^bearer /i.test(header);
    if (bearer) return is('5/key-form', 'bare') ? null : header.slice(7).trim();
    return is('5/key-form', 'bearer') ? null : header.trim();
  },

  /** §5: the key stands in the `authorization` header and nowhere else. */
  authorizationOf: (request: CoreRequest): string | undefined => request.headers['authorization'],

  /** §5: the given key is one of the service's, whole and letter by letter. */
  keyAccepted: (same: boolean, _key: string, _given: string): boolean => same,

  /** §4, §5: every operation wants a key. */
  needsKey: (_op: Operation | null): boolean => true,

  /** §4: the method of each operation; deployed services answer POST on reads too. */
  methodAllowed: (op: Operation, method: string, listed: string): boolean =>
    method === listed || (runpod && method === 'POST' && (op === 'status' || op === 'stream')),

  /** §8, §5: a refused call has no effect. */
  performsRefused: (_problem: Problem, _op: Operation | null): boolean => false,

  /** §9: the version segment of every path. */
  versionServed: (segment: string): boolean => segment === API_VERSION,

  /** §7: the code of a refusal. */
  codeOf: (problem: Problem, _op: Operation | null): number => {
    switch (problem) {
      case 'unauthorized':
        return 401;
      case 'no-such-path':
      case 'no-such-endpoint':
      case 'no-such-job':
      case 'job-gone':
        return 404;
      case 'wrong-method':
        return is('4/wrong-method', '404') ? 404 : 405;
      case 'malformed':
        return is('7/invalid-body-code', '422') ? 422 : 400;
      case 'wrong-state':
        return is('4.6/wrong-state-code', '409') ? 409 : 400;
      case 'too-large':
        return runpod || is('8/oversize-code', '400') ? 400 : 413;
      case 'too-many':
      case 'too-many-at-once':
        return 429;
    }
  },

  /** §7: the body of a refusal: not shown. */
  errorBody: (code: number, detail: string): Json =>
    is('7/error-body', 'error-string')
      ? { error: detail }
      : { status: code, title: TITLES[code] ?? 'Error', detail },

  /** §4.1, §4.2, §8: largest body in bytes; what the document gives no limit for has the largest it names. */
  bodyBytesMax: (op: Operation): number => {
    const limit = op === 'run' ? limits.RUN_PAYLOAD_MAX : limits.RUNSYNC_PAYLOAD_MAX;
    return runpod || is('8/megabyte', 'binary') ? limit.binaryBytes : limit.decimalBytes;
  },

  /** §2.1: a JSON object, required. */
  inputAllowed: (input: Json | undefined): boolean => isObject(input),

  /** §2.1: a URL. */
  webhookAllowed: (webhook: Json): boolean => typeof webhook === 'string' && isWebAddress(webhook),

  /** §2.2: `lowPriority` is a boolean. */
  lowPriorityAllowed: (value: Json): boolean => typeof value === 'boolean',

  /** §2.3: the four fields are strings; which are required is not shown. */
  s3FieldAllowed: (_field: string, value: Json | undefined): boolean =>
    value === undefined ? !is('2.3/required-fields', 'all') : typeof value === 'string',

  /** §2.1: an optional field that holds null counts as left out. */
  nullMeansAbsent: (_field: string): boolean => is('2.1/null-optional', 'absent'),

  /** §2.2, §4.1, §4.3: an integer it must be. */
  integerAllowed: (_field: IntegerField, value: Json): boolean => Number.isSafeInteger(value),

  /** §2.2, §4.1, §4.3, §8: the range of each integer. */
  boundsOf: (field: IntegerField): Bounds => {
    const max = runpod ? Number.MAX_SAFE_INTEGER : limits.TTL_MAX_MS;
    switch (field) {
      case 'policy.executionTimeout':
        return { min: limits.EXECUTION_TIMEOUT_MIN_MS, max };
      case 'policy.ttl':
        return { min: limits.TTL_MIN_MS, max };
      case 'wait':
        return { min: limits.WAIT_MIN_MS, max: limits.WAIT_MAX_MS };
      case 'ttl':
        return { min: is('4.3/status-ttl-minimum', 'ten-seconds') ? limits.TTL_MIN_MS : 1, max };
    }
  },

  /** §2.2, §4.1: what becomes of a value out of range: not shown. */
  outOfRange: (field: IntegerField): 'refuse' | 'clamp' =>
    field === 'wait' && (runpod || is('4.1/wait-out-of-range', 'clamp')) ? 'clamp' : 'refuse',
});
