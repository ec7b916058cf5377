/** The first event of the history of what passes. */
import type { RunEvent } from '../../history/events.js';
import { packageVersion } from '../../package-files.js';
import { GRACE_MS, REAL_EARLY_MS } from '../../target/http/limits.js';
import type { LiveSettings } from './live-judge.js';

export function runOf(settings: LiveSettings): RunEvent {
  const {
    upstream,
    edition,
    graceMs,
    others,
    crashes,
    webhooks,
    executionTimeoutDefaultMs = null,
  } = settings;
  return {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: packageVersion(),
    seed: 0,
    edition,
    target: { kind: 'http', name: upstream },
    capabilities: webhooks ? ['webhook-reachable'] : [],
    clock: 'real',
    graceMs: graceMs ?? GRACE_MS,
    earlyMs: REAL_EARLY_MS,
    executionTimeoutDefaultMs,
    capture: { others, complete: true, ...(!crashes && { crashes }) },
  };
}
