/** Sections 4, 5, 7, 9: keys, paths and methods, and the status codes of refusals. */
import type { Json } from '../../history/events.js';
import * as limits from '../../spec/limits.js';
import { isMethodOf } from '../../spec/operation-of.js';
import { API_VERSION } from '../../spec/operations.js';
import type { Operation } from '../../spec/types.js';
import type { CoreRequest } from '../api.js';
import type { ReadingOf } from './reads.js';

/** Why a request is refused. */
export type Problem =
  | 'unauthorized'
  /** The key is known, but has no permission here. */
  | 'no-permission'
  | 'no-such-path'
  | 'no-such-version'
  | 'missing-job-id'
  | 'no-such-endpoint'
  /** No job has this id now. */
  | 'no-such-job'
  /** No job ever had it. */
  | 'never-existed'
  /** The id does not have the form of a job id. */
  | 'impossible-id'
  /** The job was purged, and its id remembered. */
  | 'purged'
  /** The job was deleted while the call waited for it. */
  | 'job-gone'
  /** The same, where the answer is not 404. */
  | 'wait-broken-off'
  | 'wait-elapsed'
  | 'wrong-method'
  | 'malformed'
  | 'type-missing'
  | 'unsupported-type'
  | 'no-stream'
  | 'not-offered'
  | 'too-large'
  | 'too-many'
  | 'too-many-at-once'
  | 'queue-full';

const TITLES: { readonly [code: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
};

export function httpRules(readingOf: ReadingOf, runpod: boolean) {
  const keyForms = readingOf('5/key-forms');
  const bearerCase = readingOf('5/bearer-case');
  const megabyte = readingOf('8/megabyte') === 'binary' ? 'binaryBytes' : 'decimalBytes';
  const measure = readingOf('8/payload-measure');
  const errorBody = readingOf('7/error-body');
  const typeMissing = readingOf('1/request-content-type-missing');
  const typeOther = readingOf('1/request-content-type-other');
  const wrongMethod = readingOf('4/wrong-method');
  const head = readingOf('4/head-request');
  const options = readingOf('4/options-request');
  const revealed = {
    'no-such-endpoint': readingOf('5/unauthorized-before-unknown-endpoint') === '404',
    'no-such-job': readingOf('5/unauthorized-before-unknown-job') === '404',
    malformed: readingOf('5/unauthorized-before-malformed') === '400',
  };
  const oversize = readingOf('7/oversize-code');
  const unknownJob = readingOf('7/unknown-job-code');
  const impossibleId = readingOf('7/malformed-job-id-code');
  const otherVersion = readingOf('9/other-version-answer');
  const coded = (reading: string, other: number): number => (/^\d+$/.test(reading) ? Number(reading) : other);
  const codes: { readonly [P in Problem]: number } = {
    unauthorized: 401,
    'no-permission': 401,
    'no-such-path': Number(readingOf('4/unknown-path')),
    'no-such-version': coded(otherVersion, 400),
    'missing-job-id': Number(readingOf('4/missing-job-id')),
    'no-such-endpoint': 404,
    'no-such-job': 404,
    'never-existed': coded(unknownJob, 410),
    'impossible-id': coded(impossibleId, 422),
    purged: 410,
    'job-gone': 404,
    'wait-broken-off': 410,
    'wait-elapsed': 408,
    'wrong-method': coded(wrongMethod, 405),
    malformed: 400,
    'type-missing': typeMissing === 'refused-400' ? 400 : 415,
    'unsupported-type': typeOther === 'refused-400' ? 400 : 415,
    'no-stream': 400,
    'not-offered': 400,
    'too-large': coded(oversize, oversize === 'connection-closed' ? 413 : 422),
    'too-many': 429,
    'too-many-at-once': 429,
    'queue-full': 429,
  };

  return {
    /** §5: the key is read from the `authorization` header only. */
    authorizationOf: (request: CoreRequest): string | undefined => request.headers['authorization'],

    /** §5: the key in the header's value, bare or after `Bearer `; null when the form is not accepted. */
    keyIn: (header: string): string | null => {
      const bearer = (bearerCase === 'accepted' ? /^bearer +/i : /^Bearer +/).exec(header);
      if (bearer !== null) return keyForms === 'bare-only' ? null : header.slice(bearer[0].length).trim();
      return keyForms === 'bearer-only' ? null : header.trim();
    },

    /** §5: a key without permission is refused by all operations. */
    needsPermission: (_op: Operation | null): boolean => true,

    /** §5: the whole key has to be equal. */
    keyAccepted: (same: boolean, _key: string, _given: string): boolean => same,

    /** §4, §5: every operation needs a key. */
    needsKey: (_op: Operation | null): boolean => true,

    /** §5: which problems a call without a valid key is told about instead of 401. */
    revealsWithoutKey: (problem: 'no-such-endpoint' | 'no-such-job' | 'malformed'): boolean =>
      revealed[problem],

    /** §7: whether a malformed submission to an unknown endpoint is answered with 400. */
    malformedBeforeEndpoint: (): boolean => readingOf('5/unknown-endpoint-before-malformed') === '400',

    /** §4: the method of each operation; deployed services answer POST on reads too. */
    methodAllowed: (op: Operation, method: string, listed: string): boolean =>
      isMethodOf(op, method, runpod ? 'runpod' : 'document') ||
      (method === 'HEAD' && listed === 'GET' && head === 'like-get') ||
      (wrongMethod === 'same' && (method === 'GET' || method === 'POST')),

    /** §4: the status code for a wrong method. */
    methodCode: (method: string, code: number): number => {
      if (method === 'HEAD') return coded(head, code);
      return method === 'OPTIONS' ? coded(options, 204) : code;
    },

    /** §8, §5: a refused call has no effect. */
    performsRefused: (_problem: Problem, _op: Operation | null): boolean => false,

    /** §9: the version segment of every path. */
    versionServed: (segment: string): boolean => segment === API_VERSION,

    /** §4: how a path with a slash at its end is handled. */
    trailingSlash: (): '404' | 'same' | 'redirect' => readingOf('4/trailing-slash'),

    /** §1: whether a submission with this content type is accepted. */
    typeAccepted: (contentType: string | undefined): boolean =>
      contentType === undefined
        ? typeMissing === 'accepted'
        : typeOther === 'accepted' || /^application\/json\b/i.test(contentType),

    /** §4: whether operations without a body accept one. */
    unneededBodyAllowed: (): boolean => readingOf('4/unneeded-body') === 'ignored',

    /** §7: the status code of a refusal. */
    codeOf: (problem: Problem, _op: Operation | null): number => codes[problem],

    /** §7: whether ids of deleted jobs and ids that were never assigned get different answers. */
    remembersIds: (): boolean => unknownJob !== '404',

    /** §7: the body of a refusal; the document does not show it. */
    errorBody: (code: number, detail: string): Json | null => {
      switch (errorBody) {
        case 'error-string':
          return { error: detail };
        case 'error-object':
          return { error: { code, message: detail } };
        case 'problem-details':
          return { status: code, title: TITLES[code] ?? 'Error', detail };
        case 'message':
          return { message: detail };
        case 'other-json':
          return [code, detail];
        case 'empty':
          return null;
      }
    },

    /** §5: the `www-authenticate` header of a 401; null for no header. */
    challenge: (): string | null => (readingOf('5/challenge-header') === 'present' ? 'Bearer' : null),

    /** §4.1, §4.2, §8: the largest body, in bytes. Operations without a limit get that of `/runsync`. */
    bodyBytesMax: (op: Operation, _query?: CoreRequest['query']): number =>
      (op === 'run' ? limits.RUN_PAYLOAD_MAX : limits.RUNSYNC_PAYLOAD_MAX)[megabyte],

    /** §7: whether the server closes the connection of a body above the limit without an answer. */
    hangsUpOnOversize: (): boolean => oversize === 'connection-closed',

    /** §8: the size of a complete body that counts against the limit. */
    payloadBytes: (bodyBytes: number, inputBytes: () => number): number =>
      measure === 'input' ? inputBytes() : bodyBytes,

    /** §4.9: whether the endpoint has `/openai` and `/requests`; not shown. */
    offersOpenai: (): boolean => readingOf('4.9/openai-answer') === 'worker-decides',
    offersRequests: (): boolean => readingOf('4.9/requests-answer') !== 'not-offered',

    /** §4.3: the answer to a `ttl` that is over when it is given. */
    ttlAlreadyOver: (): 'not-found' | 'last-record' => readingOf('4.3/ttl-already-over'),

    /** §4.3: what a `ttl` given to a job that has ended does. */
    ttlOfEnded: (): 'holds' | 'ignored' | 'refused' => readingOf('4.3/ttl-of-ended-job'),
  };
}
