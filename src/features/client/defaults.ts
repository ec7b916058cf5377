/** How long and how fast a client is judged, unless the user says otherwise. */
import { availableParallelism } from 'node:os';

/** The longest that one condition lasts, real ms. */
export const LIMIT_MS = 30_000;
/** How many times as fast as real time jobs wait and run. */
export const SPEED = 60;
const AT_ONCE_OF_A_CORE = 4;
const AT_ONCE_MAX = 32;

/** Conditions side by side. */
export const atOnceHere = (): number => Math.min(AT_ONCE_MAX, AT_ONCE_OF_A_CORE * availableParallelism());
