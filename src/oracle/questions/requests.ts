/** What a target makes of requests that the document neither names nor forbids. */
import type { CallEvent, Json } from '../../history/events.js';
import { jobBy } from '../cast/cases.js';
import {
  idInPath,
  isNoJobId,
  isObject,
  answerOf,
  recordOf,
  sameJson,
  submissionOf,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

export function oddRequests(scene: Scene): void {
  for (const call of scene.cast.roll.odd) {
    if (call.reply === null || call.reply.status === 429) continue;
    unneededBody(scene, call);
    lowerBearer(scene, call);
    if (call.reply.status === 401) continue;
    duplicateKeys(scene, call);
    s3Fields(scene, call);
    malformedId(scene, call);
  }
  requiredS3Fields(scene);
}

const WITHOUT_BODY: ReadonlySet<string> = new Set([
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
]);

function unneededBody({ ledger }: Scene, call: CallEvent): void {
  if (call.op === null || !WITHOUT_BODY.has(call.op) || call.request.body.as === 'none') return;
  // Held back with others, its job may have ended meanwhile: then it is that which is refused.
  if (call.held !== undefined) return;
  if (answerOf(call) === 'ok') ledger.observe('4/unneeded-body', 'ignored');
  else if (call.reply!.status === 400) ledger.observe('4/unneeded-body', 'refused');
}

/** Only where the prefix is taken at all does its spelling matter. */
function lowerBearer({ ledger, cast }: Scene, call: CallEvent): void {
  if (call.request.auth !== 'lower-bearer') return;
  const taken = call.reply!.status !== 401;
  if (taken || cast.roll.keyTaken.bearer === true)
    ledger.observe('5/bearer-case', taken ? 'accepted' : 'refused');
}

/** The word of scripts for a body that names `input` twice: `"first"` is the output of one, `"last"` of the other. */
export const DUPLICATE_KEYS = 'duplicate-keys';

function duplicateKeys({ ledger }: Scene, call: CallEvent): void {
  if (call.request.illegal !== DUPLICATE_KEYS || call.op !== 'runsync') return;
  if (call.reply!.status === 400) ledger.observe('2.1/duplicate-keys', 'refused');
  const output = recordOf(call)?.['output'];
  if (output === 'last' || output === 'first') ledger.observe('2.1/duplicate-keys', `${output}-wins`);
}

const S3_FIELDS = ['accessId', 'accessSecret', 'bucketName', 'endpointUrl'] as const;

function s3Of(call: CallEvent): { readonly [name: string]: Json } | null {
  const s3Config = submissionOf(call)?.['s3Config'];
  return isObject(s3Config) ? s3Config : null;
}

function isString(value: Json | undefined): boolean {
  return typeof value === 'string';
}

/** What becomes of a field beyond the four, and of one that is no string. */
function s3Fields({ ledger }: Scene, call: CallEvent): void {
  const s3Config = s3Of(call);
  if (s3Config === null || S3_FIELDS.some((name) => s3Config[name] === undefined)) return;
  const strings = S3_FIELDS.every((name) => isString(s3Config[name]));
  const more = Object.keys(s3Config).length > S3_FIELDS.length;
  const passed = recordOf(call)?.['output'];
  const told = isObject(passed) ? passed['s3Config'] : undefined;
  if (!strings && !more && answerOf(call) === 'ok') ledger.observe('2.3/field-types', 'passed-along');
  if (!strings || !more || told === undefined) return;
  ledger.observe('2.3/unknown-fields', sameJson(told, s3Config) ? 'passed-along' : 'dropped');
}

/** Which parts of the four are taken. */
function requiredS3Fields({ ledger, cast }: Scene): void {
  const parts = cast.roll.odd.flatMap((call) => {
    const s3Config = s3Of(call);
    if (s3Config === null || (call.op !== 'run' && call.op !== 'runsync') || call.reply === null) return [];
    const names = Object.keys(s3Config);
    const ordinary = names.every(
      (name) => (S3_FIELDS as readonly string[]).includes(name) && isString(s3Config[name]),
    );
    const taken = answerOf(call) === 'ok';
    return ordinary && (taken || call.reply.status === 400) ? [{ fields: names.length, taken }] : [];
  });
  const partly = parts.filter(({ fields }) => fields < S3_FIELDS.length);
  if (partly.some(({ fields, taken }) => fields === 0 && taken))
    ledger.observe('2.3/required-fields', 'none');
  else if (!partly.some(({ fields }) => fields === 0)) return;
  else if (partly.some(({ taken }) => taken)) ledger.observe('2.3/required-fields', 'some');
  else if (partly.filter(({ fields }) => fields === S3_FIELDS.length - 1).length >= S3_FIELDS.length)
    ledger.observe('2.3/required-fields', 'all');
}

function malformedId({ ledger, session, cast }: Scene, call: CallEvent): void {
  const { op } = call;
  if (!session.exists || (op !== 'status' && op !== 'stream' && op !== 'cancel' && op !== 'retry')) return;
  const id = idInPath(call);
  if (id === null || !isNoJobId(id) || jobBy(cast, id) !== undefined || answerOf(call) === 'unknown') return;
  const { status } = call.reply!;
  ledger.observe('7/malformed-job-id-code', status === 404 || status === 400 ? `${status}` : 'other');
}
