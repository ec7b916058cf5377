import type { Script, Step } from '../../scenario/script.js';
import type { Candidate } from './candidate.js';
import { labelsOf } from './jobs.js';

/** Candidates with one worker, one lane, one endpoint, and jobs referred to by label. */
export function* withoutEndpointsExtras({ steps, workers }: Script): IterableIterator<Candidate> {
  for (const fewer of [1, 0]) if (workers !== fewer && workers !== 0) yield { steps, workers: fewer };
  const lanes = new Set(steps.flatMap(({ lane }) => (lane === undefined ? [] : [lane])));
  for (const lane of lanes) yield { steps: steps.map((step) => (step.lane === lane ? inMain(step) : step)) };
  for (const [index, step] of steps.entries()) {
    for (const simpler of plainer(step, steps)) {
      yield { steps: steps.map((other, i) => (i === index ? simpler : other)) };
    }
  }
}

function inMain(step: Step): Step {
  const { lane: _lane, at, ...rest } = step;
  return at === undefined || 'sinceStartMs' in at ? rest : { ...rest, at };
}

function* plainer(step: Step, steps: readonly Step[]): IterableIterator<Step> {
  if (step.auth !== undefined) {
    const { auth: _, ...rest } = step;
    yield rest;
  }
  if (step.endpoint !== undefined) {
    const { endpoint: _, ...rest } = step;
    yield rest;
  }
  if ('job' in step && typeof step.job === 'object') {
    for (const label of labelsOf(steps)) yield { ...step, job: label };
  }
  if (step.do === 'runsync') {
    const { wait: _, ...rest } = step;
    yield { ...rest, do: 'run' };
  }
  if (step.do === 'await') {
    const { do: _do, until: _until, everyMs: _every, timeoutMs: _timeout, ...rest } = step;
    yield { do: 'status', ...rest };
  }
}
