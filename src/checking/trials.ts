/** A trial takes milliseconds on the simulator; on a target it takes requests, and its waits. */
export const TRIALS_SIMULATOR = 2_000;
export const TRIALS_TARGET = 60;
