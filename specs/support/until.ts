import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once the condition holds. For what gives no event to wait for. @throws after `timeoutMs` without it */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; !(await condition());) {
    if (performance.now() >= endMs) throw new Error(`not so within ${timeoutMs} ms: ${String(condition)}`);
    await sleep(5);
  }
}
