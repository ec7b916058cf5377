/** The step of a script that makes a recorded call again. */
import type { Json } from '../history/events.js';
import { jsonOf, answerOf, parametersOf, type Exchange } from '../history/exchange.js';
import type { Step, SubmitStep, WebhookAnswer } from '../scenario/script.js';
import type { Names } from '../spec/operation-of.js';
import { isObject } from '../util/json.js';
import { whyUnusual } from './calls.js';

/** Why a call is in no script. */
export type Inexpressible = 'job' | 'body';

interface About {
  /** Null: the request is no operation, or not as the API has it. */
  readonly names: Names | null;
  /** The path below the endpoint, as sent. */
  readonly path: string;
  /** The job that the path names, by its label and as the segment that names it; null: none of the script. */
  readonly job: { readonly label: string; readonly segment: string } | null;
  /** The label for the job of a submission. */
  readonly label: string;
  /** How the webhook calls of the job were answered. */
  readonly webhookAnswers: readonly (number | null)[];
}

const REDACTED = '[redacted]';
/** Others may be secrets. */
const PARAMETERS = ['wait', 'ttl'];
/** They were refused for another reason than their bodies. */
const BODY_UNREAD: readonly (number | undefined)[] = [401, 403, 404, 429];

export function stepOf(exchange: Exchange, about: About): Step | Inexpressible {
  const { method, headers, body } = exchange.request;
  const { names, path, job } = about;
  const code = answerOf(exchange)?.status;
  const op = names?.operation;
  const parameters = parametersOf(exchange.request);
  const submits = op === 'run' || op === 'runsync';
  if (submits && body === undefined) {
    if (!BODY_UNREAD.includes(code)) return 'body';
    return { do: op as 'run', job: about.label };
  }
  // Not all of it is known.
  if (typeof body === 'object' && body !== null) return 'body';
  const value = jsonOf(body);
  if (submits && isObject(value) && 'input' in value) return submission(exchange, op as 'run', value, about);
  if (names === null && body !== undefined) {
    if (method === 'GET' && path === '/requests' && !body) return { do: 'requests' };
    if (method === 'POST' && path.startsWith('/openai/') && value !== undefined)
      return { do: 'openai', path: path.slice('/openai/'.length), body: value as Json };
  }
  if (names !== null && !submits && !body) {
    if (names.job === null) return { do: op as 'health' };
    const ttl = parameters.get('ttl');
    if (job !== null)
      return { do: op as 'status', job: job.label, ...(ttl !== null && { ttl: numeric(ttl) }) };
    if (code !== 404) return 'job';
  }
  // A script replaces this by an input of its own.
  if (body === undefined || body?.includes('{input}') === true) return 'body';
  const query = PARAMETERS.flatMap((name) => {
    const sent = parameters.get(name);
    return sent === null ? [] : [[name, sent] as const];
  });
  return {
    do: 'raw',
    method,
    path: job === null ? path : path.replace(`/${job.segment}`, `/{job:${job.label}}`),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(body !== null && { contentType: headers['content-type'] ?? null, bodyText: body }),
    illegal:
      names === null ? 'no-operation' : (whyUnusual({ names, request: exchange.request }) ?? 'unknown-job'),
  };
}

function submission(
  { request }: Exchange,
  op: 'run' | 'runsync',
  value: { readonly [name: string]: unknown },
  { names, label, webhookAnswers }: About,
): SubmitStep {
  const { input, policy, s3Config, webhook, ...extra } = value as { readonly [name: string]: Json };
  const wait = parametersOf(request).get('wait');
  const illegal = whyUnusual({ names: names!, request });
  return {
    do: op,
    job: label,
    input: input!,
    ...(policy !== undefined && { policy }),
    ...(s3Config !== undefined && { s3Config: withoutSecret(s3Config) }),
    ...(webhook !== undefined && webhookOf(webhook, webhookAnswers)),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(wait !== null && { wait: numeric(wait) }),
    ...(illegal !== null && { illegal }),
  };
}

const numeric = (text: string): number | string => (String(Number(text)) === text ? Number(text) : text);

function withoutSecret(s3Config: Json): Json {
  return isObject(s3Config) && 'accessSecret' in s3Config
    ? { ...(s3Config as { readonly [name: string]: Json }), accessSecret: REDACTED }
    : s3Config;
}

/** The address belongs to the recorded client: Runproof takes the calls itself, and answers as that has. */
function webhookOf(
  webhook: Json,
  answers: readonly (number | null)[],
): Pick<SubmitStep, 'webhook' | 'webhookUrl'> {
  if (typeof webhook !== 'string' || !/^https?:/iu.test(webhook) || !URL.canParse(webhook))
    return { webhookUrl: webhook };
  const answered = answers.length === 0 ? [200] : answers;
  return {
    webhook: answered.map((status): WebhookAnswer => (status === null ? { close: true } : { status })),
  };
}
