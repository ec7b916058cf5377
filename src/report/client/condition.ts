/** What a client did under one condition, as a report holds it: plain data, bodies that are not too long, each call in words. */
import type { RuleVerdict, Violation } from '../../client/judge.js';
import type { ClientRun, WeatherResult } from '../../client/report.js';
import type { ClientRule } from '../../client/rule.js';
import type { ClientCall, Reply, Session } from '../../client/session.js';
import type { Json } from '../../history/events.js';
import type { ReportRequirement, RuleFacts } from '../report.js';
import { queryOf, toldWords } from './words.js';

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

export interface ConditionCall extends Omit<ClientCall, 'body' | 'reply'> {
  readonly body: Omit<ClientCall['body'], 'value'> & KeptBody;
  readonly reply: Exclude<Reply, { kind: 'answer' }> | (Omit<Answer, 'body'> & KeptBody);
  /** What the client was told, in words. */
  readonly told: string;
}

type Answer = Extract<Reply, { kind: 'answer' }>;

/** The value of a body, or how long it is as JSON. Neither: it is no JSON. */
interface KeptBody {
  readonly value?: Json;
  readonly characters?: number;
}

/** A rule without its code. */
export type Rule = Pick<ReportRequirement, 'id' | 'level' | 'text'> & RuleFacts;

const BODY_CHARACTERS_MAX = 2_000;

/** `repeat`: the command that runs the client again under the condition with this id alone. */
export function conditionOf(
  { session, verdicts, ending, output, selfCheck }: WeatherResult,
  repeat: (condition: string) => string,
): Condition {
  const { weather, calls, webhooks, jobs, end, limitMs, idleConnectionsMax } = session;
  return {
    ...{ weather, ending, end, limitMs },
    verdicts: Object.fromEntries(verdicts.map(({ rule, state }) => [rule.id, state])),
    violations: Object.fromEntries(
      verdicts.flatMap((one) => (one.state === 'violated' ? [[one.rule.id, one.violations] as const] : [])),
    ),
    ...{ selfCheck, calls: calls.map(keptCall), webhooks, jobs, idleConnectionsMax, output },
    repeat: repeat(weather.id),
  };
}

function keptCall(call: ClientCall): ConditionCall {
  const { value: sent, ...body } = call.body;
  return {
    ...call,
    query: queryOf(call),
    body: { ...body, ...keptBody(sent) },
    reply: keptReply(call.reply),
    told: toldWords(call.reply),
  };
}

function keptReply(reply: Reply): ConditionCall['reply'] {
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
  const rules = new Map<string, Omit<ClientRule, 'occasions'>>(
    results.flatMap(({ verdicts }) =>
      verdicts.map(({ rule: { occasions: _occasions, ...rule } }) => [rule.id, rule] as const),
    ),
  );
  return [...rules.values()];
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
