/** Operations by the rows of section 8's table. */
import type { Operation } from '../../spec/types.js';

export type Limited = Exclude<Operation, 'retry' | 'health'>;
/** The column Concurrency applies to it. */
export type Crowded = Exclude<Limited, 'purge-queue'>;

export const LIMITED: readonly Limited[] = [
  'runsync',
  'run',
  'status',
  'stream',
  'cancel',
  'purge-queue',
  'openai',
  'requests',
];
