/**
 * Section 2.3: the service passes `s3Config` to the worker and does not use it itself. Its secret may appear
 * only in what the worker writes.
 */
import type { Body, CallEvent, Json, WebhookEvent } from '../../history/events.js';
import type { Job } from '../jobs/observed-jobs.js';
import { seconds } from '../../util/duration.js';
import { answerOf, isJobRecord, isObject, submissionOf } from '../observed/recorded-call.js';
import { folderOf } from './submissions.js';
import type { JudgingContext } from '../context/judging-context.js';

/** A shorter secret may occur in an answer by chance. */
const SECRET_CHARS_MIN = 12;

/** Members whose content comes from the worker. */
const OF_THE_WORKER: ReadonlySet<string> = new Set(['output', 'metrics', 'error']);

/** The submissions with a secret, by script and secret. */
type Secrets = Map<number, Map<string, CallEvent>>;

export function judgeSecrets(context: JudgingContext): void {
  const { calls, webhooks } = context.session;
  const secrets: Secrets = new Map();
  for (const call of calls) {
    const secret = call.op === 'run' || call.op === 'runsync' ? secretIn(call) : null;
    if (secret === null) continue;
    secrets.set(call.script, (secrets.get(call.script) ?? new Map()).set(secret, call));
  }
  if (secrets.size === 0) return;
  for (const call of calls) if (call.reply !== null) judgeSecretIn(context, secrets, call, call.reply.body);
  for (const webhook of webhooks) judgeSecretIn(context, secrets, webhook, webhook.body);
}

/** The `accessSecret` of a submission, if it occurs nowhere else in it. */
function secretIn(call: CallEvent): string | null {
  const secret = fieldOf(call, 'accessSecret');
  if (secret === null || secret.length < SECRET_CHARS_MIN) return null;
  return JSON.stringify(submissionOf(call)).split(inJson(secret)).length === 2 ? secret : null;
}

function fieldOf(call: CallEvent, name: 'accessSecret' | 'endpointUrl'): string | null {
  const s3Config = submissionOf(call)?.['s3Config'];
  const value = isObject(s3Config) ? s3Config[name] : null;
  return typeof value === 'string' ? value : null;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function judgeSecretIn(
  context: JudgingContext,
  secrets: Secrets,
  by: CallEvent | WebhookEvent,
  body: Body,
): void {
  const known = secrets.get(by.script);
  if (known === undefined || body.as === 'none') return;
  // An error of the service is its own text, that of a job the worker's.
  const ofJob = by.kind === 'webhook' || answerOf(by) === 'ok';
  // Most answers contain no secret at all: what the worker wrote is left out only where one is found.
  const all = body.as === 'text' ? body.text : JSON.stringify(body.value);
  const isAnywhere = firstIn(all, known) !== undefined;
  const text = isAnywhere && ofJob && body.as === 'json' ? withoutWorker(body.value) : all;
  const found = isAnywhere ? firstIn(text, known) : undefined;
  if (found === undefined) {
    // Only what reports a job could have revealed its secret.
    if (by.kind === 'webhook' || isJobRecord(by)) context.pass('2.3/secret-not-shown');
    return;
  }
  const [secret, { call: submitted }] = found;
  const where =
    by.kind === 'webhook'
      ? `the call of ${by.url}`
      : `the answer to ${by.op ?? by.request.method} #${by.call}`;
  context.fail('2.3/secret-not-shown', {
    script: by.script,
    actual: `${where} contains the accessSecret ${JSON.stringify(secret)} of call #${submitted}`,
    calls: by.kind === 'webhook' ? [submitted] : [submitted, by.call],
  });
}

function firstIn(
  text: string,
  known: ReadonlyMap<string, CallEvent>,
): readonly [string, CallEvent] | undefined {
  for (const one of known) if (text.includes(inJson(one[0])) || text.includes(one[0])) return one;
  return undefined;
}

function withoutWorker(value: Json): string {
  return JSON.stringify(value, (name, item: unknown) => (OF_THE_WORKER.has(name) ? undefined : item));
}

/** A scripted worker never calls a storage, so the service did. Of other workers nothing is known. */
export function judgeStorage(context: JudgingContext): void {
  if (!context.has('scripted-worker', 'webhook-reachable')) return;
  const { jobs, session } = context;
  const called = new Set(session.storageCalls.map(({ url }) => url));
  for (const { script, url, method, path, arrivedMs } of session.storageCalls) {
    const submitted = session.calls.find((call) => fieldOf(call, 'endpointUrl') === url);
    // Storage named on other endpoints is judged there.
    if (submitted === undefined) continue;
    context.fail('2.3/service-does-not-use-it', {
      script,
      actual:
        `${method} ${path} reached, at ${seconds(arrivedMs)}, the storage named in call #${submitted.call}, ` +
        'although its worker never uses it',
      calls: [submitted.call],
    });
  }
  for (const job of jobs) if (isListenedTo(job, called)) context.pass('2.3/service-does-not-use-it');
}

/** Its webhook arrived, so a call to its storage, received by the same server, would have arrived as well. */
function isListenedTo({ submitted, webhookUrl, webhooks }: Job, called: ReadonlySet<string>): boolean {
  const url = fieldOf(submitted, 'endpointUrl');
  if (url === null || webhookUrl === null || webhooks.length === 0) return false;
  return folderOf(url) === folderOf(webhookUrl) && !called.has(url);
}
