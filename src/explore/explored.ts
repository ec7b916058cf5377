import type { Capability } from '../spec/types.js';

/** The `scenario` of scripts of random calls. */
export const EXPLORED = 'explore';

/** What every generated script needs: the fate of its jobs has to be planned. */
export const EXPLORED_NEED: readonly Capability[] = ['scripted-worker', 'worker-count-known'];
