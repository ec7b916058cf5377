/** Section 2.3: a secret is passed along to the worker. Nothing but the worker's own words has to tell of it. */
import type { Body, CallEvent, Json } from '../../history/events.js';
import { answerOf, isJobRecord, isObject, submissionOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** A shorter one may stand in an answer by chance. */
const SECRET_CHARS_MIN = 12;

/** Members that hold what a worker has to say, whatever that is. */
const OF_THE_WORKER: ReadonlySet<string> = new Set(['output', 'metrics', 'error']);

/** The submissions of one script that hold a secret, by the secret. */
type Secrets = Map<string, CallEvent>;

export function judgeSecrets(scene: Scene): void {
  const { calls, webhooks } = scene.session;
  const byScript = new Map<number, Secrets>();
  for (const call of calls) {
    const secret = call.op === 'run' || call.op === 'runsync' ? secretIn(call) : null;
    if (secret === null) continue;
    const known: Secrets = byScript.get(call.script) ?? new Map();
    byScript.set(call.script, known.set(secret, call));
  }
  if (byScript.size === 0) return;
  for (const call of calls) {
    const secrets = byScript.get(call.script);
    if (secrets === undefined || call.reply === null) continue;
    const where = `the answer to ${call.op ?? call.request.method} #${call.call}`;
    told(scene, secrets, call.script, call.reply.body, answerOf(call) === 'ok', where, call);
  }
  for (const { script, body, url } of webhooks) {
    const secrets = byScript.get(script);
    if (secrets !== undefined) told(scene, secrets, script, body, true, `the call of ${url}`, null);
  }
}

/** The `accessSecret` of a submission, where it stands nowhere else in it. */
function secretIn(call: CallEvent): string | null {
  const submission = submissionOf(call);
  const s3Config = submission?.['s3Config'];
  const secret = isObject(s3Config) ? s3Config['accessSecret'] : null;
  if (typeof secret !== 'string' || secret.length < SECRET_CHARS_MIN) return null;
  return JSON.stringify(submission).split(inJson(secret)).length === 2 ? secret : null;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** `ofJob`: an error of the service is its own word, that of a job the worker's. */
function told(
  scene: Scene,
  secrets: Secrets,
  script: number,
  body: Body,
  ofJob: boolean,
  where: string,
  call: CallEvent | null,
): void {
  if (body.as === 'none') return;
  const text = body.as === 'text' ? body.text : textOf(body.value, ofJob);
  const [found] = [...secrets].filter(([secret]) => text.includes(inJson(secret)) || text.includes(secret));
  if (found === undefined) {
    // Only what tells of a job could have told of its secret.
    if (call === null || isJobRecord(call)) scene.pass('2.3/secret-not-shown');
    return;
  }
  const [secret, { call: submitted }] = found;
  scene.fail('2.3/secret-not-shown', {
    script,
    actual: `${where} holds the accessSecret ${JSON.stringify(secret)} of call #${submitted}`,
    calls: call === null ? [submitted] : [submitted, call.call],
  });
}

function textOf(value: Json, ofJob: boolean): string {
  return JSON.stringify(value, (name, item: unknown) =>
    ofJob && OF_THE_WORKER.has(name) ? undefined : item,
  );
}
