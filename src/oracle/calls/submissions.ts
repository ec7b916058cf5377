/** Sections 2.1 to 2.3, 4.1 and 4.2: which submissions are accepted, and which are refused. */
import type { Body, CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUN_PAYLOAD_MAX,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';
import { answerOf, brief, isJobRecord, isObject, jsonOf, type JsonObject } from '../observed/reading.js';
import { foresee } from '../observed/plan.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';
import { alone, type Flaw } from './one-flaw.js';

export function judgeSubmission(scene: Scene, call: CallEvent, flaws: readonly Flaw[]): void {
  const code = call.reply!.status;
  const refused = flaws.flatMap((flaw) => ('refuse' in flaw ? [flaw.refuse] : []));
  if (flaws.length === 1) alone(scene, call, flaws[0]!);
  if (refused.length === 0) {
    if (flaws.length === 0 && call.request.illegal === null) accepted(scene, call);
    return;
  }
  // With several flaws at once, which one is told is nobody's promise; each alone is answered as its row says.
  if (refused.length > 1 || flaws.length > 1) {
    if (refused.length > 0 && answerOf(call) === 'ok') refused.forEach((id) => scene.check(id, false, call));
    return;
  }
  const id = refused[0]!;
  const served = servedAt(call.op);
  if (id === '4.1/payload-above-limit-refused' || id === '4.2/payload-above-limit-refused') {
    scene.checkWhere(served, id, code >= 400 && code < 500, call);
    scene.ledger.observe('7/oversize-code', code === 400 ? '400' : code === 413 ? '413' : 'other-4xx');
  } else scene.checkWhere(served, id, code === 400, call, answerWith);
}

function answerWith(call: CallEvent): string {
  return `${call.op} #${call.call} with ${brief(jsonOf(call.request.body) ?? describeBody(call))} was answered ${call.reply!.status}`;
}

function describeBody(call: CallEvent): string {
  const { body } = call.request;
  return body.as === 'text' ? body.text.slice(0, 80) : body.as === 'none' ? 'no body' : '';
}

export function flawsOf(call: CallEvent): Flaw[] {
  const op = call.op as 'run' | 'runsync';
  const { body, query } = call.request;
  const limit = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  const flaws: Flaw[] = [];
  if (body.as === 'none') flaws.push({ refuse: `7/no-body-${op}` });
  else {
    if (body.bytes > limit.binaryBytes && !largeInput(body, limit.binaryBytes))
      flaws.push({ open: 'above the limit by more than its input', about: 'payload-measure' });
    else if (body.bytes > limit.binaryBytes)
      flaws.push({
        refuse: op === 'run' ? '4.2/payload-above-limit-refused' : '4.1/payload-above-limit-refused',
      });
    else if (body.bytes > limit.decimalBytes)
      flaws.push({ open: 'between 10^6 and 2^20 bytes to the MB', about: 'megabyte' });
    if (body.as === 'text')
      flaws.push({ refuse: body.bytes === 0 ? `7/no-body-${op}` : `7/malformed-json-${op}` });
    else if (!isObject(body.value)) flaws.push({ refuse: `7/body-not-object-${op}` });
    else bodyFlaws(op, body.value, flaws);
  }
  const { contentType } = call.request;
  if (contentType === null || !contentType.toLowerCase().startsWith('application/json'))
    flaws.push({ open: 'content type', about: 'content-type' });
  const wait = query['wait'];
  if (wait !== undefined && op === 'runsync') {
    if (!/^-?[0-9]+$/.test(wait)) {
      // A fraction or another spelling of a number may be read as one.
      if (wait.trim() === '') flaws.push({ open: 'wait is empty', about: '4.1/empty-wait' });
      else if (Number.isNaN(Number(wait))) flaws.push({ refuse: '7/wait-not-integer' });
      else flaws.push({ open: 'wait is not written as an integer', about: '4.1/wait-fraction' });
    } else if (Number(wait) < WAIT_MIN_MS || Number(wait) > WAIT_MAX_MS)
      flaws.push({ open: 'wait out of range' });
  }
  for (const name of Object.keys(query))
    if (name !== 'wait') flaws.push({ open: `query parameter ${name}`, about: '4/unknown-query' });
  return flaws;
}

/** What is measured is open: a body may be large by blanks alone. */
function largeInput(body: Body, bytes: number): boolean {
  if (body.as !== 'json' || !isObject(body.value)) return true;
  return jsonBytesOf(body.value['input'] ?? null) > bytes;
}

const FIELDS: ReadonlySet<string> = new Set(['input', 'webhook', 'policy', 's3Config']);

function bodyFlaws(op: 'run' | 'runsync', body: JsonObject, flaws: Flaw[]): void {
  const input = body['input'];
  if (input === undefined) flaws.push({ refuse: `2.1/input-missing-refused-${op}` });
  else if (input === null) flaws.push({ refuse: `2.1/input-null-refused-${op}` });
  else if (Array.isArray(input)) flaws.push({ refuse: `2.1/input-array-refused-${op}` });
  else if (!isObject(input)) flaws.push({ refuse: `2.1/input-scalar-refused-${op}` });
  for (const name of Object.keys(body)) {
    if (!FIELDS.has(name)) flaws.push({ open: `unknown field ${name}`, about: '2.1/unknown-fields' });
    else if (name !== 'input' && body[name] === null)
      flaws.push({ open: `${name} is null`, about: '2.1/null-optional-field' });
  }
  const { webhook, policy, s3Config } = body;
  if (webhook !== undefined && webhook !== null) {
    if (typeof webhook !== 'string') flaws.push({ refuse: '2.1/webhook-type-checked' });
    else if (!isHttpUrl(webhook))
      flaws.push({
        open: 'webhook is no http URL',
        about: /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(webhook) ? '2.1/webhook-scheme' : '2.1/invalid-webhook',
      });
  }
  if (policy !== undefined && policy !== null) {
    if (isObject(policy)) policyFlaws(policy, flaws);
    else flaws.push({ refuse: `2.1/policy-type-checked-${op}` });
  }
  if (s3Config !== undefined && s3Config !== null) {
    if (!isObject(s3Config)) flaws.push({ refuse: '2.1/s3config-type-checked' });
    else if (!wholeS3Config(s3Config)) flaws.push(s3Flaw(s3Config));
  }
}

function s3Flaw(s3Config: JsonObject): Flaw {
  const open = 's3Config without all four fields as strings';
  const whole = S3_FIELDS.every((name) => s3Config[name] !== undefined);
  if (whole && Object.keys(s3Config).length > S3_FIELDS.length) return { open, about: '2.3/unknown-fields' };
  if (whole && S3_FIELDS.some((name) => typeof s3Config[name] !== 'string'))
    return { open, about: '2.3/field-types' };
  return { open };
}

const S3_FIELDS = ['accessId', 'accessSecret', 'bucketName', 'endpointUrl'];

function wholeS3Config(s3Config: JsonObject): boolean {
  return (
    S3_FIELDS.every((name) => typeof s3Config[name] === 'string' && s3Config[name] !== '') &&
    Object.keys(s3Config).length === S3_FIELDS.length
  );
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+/.test(text);
}

function policyFlaws(policy: JsonObject, flaws: Flaw[]): void {
  const ttl = number(policy['ttl'], 'ttl', TTL_MIN_MS, TTL_MAX_MS, flaws);
  const execution = number(
    policy['executionTimeout'],
    'execution-timeout',
    EXECUTION_TIMEOUT_MIN_MS,
    EXECUTION_TIMEOUT_MAX_MS,
    flaws,
  );
  const { lowPriority } = policy;
  if (lowPriority !== undefined && typeof lowPriority !== 'boolean') {
    if (lowPriority === null) flaws.push({ open: 'lowPriority is null', about: '2.2/null-policy-field' });
    else flaws.push({ refuse: '2.2/low-priority-type-checked' });
  }
  // Rule 2 of section 2.2 asks for a ttl that covers the execution; a service may insist where both are given.
  const lifespan = ttl ?? (typeof policy['ttl'] === 'number' ? policy['ttl'] : TTL_DEFAULT_MS);
  if (execution !== null && lifespan < execution)
    flaws.push({
      open: 'ttl below executionTimeout',
      ...(ttl === null ? {} : { about: '2.2/ttl-below-execution-timeout' }),
    });
  for (const name of Object.keys(policy))
    if (name !== 'ttl' && name !== 'executionTimeout' && name !== 'lowPriority')
      flaws.push({ open: `unknown policy field ${name}`, about: '2.2/unknown-policy-fields' });
}

function number(
  value: Json | undefined,
  name: 'ttl' | 'execution-timeout',
  minMs: number,
  maxMs: number,
  flaws: Flaw[],
): number | null {
  if (value === undefined) return null;
  if (value === null) flaws.push({ open: `${name} is null`, about: '2.2/null-policy-field' });
  else if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
    flaws.push({ refuse: `2.2/${name}-integer`, about: '2.2/numeric-string' });
  else if (typeof value !== 'number') flaws.push({ refuse: `2.2/${name}-type-checked` });
  else if (!Number.isInteger(value))
    flaws.push({ refuse: `2.2/${name}-integer`, about: '2.2/fractional-milliseconds' });
  else if (value <= 0) flaws.push({ open: `${name} out of range`, about: `2.2/${name}-not-positive` });
  else if (value < minMs) flaws.push({ open: `${name} out of range`, about: `2.2/${name}-below-min` });
  else if (value > maxMs) flaws.push({ open: `${name} out of range`, about: `2.2/${name}-above-max` });
  else return value;
  return null;
}

/** A submission without a flaw: refusing it breaks whatever it was that made it special. */
function accepted(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const ok = answerOf(call) === 'ok';
  // A waiting call may be answered with any code once its wait has elapsed or its job has failed.
  if (!ok && (code >= 500 || (call.op === 'runsync' && code !== 400 && code !== 413))) return;
  if (!ok && call.op === 'runsync' && mayHaveFailed(scene, call)) return;
  const body = jsonOf(call.request.body) as JsonObject;
  const webhook = body['webhook'];
  if (!ok && typeof webhook === 'string' && isPrivate(webhook)) {
    scene.ledger.observe('2.1/private-webhook-address', 'refused');
    return;
  }
  const ids = featuresOf(call, body);
  if (ok) scene.passWhere(servedAt(call.op), ...ids);
  else
    scene.ledger.refuse(ids, {
      script: call.script,
      scenario: scene.session.scripts.get(call.script)?.scenario ?? '',
      actual: answerWith(call),
      proof: [],
      calls: [call.call],
      originMs: scene.session.originMs,
    });
}

/** Which code tells a waiting call that its job has failed is open; so it is wherever the job need not succeed. */
export function mayHaveFailed(scene: Scene, call: CallEvent): boolean {
  if (isJobRecord(call)) return true;
  if (!scene.has('scripted-worker'))
    return call.receivedMs! > call.sentMs + scene.graceAt(call.sentMs, call.receivedMs!);
  const body = jsonOf(call.request.body) as JsonObject;
  const { outcome, lastsMs, output } = foresee(body['input']!, body['s3Config'] ?? null, false);
  if (scene.session.run.edition === 'runpod' && isObject(output) && 'error' in output) return true;
  const policy = body['policy'];
  const executionMs = isObject(policy) ? policy['executionTimeout'] : undefined;
  return outcome !== 'success' || (typeof executionMs === 'number' && lastsMs! >= executionMs);
}

export function isPrivate(url: string): boolean {
  return /^https?:\/\/(127\.|localhost|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.)/.test(url);
}

/** What accepting this submission shows, the most particular first. */
function featuresOf(call: CallEvent, body: JsonObject): RequirementId[] {
  const op = call.op as 'run' | 'runsync';
  const ids: RequirementId[] = [];
  const bytes = call.request.body.as === 'none' ? 0 : call.request.body.bytes;
  const large = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  if (bytes >= 0.99 * large.decimalBytes)
    ids.push(op === 'run' ? '4.2/payload-up-to-limit-accepted' : '4.1/payload-up-to-limit-accepted');
  const input = body['input'];
  const empty = isObject(input) && Object.keys(input).length === 0;
  if (empty) ids.push(op === 'run' ? '2.1/input-empty-accepted-run' : '2.1/input-empty-accepted-runsync');
  const wait = call.request.query['wait'];
  if (op === 'runsync') {
    if (wait === undefined) ids.push('4.1/wait-optional');
    else if (Number(wait) === WAIT_MIN_MS) ids.push('4.1/wait-min-accepted');
    else if (Number(wait) === WAIT_MAX_MS) ids.push('4.1/wait-max-accepted');
  }
  const policy = body['policy'];
  if (isObject(policy)) ids.push(...policyFeatures(op, policy));
  else ids.push('2.1/policy-optional');
  if (isObject(body['s3Config'])) {
    ids.push(
      op === 'run' ? '2.1/s3config-accepted-run' : '2.1/s3config-accepted-runsync',
      '2.3/any-provider-accepted',
    );
  }
  if (body['webhook'] !== undefined)
    ids.push(op === 'run' ? '2.1/webhook-accepted-run' : '2.1/webhook-accepted-runsync');
  // `{}` holds no content that could be found fault with.
  if (!empty)
    ids.push(
      op === 'run' ? '2.1/input-object-accepted-run' : '2.1/input-object-accepted-runsync',
      '2.1/input-content-not-validated',
    );
  ids.push(op === 'run' ? '4/operation-run' : '4/operation-runsync');
  if (body['webhook'] === undefined) ids.push('2.1/webhook-optional');
  if (body['s3Config'] === undefined) ids.push('2.1/s3config-optional');
  return ids;
}

function policyFeatures(op: 'run' | 'runsync', policy: JsonObject): RequirementId[] {
  const ids: RequirementId[] = [];
  const { ttl, executionTimeout, lowPriority } = policy;
  if (ttl === TTL_MIN_MS) ids.push('2.2/ttl-min-accepted');
  if (ttl === TTL_MAX_MS) ids.push('2.2/ttl-max-accepted');
  if (executionTimeout === EXECUTION_TIMEOUT_MIN_MS) ids.push('2.2/execution-timeout-min-accepted');
  if (executionTimeout === EXECUTION_TIMEOUT_MAX_MS) ids.push('2.2/execution-timeout-max-accepted');
  if (lowPriority !== undefined)
    ids.push(lowPriority === true ? '2.2/low-priority-accepted-true' : '2.2/low-priority-accepted-false');
  const names = Object.keys(policy);
  if (names.length === 1 && ttl !== undefined) ids.push('2.2/ttl-accepted');
  if (names.length === 1 && executionTimeout !== undefined) ids.push('2.2/execution-timeout-accepted');
  ids.push(op === 'run' ? '2.1/policy-accepted-run' : '2.1/policy-accepted-runsync');
  return ids;
}
