import type { Json } from 'runproof';
import type { Submission } from './jobs.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MB = 1_000_000;

/** A request is invalid; the message is for its sender: 400. */
export class BadRequest extends Error {}

/** Reads the body of `/run` (no `waitMs`) or `/runsync` (sections 2.1 to 2.3). */
export async function readSubmission(request: Request, waitMs: number | null): Promise<Submission> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > (waitMs === null ? 10 * MB : 20 * MB)) throw new BadRequest('the body is too large');
  const { input, webhook = null, policy = {}, s3Config = null } = membersOf(parse(bytes), 'the body');
  membersOf(input, 'input');
  if (webhook !== null && !(typeof webhook === 'string' && URL.canParse(webhook))) {
    throw new BadRequest('webhook is no URL');
  }
  if (
    s3Config !== null &&
    !Object.values(membersOf(s3Config, 's3Config')).every((v) => typeof v === 'string')
  ) {
    throw new BadRequest('s3Config wants strings');
  }
  const {
    executionTimeout = 10 * MINUTE_MS,
    ttl = DAY_MS,
    lowPriority = false,
  } = membersOf(policy, 'policy');
  if (typeof lowPriority !== 'boolean') throw new BadRequest('lowPriority is no boolean');
  return {
    input: input as Json,
    webhook,
    s3Config,
    executionTimeoutMs: inRange(executionTimeout, 5 * SECOND_MS, 7 * DAY_MS, 'executionTimeout'),
    ttlMs: inRange(ttl, 10 * SECOND_MS, 7 * DAY_MS, 'ttl'),
    retentionMs: waitMs === null ? 30 * MINUTE_MS : Math.max(MINUTE_MS, waitMs),
  };
}

/** `?wait=` of `/runsync`, in ms. */
export function readWait(text: string | null): number {
  return text === null ? 90 * SECOND_MS : inRange(integer(text), SECOND_MS, 300 * SECOND_MS, 'wait');
}

/** `?ttl=` of `/status`, in ms; null where there is none. */
export function readTtl(text: string | null): number | null {
  return text === null ? null : inRange(integer(text), 0, 7 * DAY_MS, 'ttl');
}

function parse(bytes: ArrayBuffer): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw new BadRequest('the body is no JSON');
  }
}

function membersOf(value: Json | undefined, name: string): { readonly [name: string]: Json } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as { readonly [name: string]: Json };
  }
  throw new BadRequest(`${name} is no object`);
}

function integer(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}

function inRange(value: Json, min: number, max: number, name: string): number {
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new BadRequest(`${name} is no integer from ${min} to ${max}`);
}
