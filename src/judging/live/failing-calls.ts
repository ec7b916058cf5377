/** Scripts that make the calls again that showed a failure. */
import { segmentOf } from '../../history/job-path.js';
import type { CallEvent, HistoryEvent, Json } from '../../history/events.js';
import { LOST, type Exchange } from '../../history/exchange.js';
import type { Failure, Findings } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { jsonText } from '../../report/escape.js';
import { failingScripts } from '../../report/failure-file.js';
import { failureFiles } from '../../report/index.js';
import { scriptOf } from '../../traffic/script-of.js';
import { exchangeOfCall } from '../../traffic/exchange-of-call.js';
import { isSubmission, namesAt, submittedJobOf } from '../../traffic/index.js';
import { isObject } from '../../util/json.js';

/** Many requirements may fail, and each has one. */
const CHARACTERS_MAX = 200_000;
/** The proxy does not see them. */
const WORKERS = 1;

/** What makes the calls of a failing job again at the address of its endpoint, for `replay` and `shrink`; or why there is none. */
export type FailingCalls =
  | { readonly file: string; readonly text: string; readonly address: string; readonly whyNone: null }
  | { readonly file: null; readonly whyNone: string };

/** By requirement, the calls that failed it. */
export type Failing = ReadonlyMap<string, FailingCalls>;

/** Where the page has what makes the calls again that failed the requirement. */
export const scriptPath = (requirement: string): string =>
  `${SCRIPTS}${encodeURIComponent(requirement)}.json`;

const SCRIPTS = '/scripts/';

/**
 * @param events that were judged
 * @param number of the script of the history that failed
 * @param upstream what stands before the paths of calls
 */
export function failingCalls(
  findings: Findings,
  events: readonly HistoryEvent[],
  number: number,
  upstream: string,
): FailingCalls {
  const { failures } = failingScripts(findings).get(number)!;
  const calls = callsOf(failures, events);
  const exchanges = calls.map((call) => withJobOf(call, exchangeOfCall(call, upstream, 0)));
  const own = exchanges.find((exchange, at) => calls[at]!.script === number && isSubmission(exchange));
  const job = own === undefined ? null : submittedJobOf(own);
  const webhooks = events.flatMap((event) =>
    event.kind === 'webhook' && event.script === number ? [event] : [],
  );
  const isOfWebhooks = findings.requirements.some(
    ({ section, failures: all }) => section === '6' && all.some(({ script: failed }) => failed === number),
  );
  const endMs = Math.max(
    ...webhooks.map((webhook) => webhook.endedMs),
    ...exchanges.map(({ byMs, fromMs }) => byMs ?? fromMs),
  );
  if (isOfWebhooks && job !== null) exchanges.push(readOf(job, own!, endMs + WEBHOOKS_COME_MS));
  const script = scriptOf(exchanges, {
    ...{ recorded: 'seen by the proxy', workers: WORKERS },
    webhookAnswers: (id) => (id === job ? webhooks.map(({ answered }) => answered) : undefined),
  });
  // Purges alone show nothing, unless they are all that failed.
  if (script.steps.every((step) => step.do === 'purge-queue') && calls.some(({ op }) => op !== 'purge-queue'))
    return { file: null, whyNone: `its calls cannot be made again: ${script.title}` };
  const about = { runproof: packageVersion(), target: upstream };
  const [made] = failureFiles(findings, new Map([[number, script as unknown as Json]]), about).values();
  const text = `${jsonText(made!.file, 2)}\n`;
  return text.length > CHARACTERS_MAX
    ? { file: null, whyNone: `its calls would make more than ${CHARACTERS_MAX / 1_000} KB` }
    : { file: made!.name, text, address: `${upstream}/v2/${segmentOf(calls[0]!.endpoint)}`, whyNone: null };
}

/** The id of the job that the calls of the script are on, as far as a call or an answer names it; null: of none. */
export function jobOfScript(
  events: readonly HistoryEvent[],
  number: number,
  upstream: string,
): string | null {
  for (const event of events) {
    if (event.kind !== 'call' || event.script !== number) continue;
    const exchange = exchangeOfCall(event, upstream, 0);
    const id = exchange.names?.job ?? submittedJobOf(exchange);
    if (id !== null) return id;
  }
  return null;
}

/** Those on the same jobs, those that a failure names, and the purges that these met; in the order in which they began. */
function callsOf(failures: readonly Failure[], events: readonly HistoryEvent[]): readonly CallEvent[] {
  const calls = events.filter((event) => event.kind === 'call');
  const named = new Set(failures.flatMap((failure) => failure.calls));
  const scripts = new Set([
    ...failures.map(({ script }) => script),
    ...calls.filter(({ call }) => named.has(call)).map(({ script }) => script),
  ]);
  const own = calls.filter(({ script }) => scripts.has(script));
  const endpoints = new Set(own.map(({ endpoint }) => endpoint));
  const fromTick = Math.min(...own.map(({ sentTick }) => sentTick));
  const toTick = Math.max(...own.map(endOf));
  const isMet = (call: CallEvent): boolean =>
    call.op === 'purge-queue' &&
    endpoints.has(call.endpoint) &&
    call.sentTick < toTick &&
    endOf(call) > fromTick;
  return calls
    .filter((call) => scripts.has(call.script) || isMet(call))
    .toSorted((left, right) => left.call - right.call);
}

/** So long after the last call, webhooks that did not come are missing. */
const WEBHOOKS_COME_MS = 60_000;

/** A script is over with its last call: this one waits for webhooks. */
function readOf(job: string, submission: Exchange, atMs: number): Exchange {
  const { headers, target } = submission.request;
  const { href } = new URL(`status/${segmentOf(job)}`, target);
  const request = { method: 'GET', target: href, headers, body: null };
  return {
    ...submission,
    fromMs: atMs,
    byMs: atMs,
    request,
    outcome: LOST,
    names: namesAt('GET', href, 'document'),
  };
}

const endOf = ({ endedTick }: CallEvent): number => endedTick ?? Infinity;

/** Of an answer, a script needs the id of the job that was made, also where the history has not all of it. */
function withJobOf({ reply }: CallEvent, exchange: Exchange): Exchange {
  const { outcome } = exchange;
  if (outcome.kind !== 'answer' || reply === null || outcome.body !== undefined) return exchange;
  const value: Json | undefined = reply.body.as === 'json' ? reply.body.value : undefined;
  const id = isObject(value) ? value['id'] : undefined;
  return { ...exchange, outcome: { ...outcome, body: JSON.stringify({ id }) } };
}
