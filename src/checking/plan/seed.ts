/** Seeds are integers from 0 to this. */
export const SEED_MAX = 0x7fff_ffff;
