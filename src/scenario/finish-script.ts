import type { Capability } from '../spec/types.js';
import { expectedMs } from './expected.js';
import type { Script, Step } from './script.js';
import { changesSecondEndpoint, isOnSecondEndpoint } from './second-endpoint.js';

/** What the inputs of a script are written for; no step shows whether it needs them. */
const ABOUT_WORKERS: ReadonlySet<Capability> = new Set(['scripted-worker', 'worker-count-known']);

/**
 * Completes a script: except for what it needs of the workers, its needs and its duration follow from its steps alone,
 * so that a shrunk script needs less.
 */
export function finishScript(
  script: Pick<Script, 'scenario' | 'title' | 'seed' | 'workers' | 'needs'>,
  steps: readonly Step[],
): Script {
  const { scenario, title, seed, workers } = script;
  const secondEndpoint = steps.some(isOnSecondEndpoint);
  return {
    schema: 'runproof-script/1',
    scenario,
    title,
    seed,
    needs: [...script.needs.filter((need) => ABOUT_WORKERS.has(need)), ...needsOf(steps, secondEndpoint)],
    workers,
    exclusive: steps.some(({ do: does }) => TOUCHES_ALL.has(does)),
    ...(secondEndpoint ? { secondEndpoint: true as const } : {}),
    expectedMs: boundedMs(expectedMs(steps)),
    // Copied, since drawn values may share structure or hold undefined; a script equals its JSON file.
    steps: JSON.parse(JSON.stringify(steps)) as readonly Step[],
  };
}

/** Steps that observe or change more than the script's own jobs. */
const TOUCHES_ALL: ReadonlySet<Step['do']> = new Set(['purge-queue', 'health', 'workers', 'burst']);

function needsOf(steps: readonly Step[], secondEndpoint: boolean): readonly Capability[] {
  const all: Capability[] = [];
  if (steps.some((step) => TOUCHES_ALL.has(step.do))) all.push('dedicated');
  if (steps.some((step) => 'webhook' in step)) all.push('webhook-reachable');
  if (steps.some((step) => step.do === 'burst')) all.push('load-allowed');
  if (steps.some((step) => step.do === 'workers') || changesSecondEndpoint(steps)) all.push('test-control');
  if (secondEndpoint) all.push('second-endpoint');
  return all;
}

function boundedMs(ms: number): number {
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0;
}
