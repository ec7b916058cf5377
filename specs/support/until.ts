import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves once the condition holds, or after `timeoutMs` in any case: what the spec expects then fails by itself.
 * For what gives no event to wait for.
 */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; !(await condition()) && performance.now() < endMs;)
    await sleep(5);
}
