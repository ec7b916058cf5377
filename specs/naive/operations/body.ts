/** Reads the body of a submission within its limit (section 8). */
import { refuse, type EndpointCall, type Reply } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import type { Json } from '../json.js';
import { readSubmission, type Submission } from '../submission.js';

/** The submission in the body, or the refusal. @throws {Refused} when a field is malformed. */
export function readBody(
  call: EndpointCall,
  kind: 'run' | 'runsync',
  waitMs: number | null,
): Submission | Reply {
  const { endpoint } = call;
  const { choices, hooks } = endpoint.service;
  const megabytes = hooks.bodyMegabytes(kind === 'run' ? 10 : 20, kind);
  if (call.body === null || hooks.bodyBytes(call.bodyBytes, call.body) > megabytes * choices.megabyte)
    return hooks.oversize(call, kind) ?? refuse(choices.oversizeCode, 'the body is too large');
  const isMissing = call.contentType === '';
  const type = isMissing ? choices.contentTypeMissing : choices.contentTypeOther;
  const isJson = call.contentType.toLowerCase().startsWith('application/json');
  if (!isJson && type !== 'accepted') return refuse(type, 'content-type is not application/json');
  const refusal = hooks.bodyRefused(call);
  if (refusal !== null) return refusal;
  let body: Json;
  try {
    body = JSON.parse(hooks.bodyText(call.body.toString('utf8'))) as Json;
  } catch {
    const wrong = hooks.malformed(call, kind) ?? refuse(400, 'the body is no JSON');
    if ('code' in wrong) return wrong as Reply;
    body = wrong;
  }
  return readSubmission(kind, body, waitMs, endpoint);
}

/** A submission without anything. */
export function emptySubmission({ defaults }: Endpoint, kind: 'run' | 'runsync'): Submission {
  const rest = { webhook: null, s3Config: null, lowPriority: false, waitMs: null };
  return { kind, input: {}, ...defaults, ...rest };
}

export const isReply = (value: Submission | Reply): value is Reply => 'code' in value;
