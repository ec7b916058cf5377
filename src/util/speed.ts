/** A service's time may run so much slower or faster than real time; 1 is real time. */
const SPEED_MIN = 0.1;
const SPEED_MAX = 10_000;

/** For messages. */
export const SPEED_RANGE = 'a number from 0.1 to 10000, such as 60';

export const isSpeed = (speed: number): boolean => speed >= SPEED_MIN && speed <= SPEED_MAX;
