/** A second endpoint that belongs to somebody is only read. */
import { expect, it } from 'vitest';
import type { Step } from '../../src/scenario/script.js';
import { finishScript } from '../../src/scenario/finish-script.js';
import { allocateEndpoints, type TargetContext } from '../../src/target/http/target-context.js';

const there = { endpoint: '{second-endpoint}' } as const;
const run: Step = { do: 'run', job: 'a', plan: [{ return: 1 }] };
const scriptOf = (...steps: readonly Step[]) =>
  finishScript({ scenario: 'own', title: 'own', seed: 1, workers: 1, needs: [] }, [run, ...steps]);
const shared = { control: null, ownEndpoints: false, endpoint: 'mine', otherEndpoint: 'yours' };
const secondOf = async (script: ReturnType<typeof scriptOf>): Promise<string | null> =>
  (await allocateEndpoints(shared as unknown as TargetContext, script, 0)).secondEndpoint;

it.each<Step>([
  { do: 'status', job: 'a', ...there },
  { do: 'cancel', job: 'a', ...there },
  { do: 'health', ...there },
])('$do is called there', async (step) => {
  const script = scriptOf(step);
  expect(script.needs).not.toContain('test-control');
  expect(await secondOf(script)).toBe('yours');
});

it.each<Step>([
  { do: 'purge-queue', ...there },
  { do: 'run', job: 'b', ...there },
  { do: 'burst', op: 'health', count: 9, ...there },
  { do: 'raw', method: 'POST', path: '/run', illegal: 'x', ...there },
])('$do needs one that was made for the script', async (step) => {
  const script = scriptOf(step);
  expect(script.needs).toContain('test-control');
  expect(await secondOf(script)).toBeNull();
});
