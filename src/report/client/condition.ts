/** What a client did under one condition, as a report holds it: plain data, bodies that are not too long, each call in words. */
import type { RuleVerdict, Violation } from '../../client/judge.js';
import type { ClientRun, WeatherResult } from '../../client/report.js';
import type { ClientRule } from '../../client/rule.js';
import { retryAfterMs } from '../../client/rules/calls.js';
import type { WholeCall, Session } from '../../client/session.js';
import type { Body, Json } from '../../history/events.js';
import { addressOf, queryOf } from '../../history/exchange.js';
import type { Operation } from '../../spec/index.js';
import type { ReportRequirement, RuleFacts } from '../report.js';
import { shownQuery, toldWords } from './words.js';

/** @internal */
export interface Condition
  extends
    Pick<WeatherResult, 'ending' | 'selfCheck' | 'output'>,
    Pick<Session, 'weather' | 'end' | 'limitMs' | 'webhooks' | 'jobs' | 'idleConnectionsMax'> {
  readonly verdicts: { readonly [rule: string]: RuleVerdict['state'] };
  /** By the id of the rule. */
  readonly violations: { readonly [rule: string]: readonly Violation[] };
  readonly calls: readonly ConditionCall[];
  /** The command that runs the client again under it alone; null: not known. */
  readonly repeat: string | null;
}

/** A call as a report has it. */
export interface ConditionCall extends Pick<WholeCall, 'key' | 'connection' | 'fault' | 'reached'> {
  readonly number: number;
  /** Null: no operation of section 4 has this path. */
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly job: string | null;
  readonly query: { readonly [name: string]: string };
  readonly contentType: string | null;
  /** `isJson`: null where it is too large to be kept, or there is none. */
  readonly body: { readonly bytes: number; readonly isJson: boolean | null } & KeptBody;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly reply: Reply<KeptBody>;
  /** What the client was told, in words. */
  readonly told: string;
}

/** How a call ended, as the client could see it. */
export type Reply<Kept> =
  | ({ readonly kind: 'answer'; readonly status: number; readonly retryAfterMs: number | null } & Kept)
  | { readonly kind: 'none'; readonly why: 'refused' | 'lost' | 'half' }
  | { readonly kind: 'abandoned' | 'open' };

/** The value of a body, or how long it is as JSON. Neither: it is no JSON. */
interface KeptBody {
  readonly value?: Json;
  readonly characters?: number;
}

/** A rule without its code. */
export type Rule = Pick<ReportRequirement, 'id' | 'level' | 'text'> & RuleFacts;

const BODY_CHARACTERS_MAX = 2_000;

/** `repeat`: the command that runs the client again under the conditions with these ids alone. */
export function conditionOf(
  { session, verdicts, ending, output, selfCheck }: WeatherResult,
  repeat: (conditions: readonly string[]) => string,
): Condition {
  const { weather, calls, webhooks, jobs, end, limitMs, idleConnectionsMax, jobsWhenClear } = session;
  const isComparedWithClear = jobsWhenClear !== null && jobs.length > jobsWhenClear;
  return {
    ...{ weather, ending, end, limitMs },
    verdicts: Object.fromEntries(verdicts.map(({ rule, state }) => [rule.id, state])),
    violations: Object.fromEntries(
      verdicts.flatMap((one) => (one.state === 'violated' ? [[one.rule.id, one.violations] as const] : [])),
    ),
    ...{ selfCheck, calls: calls.map(keptCall), webhooks, jobs, idleConnectionsMax, output },
    repeat: repeat(isComparedWithClear ? ['clear', weather.id] : [weather.id]),
  };
}

function keptCall(call: WholeCall): ConditionCall {
  const { id, names, request, key, bytes, fromMs, byMs, fault, reached, connection } = call;
  const { body } = request;
  const reply = replyOf(call);
  return {
    ...{ number: id, operation: names?.operation ?? null, method: request.method, path: addressOf(request) },
    ...{ job: names?.job ?? null, query: shownQuery({ query: queryOf(request), key }), key },
    contentType: request.headers['content-type'] ?? null,
    body: { bytes, isJson: body ? body.as === 'json' : null, ...keptBody(valueOf(body)) },
    ...{ startedMs: fromMs, endedMs: byMs },
    reply: keptReply(reply),
    ...{ fault, reached, connection, told: toldWords(reply) },
  };
}

/** With the value of its body. */
function replyOf(call: WholeCall): Reply<{ readonly body?: Json | undefined }> {
  const { outcome } = call;
  if (outcome.kind === 'lost') return { kind: 'none', why: outcome.why };
  if (outcome.kind !== 'answer') return outcome;
  const { status, body } = outcome;
  return { kind: 'answer', status, retryAfterMs: retryAfterMs(call), body: valueOf(body) };
}

const valueOf = (body: Body | null | undefined): Json | undefined =>
  body?.as === 'json' ? body.value : undefined;

function keptReply(reply: ReturnType<typeof replyOf>): ConditionCall['reply'] {
  if (reply.kind !== 'answer') return reply;
  const { body, ...rest } = reply;
  return { ...rest, ...keptBody(body) };
}

function keptBody(value: Json | undefined): KeptBody {
  if (value === undefined) return {};
  const characters = JSON.stringify(value).length;
  return characters <= BODY_CHARACTERS_MAX ? { value } : { characters };
}

/** Each rule by which any of the weathers was judged, once. */
export function rulesIn({ results }: ClientRun): readonly Rule[] {
  const rules = new Map(results.flatMap(({ verdicts }) => verdicts.map(({ rule }) => [rule.id, rule])));
  return [...rules.values()].map(
    (rule: ClientRule & { readonly needs?: unknown; readonly whyOpen?: unknown }) => {
      const { occasions: _occasions, traffic: _traffic, needs: _needs, whyOpen: _whyOpen, ...facts } = rule;
      return facts;
    },
  );
}

/** Stands for a rule: that the client exits as the condition leads to. */
export const ENDING = 'client/ending';

/** What one condition says of one rule. `wrong`: nothing, because Runproof itself was wrong under it. */
export type Cell = 'kept' | 'violated' | 'open' | 'wrong';

export function cellOf({ selfCheck, ending, verdicts }: Condition, rule: string): Cell {
  if (selfCheck.length > 0) return 'wrong';
  if (rule !== ENDING) return verdicts[rule] ?? 'open';
  return ending.kind === 'as-expected' ? 'kept' : ending.kind === 'unexpected' ? 'violated' : 'open';
}

/** What is violated of the rule under the condition. */
export function violationsIn(condition: Condition, rule: string): readonly Violation[] {
  if (cellOf(condition, rule) !== 'violated') return [];
  const { ending, violations } = condition;
  if (rule !== ENDING) return violations[rule] ?? [];
  return ending.kind === 'unexpected' ? [{ calls: [], text: ending.text }] : [];
}
