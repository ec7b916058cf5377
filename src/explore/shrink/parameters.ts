/**
 * Candidates with simpler parameters: without optional fields, with the smallest timers and the simplest
 * handlers.
 */
import type { PlanStep, Step, SubmitStep } from '../../scenario/script.js';
import { fewerParts } from './json.js';
import {
  EXECUTION_TIMEOUT_MIN_MS,
  MINUTE_MS,
  SECOND_MS,
  TTL_MIN_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';

export function* simplerParameters(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'run' && step.do !== 'runsync') {
      if (step.do === 'burst' && step.count > 1) {
        for (const count of [2, step.count >> 1, step.count - 1])
          yield replaced(steps, index, { ...step, count });
      }
      continue;
    }
    yield* simplerTimers(steps, index, step);
    for (const simpler of simplerSubmissions(step)) yield replaced(steps, index, simpler);
  }
}

const replaced = (steps: readonly Step[], index: number, step: Step): readonly Step[] =>
  steps.map((other, i) => (i === index ? step : other));

const OPTIONAL = [
  'webhookQuery',
  'webhook',
  's3Config',
  'planOnRetry',
  'wait',
  'policy',
  'extra',
  'input',
  'plan',
  'illegal',
] as const;

function* simplerSubmissions(step: SubmitStep): IterableIterator<SubmitStep> {
  for (const field of OPTIONAL) {
    if (step[field] === undefined) continue;
    const { [field]: _, ...rest } = step;
    yield rest;
  }
  for (const input of fewerParts(step.input ?? null, ['plan', 'planOnRetry'])) yield { ...step, input };
  for (const field of ['plan', 'planOnRetry'] as const) {
    for (const plan of simplerPlans(step[field])) yield { ...step, [field]: plan };
  }
  const webhook = step.webhook ?? [];
  if (webhook.length > 1) {
    yield { ...step, webhook: webhook.slice(0, 1) };
    yield { ...step, webhook: webhook.slice(1) };
  }
}

const CANONICAL_SLEEPS = [SECOND_MS, 5 * SECOND_MS, MINUTE_MS] as const;

const RETURNS: readonly PlanStep[] = [{ return: { answer: 42 } }];
const HANGS: readonly PlanStep[] = [{ hang: true }];

function* simplerPlans(plan: readonly PlanStep[] | undefined): IterableIterator<readonly PlanStep[]> {
  if (plan === undefined) return;
  if (JSON.stringify(plan) !== JSON.stringify(RETURNS)) yield RETURNS;
  if (plan.length > 1) {
    yield HANGS;
    for (const fewer of fewerParts(plan)) yield fewer as readonly PlanStep[];
  }
  for (const [index, step] of plan.entries()) {
    if ('return' in step)
      for (const value of fewerParts(step.return))
        yield plan.map((other, i) => (i === index ? { return: value } : other));
    if (!('sleepMs' in step)) continue;
    for (const sleepMs of CANONICAL_SLEEPS) {
      if (sleepMs < step.sleepMs) yield plan.map((other, i) => (i === index ? { sleepMs } : other));
    }
  }
}

const SMALLEST = { ttl: TTL_MIN_MS, executionTimeout: EXECUTION_TIMEOUT_MIN_MS, lowPriority: 0 } as const;

/** Changes a timer together with the probes around it, which would otherwise miss it. */
function* simplerTimers(
  steps: readonly Step[],
  index: number,
  step: SubmitStep,
): IterableIterator<readonly Step[]> {
  const policy = step.policy;
  if (policy !== null && typeof policy === 'object' && !Array.isArray(policy)) {
    const fields = policy as { readonly [field: string]: unknown };
    for (const field of Object.keys(fields)) {
      const { [field]: ms, ...rest } = policy as { readonly [field: string]: never };
      if (Object.keys(rest).length > 0) yield replaced(steps, index, { ...step, policy: rest });
      const smallest = SMALLEST[field as keyof typeof SMALLEST];
      if (typeof ms !== 'number' || smallest === undefined) continue;
      for (const simpler of [smallest, MINUTE_MS, 10 * MINUTE_MS]) {
        if (simpler >= ms) continue;
        const changed = { ...step, policy: { ...rest, [field]: simpler } };
        yield moved(replaced(steps, index, changed), step.job, ms, simpler);
      }
    }
  }
  if (typeof step.wait === 'number' && step.wait > WAIT_MIN_MS) {
    yield moved(replaced(steps, index, { ...step, wait: WAIT_MIN_MS }), step.job, step.wait, WAIT_MIN_MS);
  }
}

/** Moves times around `fromMs` after a milestone of the job to the same distance from `toMs`. */
function moved(steps: readonly Step[], job: string, fromMs: number, toMs: number): readonly Step[] {
  return steps.map((step) => {
    const at = step.at;
    if (at === undefined || !('job' in at) || at.job !== job) return step;
    return Math.abs(at.plusMs - fromMs) * 2 > fromMs
      ? step
      : { ...step, at: { ...at, plusMs: at.plusMs - fromMs + toMs } };
  });
}
