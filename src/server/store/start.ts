import type { Store } from './store.js';

/**
 * The instant from which time goes on. In real time that is the wall clock's, as time has passed while nobody was
 * there; but it never goes back, even if the machine's clock was set back.
 */
export function startMs(store: Store, clock: 'real' | 'controlled', wallMs: number): number {
  const latestMs = store.latestMs();
  return clock === 'controlled' ? latestMs : Math.max(wallMs, latestMs);
}
