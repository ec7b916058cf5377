/** Which reading of an open question holds: `is('8/megabyte', 'binary')`. */
export type Is = (question: string, reading: string) => boolean;
