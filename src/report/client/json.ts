/** The report on a client as JSON: each rule once, bodies that are not too long. */
import type { Ending, ClientOutput, ClientReport, WeatherResult } from '../../client/report.js';
import type { RuleVerdict, Violation } from '../../client/judge.js';
import type { ClientRule } from '../../client/rule.js';
import type { ClientCall, ClientEnd, ClientJob, Reply, WebhookDelivery } from '../../client/session.js';
import type { Weather } from '../../client/weather/weather.js';
import type { Json } from '../../history/events.js';
import type { ExitCode } from '../conclusion.js';
import { jsonText } from '../escape.js';
import { summarize } from './summary.js';
import { queryOf } from './words.js';

export interface ClientReportJson extends Omit<ClientReport, 'results'> {
  /** One sentence: the cause. */
  readonly verdict: string;
  readonly exitCode: ExitCode;
  readonly rules: readonly Omit<ClientRule, 'occasions'>[];
  readonly results: readonly WeatherResultJson[];
}

interface WeatherResultJson {
  readonly weather: Weather;
  readonly ending: Ending;
  readonly end: ClientEnd;
  readonly limitMs: number;
  readonly verdicts: { readonly [rule: string]: RuleVerdict['state'] };
  /** By the id of the rule. */
  readonly violations: { readonly [rule: string]: readonly Violation[] };
  readonly selfCheck: readonly string[];
  readonly calls: readonly CallJson[];
  readonly webhooks: readonly WebhookDelivery[];
  readonly jobs: readonly ClientJob[];
  readonly idleConnectionsMax: number;
  readonly output: ClientOutput;
}

interface CallJson extends Omit<ClientCall, 'body' | 'reply'> {
  readonly body: Omit<ClientCall['body'], 'value'> & BodyJson;
  readonly reply: Exclude<Reply, { kind: 'answer' }> | (Omit<AnswerReply, 'body'> & BodyJson);
}

type AnswerReply = Extract<Reply, { kind: 'answer' }>;

/** The value of a body, or how long it is as JSON. Neither: it is no JSON. */
interface BodyJson {
  readonly value?: Json;
  readonly characters?: number;
}

const BODY_CHARACTERS_MAX = 2_000;

export function renderClientJson(report: ClientReport): string {
  return `${jsonText(clientReportJson(report), 1)}\n`;
}

export function clientReportJson(report: ClientReport): ClientReportJson {
  const { results, ...about } = report;
  const { headline, exitCode } = summarize(report);
  const rules = new Map(
    results.flatMap(({ verdicts }) =>
      verdicts.map(({ rule: { occasions: _occasions, ...rule } }) => [rule.id, rule] as const),
    ),
  );
  return {
    ...about,
    ...{ verdict: headline, exitCode, rules: [...rules.values()] },
    results: results.map(resultJson),
  };
}

function resultJson({ session, verdicts, ending, output, selfCheck }: WeatherResult): WeatherResultJson {
  const { weather, calls, webhooks, jobs, end, limitMs, idleConnectionsMax } = session;
  return {
    ...{ weather, ending, end, limitMs },
    verdicts: Object.fromEntries(verdicts.map(({ rule, state }) => [rule.id, state])),
    violations: Object.fromEntries(
      verdicts.flatMap((verdict) =>
        verdict.state === 'violated' ? [[verdict.rule.id, verdict.violations] as const] : [],
      ),
    ),
    ...{ selfCheck, calls: calls.map(callJson), webhooks, jobs, idleConnectionsMax, output },
  };
}

function callJson(call: ClientCall): CallJson {
  const { value: sent, ...body } = call.body;
  return {
    ...call,
    query: queryOf(call),
    body: { ...body, ...bodyJson(sent) },
    reply: replyJson(call.reply),
  };
}

function replyJson(reply: Reply): CallJson['reply'] {
  if (reply.kind !== 'answer') return reply;
  const { body, ...rest } = reply;
  return { ...rest, ...bodyJson(body) };
}

function bodyJson(value: Json | undefined): BodyJson {
  if (value === undefined) return {};
  const characters = JSON.stringify(value).length;
  return characters <= BODY_CHARACTERS_MAX ? { value } : { characters };
}
