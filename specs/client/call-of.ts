/** A call of a client in few words, as it was seen where it arrived. */
import type { WholeCall } from '../../src/client/session.js';
import type { Body, Json } from '../../src/history/events.js';
import type { Operation } from '../../src/spec/index.js';
import { isMethodOf } from '../../src/spec/operation-of.js';

export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly body?: Json | undefined;
    }
  | { readonly kind: 'lost'; readonly why: 'refused' | 'lost' | 'half' }
  | { readonly kind: 'abandoned' | 'open' };

export interface Said {
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly job: string | null;
  readonly contentType: string | null;
  /** `isJson`: null where it is too large to be kept, or there is none. */
  readonly body: { readonly bytes: number; readonly value?: Json; readonly isJson: boolean | null };
  readonly reply: Reply;
  readonly key: WholeCall['key'];
  readonly connection: number;
  readonly fault: string | null;
  readonly reached: boolean;
}

/** It read the status of a job. */
export const READ: Said = {
  ...{ operation: 'status', method: 'GET', path: '/v2/ep/status/j1', query: {}, job: 'j1' },
  ...{ contentType: null, body: { bytes: 0, isJson: null }, key: { header: 'bearer', elsewhere: null } },
  ...{
    connection: 1,
    fault: null,
    reached: true,
    reply: { kind: 'answer', status: 200, retryAfterMs: null },
  },
};

export function callOf(
  said: Said,
  id: number,
  fromMs: number,
  byMs: number,
  edition: 'document' | 'runpod' = 'document',
): WholeCall {
  const { operation, method, path, query, job, contentType, body, reply, ...more } = said;
  const search = new URLSearchParams(query).toString();
  return {
    ...{ id, fromMs, byMs, bytes: body.bytes, ...more },
    request: {
      ...{ method, target: search === '' ? path : `${path}?${search}` },
      headers: contentType === null ? {} : { 'content-type': contentType },
      body: bodyOf(body),
    },
    outcome: outcomeOf(reply),
    names:
      operation === null
        ? null
        : { base: '', operation, job, isExact: true, hasItsMethod: isMethodOf(operation, method, edition) },
  };
}

function bodyOf({ bytes, value, isJson }: Said['body']): Body | null | undefined {
  if (isJson === null) return bytes === 0 ? null : undefined;
  return value === undefined ? { as: 'text', text: '', bytes } : { as: 'json', value, bytes };
}

function outcomeOf(reply: Reply): WholeCall['outcome'] {
  if (reply.kind !== 'answer') return reply as WholeCall['outcome'];
  const { status, retryAfterMs, body } = reply;
  const headers = retryAfterMs === null ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
  return {
    ...{ kind: 'answer', status, headers },
    body: body === undefined ? undefined : { as: 'json', value: body, bytes: JSON.stringify(body).length },
  };
}
