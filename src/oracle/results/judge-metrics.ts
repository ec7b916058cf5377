/** Section 2.5: the metrics of a chunk, where the plan says which ones the worker set. */
import type { Json } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import {
  answerOf,
  brief,
  chunksOf,
  isObject,
  type JsonObject,
  jsonOf,
  sameJson,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

interface Produced {
  readonly output: Json;
  /** Null where the step sets none. */
  readonly metrics: JsonObject | null;
}

/**
 * A worker may not know the step that sets metrics, or its host may pass none on: only what a chunk holds is judged,
 * and only where its output tells which step produced it.
 */
export function judgeMetrics(scene: Scene, job: Job): void {
  const produced = producedBy(job.submission['input'] ?? null);
  const mayBeLeftOut = produced.some(({ metrics }) => metrics !== null);
  for (const call of job.calls) {
    if (call.op !== 'stream' || answerOf(call) !== 'ok') continue;
    for (const chunk of chunksOf(jsonOf(call.reply!.body)) ?? []) {
      if (!isObject(chunk)) continue;
      const metrics = chunk['metrics'] ?? null;
      // Most streams have none, and long ones have many chunks, each of which would be held against each step.
      if (metrics === null && !mayBeLeftOut) continue;
      const [step, ...others] = produced.filter(({ output }) => sameJson(output, chunk['output']));
      if (step === undefined || others.length > 0) continue;
      const set = step.metrics;
      if (metrics === null && set !== null) scene.ledger.observe('2.5/metrics', 'left-out');
      if (!isObject(metrics)) continue;
      const names = Object.keys(metrics);
      const ofWorker = names.filter((name) => set !== null && Object.hasOwn(set, name));
      if (ofWorker.length < names.length) scene.ledger.observe('2.5/metrics', 'own');
      else if (ofWorker.length > 0) scene.ledger.observe('2.5/metrics', 'as-set');
      if (set === null || ofWorker.length === 0) continue;
      const isSame = ofWorker.every((name) => sameJson(metrics[name], set[name]));
      const actual = (): string => `metrics ${brief(metrics)} where the worker set ${brief(set)}`;
      scene.check('2.5/metrics-unchanged', isSame, call, actual);
    }
  }
}

/** What the steps of both plans produce, each once, as it stands there. */
function producedBy(input: Json): readonly Produced[] {
  if (!isObject(input)) return [];
  const plans = [input['plan'], input['planOnRetry']].filter((plan) => Array.isArray(plan));
  return plans.flat().flatMap((step: Json): readonly Produced[] => {
    if (!isObject(step)) return [];
    if (Object.hasOwn(step, 'stream')) return [{ output: step['stream'] ?? null, metrics: null }];
    const both = step['streamWithMetrics'];
    if (both === undefined || !isObject(both) || !isObject(both['metrics'] ?? null)) return [];
    return [{ output: both['output'] ?? null, metrics: both['metrics'] as JsonObject }];
  });
}
