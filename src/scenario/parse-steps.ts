/** The fields of every kind of step, as `script.ts` types them: one table, for reading saved scripts. */
import { JOB_STATUSES } from '../spec/states.js';
import {
  atLeastOne,
  count,
  exactly,
  integer,
  json,
  listOf,
  mapOf,
  may,
  ms,
  must,
  nullOr,
  oneOf,
  shapeOf,
  text,
  textOrNumber,
  type Fields,
} from './parse-values.js';

const status = oneOf(...JOB_STATUSES);
const statusOrGone = oneOf(...JOB_STATUSES, 'GONE');

const when = shapeOf(
  '{"waitMs": N}, {"sinceStartMs": N} or {"job": LABEL, "milestone": submitted | started | ended | retried | ' +
    'cancelled, "side": earliest | latest, "plusMs": N}',
  { waitMs: must(ms) },
  { sinceStartMs: must(ms) },
  {
    job: must(text),
    milestone: must(oneOf('submitted', 'started', 'ended', 'retried', 'cancelled')),
    side: must(oneOf('earliest', 'latest')),
    plusMs: must(integer),
  },
);

const jobRef = (value: unknown) =>
  typeof value === 'string'
    ? null
    : shapeOf('a label or {"nth": N, "phase": [STATUS, …]}', {
        nth: must(count),
        phase: may(listOf(status)),
      })(value);

const result: Fields = { output: must(json), metrics: must(mapOf(textOrNumber)) };

const plan = listOf(
  shapeOf(
    'an instruction of the scripted worker, such as {"sleepMs": 250} or {"return": ANY}',
    { sleepMs: must(ms) },
    { stream: must(json) },
    { streamWithMetrics: must(shapeOf('{"output": ANY, "metrics": {…}}', result)) },
    { streamBytes: must(count) },
    { return: must(json) },
    { returnBytes: must(count) },
    { echo: must(exactly(true)) },
    { s3Config: must(exactly(true)) },
    { fail: must(text) },
    { crash: must(exactly(true)) },
    { hang: must(exactly(true)) },
  ),
);

const webhookAnswers = listOf(
  shapeOf(
    '{"status": N}, {"close": true} or {"never": true}',
    { status: must(count) },
    { close: must(exactly(true)) },
    { never: must(exactly(true)), untilGivenUp: may(exactly(true)) },
  ),
);

const base: Fields = {
  do: must(text),
  lane: may(text),
  at: may(when),
  auth: may(
    oneOf(
      'bare',
      'bearer',
      'missing',
      'wrong',
      'wrong-bearer',
      'empty',
      'empty-bearer',
      'truncated',
      'extended',
      'truncated-start',
      'followed',
      'other-case',
      'other-scheme',
      'lower-bearer',
      'unpermitted',
      'other-user',
      'in-query',
    ),
  ),
  endpoint: may(text),
};

const submit: Fields = {
  ...base,
  job: must(text),
  input: may(json),
  plan: may(plan),
  planOnRetry: may(plan),
  policy: may(json),
  s3Config: may(json),
  ownStorage: may(exactly(true)),
  webhook: may(webhookAnswers),
  webhookInInput: may(exactly(true)),
  webhookOf: may(text),
  webhookQuery: may(text),
  webhookUrl: may(json),
  wait: may(textOrNumber),
  padToBytes: may(count),
  padWith: may(text),
  padOutside: may(exactly(true)),
  chunked: may(exactly(true)),
  extra: may(mapOf(json)),
  illegal: may(text),
};

const onJob: Fields = { ...base, job: must(jobRef), ttl: may(textOrNumber) };

/** By the step's `do`. */
export const STEP_FIELDS: { readonly [kind: string]: Fields } = {
  run: submit,
  runsync: submit,
  status: onJob,
  stream: onJob,
  cancel: onJob,
  retry: onJob,
  'purge-queue': base,
  health: base,
  requests: base,
  openai: { ...base, path: must(text), body: must(json) },
  raw: {
    ...base,
    method: must(text),
    path: must(text),
    fromRoot: may(exactly(true)),
    query: may(mapOf(text)),
    contentType: may(nullOr(text)),
    bodyText: may(text),
    illegal: must(text),
  },
  await: {
    ...base,
    job: must(text),
    until: must(listOf(statusOrGone)),
    everyMs: must(atLeastOne),
    timeoutMs: must(ms),
  },
  burst: {
    ...base,
    op: must(
      oneOf(
        'run',
        'runsync',
        'status',
        'stream',
        'cancel',
        'retry',
        'purge-queue',
        'health',
        'requests',
        'openai',
      ),
    ),
    count: must(count),
    job: may(jobRef),
    jobs: may(listOf(text)),
    plan: may(plan),
    policy: may(json),
    wait: may(count),
    path: may(text),
    held: may(exactly(true)),
    hangsUp: may(exactly(true)),
  },
  workers: { ...base, count: must(count) },
  pause: base,
};
