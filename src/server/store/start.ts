import type { Store } from './store.js';

/**
 * The instant from which time continues. In real time it is the wall clock's, since time has passed while the
 * server was down; but time never goes back, even if the machine's clock was set back.
 */
export function startMs(store: Store, clock: 'real' | 'controlled', wallMs: number): number {
  const latestMs = store.latestMs();
  return clock === 'controlled' ? latestMs : Math.max(wallMs, latestMs);
}
