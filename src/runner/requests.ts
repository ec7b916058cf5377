/** Turns the steps of a script into HTTP requests. Pure: the same step gives the same request. */
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import { segmentOf } from '../history/job-path.js';
import { repeated, shortened, shortenedJson } from '../history/long-text.js';
import { isMethodOf, operationNamed } from '../spec/operation-of.js';
import { METHOD_OF, UNKNOWN_JOB_ID } from '../spec/operations.js';
import type { Operation } from '../spec/types.js';
import { bucketAt } from './bucket.js';
import type { BurstStep, OpenaiStep, PlanStep, RawStep, SubmitStep } from '../scenario/script.js';
import type { OutgoingCall, ScriptRunnerContext } from './api.js';

/** The part of a call that its step determines; the script runner adds number, lane, endpoint and key. */
export type Request = Pick<
  OutgoingCall,
  | 'op'
  | 'method'
  | 'path'
  | 'query'
  | 'contentType'
  | 'bodyText'
  | 'keptBody'
  | 'bodyValue'
  | 'illegal'
  | 'mayWait'
  | 'held'
  | 'hangsUp'
  | 'chunked'
>;

/** The default plan for scripted workers: short work that can still be observed while it runs. */
const ORDINARY_INPUT: Json = { plan: [{ sleepMs: 300 }, { return: { ok: true } }] };

type JobOperation = 'status' | 'stream' | 'cancel' | 'retry';

/** The addresses of Runproof itself that a submission names; null for none. */
export interface OwnAddresses {
  readonly webhookUrl: string | null;
  readonly storageUrl: string | null;
}

const NO_ADDRESSES: OwnAddresses = { webhookUrl: null, storageUrl: null };

export function submitRequest(
  step: SubmitStep,
  context: ScriptRunnerContext,
  { webhookUrl, storageUrl }: OwnAddresses,
): Request {
  const webhook =
    step.webhookUrl !== undefined ? step.webhookUrl : webhookUrl && `${webhookUrl}${step.webhookQuery ?? ''}`;
  const input = inputOf(step, context);
  const withWebhook = step.webhookInInput === true && isObject(input);
  const body: { [key: string]: Json } = {
    input: withWebhook ? { ...input, webhook } : input,
    ...(!withWebhook && (webhook !== null || step.webhookUrl !== undefined) ? { webhook } : {}),
    ...(step.policy !== undefined ? { policy: step.policy } : {}),
    ...s3ConfigOf(step, storageUrl),
    ...step.extra,
  };
  return {
    ...bare(step.do),
    query: step.wait !== undefined ? { wait: String(step.wait) } : {},
    contentType: 'application/json',
    ...padded(body, step),
    ...(step.chunked === true ? { chunked: true } : {}),
    illegal: step.illegal ?? null,
  };
}

export function jobRequest(op: JobOperation, jobId: string, ttl?: number | string): Request {
  return {
    ...bare(op),
    path: `/${op}/${segmentOf(jobId)}`,
    query: ttl !== undefined ? { ttl: String(ttl) } : {},
  };
}

export function endpointRequest(op: 'purge-queue' | 'health' | 'requests'): Request {
  return bare(op);
}

export function openaiRequest(step: Pick<OpenaiStep, 'path' | 'body'>): Request {
  return {
    ...bare('openai'),
    path: `/openai/${step.path}`,
    contentType: 'application/json',
    bodyText: JSON.stringify(step.body),
  };
}

export function rawRequest(step: RawStep, path: string, context: ScriptRunnerContext): Request {
  const op = step.fromRoot === true ? null : operationOf(step.method, path);
  return {
    op,
    method: step.method,
    path,
    query: step.query ?? {},
    contentType:
      step.contentType !== undefined
        ? step.contentType
        : step.bodyText !== undefined
          ? 'application/json'
          : null,
    bodyText: step.bodyText?.replaceAll('{input}', () => JSON.stringify(ordinaryInput(context))) ?? null,
    illegal: step.illegal,
    // Also where the document has no such operation: a target that serves it anyway may wait.
    mayWait: path.endsWith('/runsync'),
  };
}

export function burstRequest(step: BurstStep, jobId: string | null, context: ScriptRunnerContext): Request {
  const made = burstOf(step, jobId, context);
  const request = step.hangsUp === true ? { ...made, hangsUp: true as const } : made;
  if (step.held !== true || request.bodyText !== null) return request;
  return { ...request, contentType: 'application/json', bodyText: '{}', illegal: 'unneeded-body' };
}

function burstOf(step: BurstStep, jobId: string | null, context: ScriptRunnerContext): Request {
  switch (step.op) {
    case 'run':
    case 'runsync':
      return submitRequest(
        {
          do: step.op,
          job: '',
          ...(step.plan !== undefined ? { plan: step.plan } : {}),
          ...(step.policy !== undefined ? { policy: step.policy } : {}),
          ...(step.wait !== undefined ? { wait: step.wait } : {}),
        },
        context,
        NO_ADDRESSES,
      );
    case 'status':
    case 'stream':
    case 'cancel':
    case 'retry':
      return jobRequest(step.op, jobId ?? UNKNOWN_JOB_ID);
    case 'openai':
      return openaiRequest({ path: step.path ?? 'v1/chat/completions', body: {} });
    default:
      return endpointRequest(step.op);
  }
}

/** The operation that a method and a path below the endpoint mean; null where the document has none. */
export function operationOf(method: string, path: string): Operation | null {
  const [, name = '', rest] = /^\/([^/?]+)(\/[^?]*)?(?:\?.*)?$/.exec(path) ?? [];
  const named = operationNamed(name, 'document');
  if (named === null || !isMethodOf(named.op, method, 'document')) return null;
  const wantsRest = named.takesJob || named.op === 'openai';
  return wantsRest === (rest !== undefined && rest !== '/') ? named.op : null;
}

function bare(op: Operation): Request {
  return {
    op,
    method: METHOD_OF[op],
    path: `/${op}`,
    query: {},
    contentType: null,
    bodyText: null,
    illegal: null,
    mayWait: op === 'runsync',
  };
}

/** The input of a job that says nothing of its own. */
function ordinaryInput({ sampleInput }: ScriptRunnerContext): Json {
  return sampleInput === null || sampleInput === undefined ? ORDINARY_INPUT : (sampleInput as Json);
}

/** A worker that follows no plans gets the same input for all of them: it may refuse any other. */
function inputOf(step: SubmitStep, context: ScriptRunnerContext): Json {
  if (step.input !== undefined) return step.input;
  const ordinary = ordinaryInput(context);
  const followsPlans = ordinary === ORDINARY_INPUT;
  if (!followsPlans || (step.plan === undefined && step.planOnRetry === undefined)) return ordinary;
  const plan: readonly PlanStep[] = step.plan ?? [];
  return {
    plan: plan as Json,
    ...(step.planOnRetry !== undefined ? { planOnRetry: step.planOnRetry as Json } : {}),
  };
}

function s3ConfigOf({ s3Config }: SubmitStep, storageUrl: string | null): { readonly s3Config?: Json } {
  if (storageUrl === null) return s3Config !== undefined ? { s3Config } : {};
  const own = {
    accessId: 'runproof',
    accessSecret: 'nobody needs this',
    bucketName: bucketAt(storageUrl),
    endpointUrl: storageUrl,
  };
  return { s3Config: { ...own, ...(s3Config as { readonly [name: string]: Json } | undefined) } };
}

type Padded = Pick<Request, 'bodyText' | 'keptBody' | 'bodyValue'>;

/** The body as text, with a string inside `input` that brings it to exactly that many bytes of UTF-8. */
function padded(
  body: { readonly [key: string]: Json },
  { padToBytes: bytes, padWith = 'x', padOutside }: SubmitStep,
): Padded {
  const plain = JSON.stringify(body);
  if (bytes !== undefined && padOutside === true) return { bodyText: plain.padEnd(bytes, ' ') };
  const input = body['input'];
  if (bytes === undefined || input === null || typeof input !== 'object' || Array.isArray(input))
    return { bodyText: plain };
  const withPad = (pad: string) => JSON.stringify({ ...body, input: { ...input, pad } });
  const empty = withPad('');
  const missing = bytes - Buffer.byteLength(empty);
  if (missing < 0) return { bodyText: plain };
  const width = Math.max(1, Buffer.byteLength(padWith));
  const pad = padWith.repeat(Math.floor(missing / width)) + 'x'.repeat(missing % width);
  const isEscaped = JSON.stringify(padWith) !== `"${padWith}"`;
  if (isEscaped || 'pad' in input || Object.keys(body)[0] !== 'input') return { bodyText: withPad(pad) };
  // Put in directly: to serialize megabytes takes much longer, and so does parsing them.
  const at = '{"input":'.length + JSON.stringify({ ...input, pad: '' }).length - '"}'.length;
  const kept = shortenedJson(JSON.parse(empty) as Json) as { readonly input: { pad: string } };
  kept.input.pad = width === 1 ? repeated(padWith, missing) : shortened(pad);
  const bodyValue = JSON.parse(empty) as typeof kept;
  bodyValue.input.pad = pad;
  return {
    bodyText: empty.slice(0, at) + pad + empty.slice(at),
    keptBody: { as: 'json', value: kept, bytes },
    bodyValue,
  };
}
