/** Which policy holds where a value of the submission's own lies beyond its bounds (section 2.2). */
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import type { Explained, Test } from '../model/known.js';
import { isObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** What holds instead of a policy value beyond its bounds, where the life leaves one explanation. */
export function outOfBounds({ ledger }: Scene, job: Job, life: Explained): void {
  const policy = job.submission['policy'];
  if (!isObject(policy)) return;
  const { executionTimeout, ttl } = policy;
  const all = (test: Test): boolean => life.mustBe(test);
  if (typeof executionTimeout === 'number') {
    const id =
      executionTimeout <= 0 ? '2.2/execution-timeout-not-positive' : '2.2/execution-timeout-below-min';
    if (executionTimeout < EXECUTION_TIMEOUT_MIN_MS) {
      if (all((at) => at.terms.executionMs === EXECUTION_TIMEOUT_MIN_MS)) ledger.observe(id, 'raised');
      else if (all((at) => at.terms.executionMs !== EXECUTION_TIMEOUT_MIN_MS))
        ledger.observe(id, 'default-instead');
    } else if (executionTimeout > EXECUTION_TIMEOUT_MAX_MS) {
      if (all((at) => at.terms.executionMs === EXECUTION_TIMEOUT_MAX_MS))
        ledger.observe('2.2/execution-timeout-above-max', 'lowered');
      else if (
        all(
          ({ terms }) =>
            terms.executionMs !== EXECUTION_TIMEOUT_MAX_MS && terms.executionMs !== executionTimeout,
        )
      )
        ledger.observe('2.2/execution-timeout-above-max', 'default-instead');
      else if (all((at) => at.terms.executionMs === executionTimeout))
        ledger.observe('2.2/execution-timeout-above-max', 'as-given');
    }
  }
  if (typeof ttl !== 'number' || !all((at) => at.place !== 'gone' || at.goneBy === 'ttl')) return;
  if (ttl < TTL_MIN_MS) {
    const id = ttl <= 0 ? '2.2/ttl-not-positive' : '2.2/ttl-below-min';
    if (all((at) => at.terms.ttlMs === TTL_MIN_MS)) ledger.observe(id, 'raised');
    else if (all((at) => at.terms.ttlMs !== TTL_MIN_MS)) ledger.observe(id, 'default-instead');
  } else if (ttl > TTL_MAX_MS) {
    if (all((at) => at.terms.ttlMs === TTL_MAX_MS)) ledger.observe('2.2/ttl-above-max', 'lowered');
    else if (all((at) => at.terms.ttlMs !== TTL_MAX_MS && at.terms.ttlMs !== ttl))
      ledger.observe('2.2/ttl-above-max', 'default-instead');
  }
}
