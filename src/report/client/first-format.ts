/** Reports of the schema `runproof-client-report/1`, which only runs of clients had. */
import type { ClientRun } from '../../client/report.js';
import type { Report } from '../report.js';
import { reportOnClient } from './build.js';
import type { Condition, ConditionCall, Rule } from './condition.js';
import { toldWords } from './words.js';

export const FIRST_CLIENT_SCHEMA = 'runproof-client-report/1';

interface FirstFormat extends Omit<ClientRun, 'results'> {
  readonly rules: readonly Rule[];
  readonly results: readonly (Omit<Condition, 'calls' | 'repeat'> & {
    readonly calls: readonly Omit<ConditionCall, 'told'>[];
  })[];
}

/**
 * The same as a report of today. What it said of states and chunks in long bodies is lost; how to repeat it is not known.
 *
 * @throws {TypeError} if it lacks anything
 */
export function fromFirstFormat(value: unknown): Report {
  const { results, rules, ...about } = value as FirstFormat;
  const conditions = results.map((result): Condition => ({
    ...result,
    calls: result.calls.map(told),
    repeat: null,
  }));
  return reportOnClient(about, rules, conditions);
}

function told(call: Omit<ConditionCall, 'told'>): ConditionCall {
  const { reply } = call;
  return { ...call, told: toldWords(reply.kind === 'answer' ? { ...reply, body: reply.value } : reply) };
}
