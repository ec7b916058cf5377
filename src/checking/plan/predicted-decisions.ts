/** What a script would let the oracle decide: its dry run, judged with what is known of the target. */
import type { HistoryEvent, RunEvent } from '../../history/events.js';
import { judge } from '../../oracle/index.js';
import type { Script } from '../../scenario/index.js';
import { hasNoWorkers, NO_LATENCY, dryRun } from '../../target/http/index.js';
import type { PlanTarget } from './plan-target.js';

/** Ids of the requirements. The endpoint existed before the run, and its number of workers is not known. */
export function decidedInDryRun(script: Script, target: PlanTarget): readonly string[] {
  const run: RunEvent = {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: '',
    seed: script.seed,
    edition: 'document',
    target: { kind: target.kind, name: target.name },
    capabilities: target.capabilities,
    clock: target.clock,
    speed: target.latency.speed ?? 1,
    graceMs: target.limits.graceMs,
    executionTimeoutDefaultMs: target.executionTimeoutDefaultMs ?? null,
    earlyMs: target.earlyMs,
  };
  const latency = hasNoWorkers(target.latency) ? target.latency : NO_LATENCY;
  const history = dryRun(script, latency).history.map((event): HistoryEvent =>
    event.kind === 'script' ? { ...event, fresh: false, workers: null } : event,
  );
  return judge([run, ...history])
    .requirements.filter(({ decided }) => decided > 0)
    .map(({ id }) => id);
}
