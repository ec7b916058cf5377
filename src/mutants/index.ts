/**
 * `mutants/` promises the endpoint with one known fault each, and the endpoint with each legal reading of each
 * open question. The first must be caught, the second never. It runs nothing.
 */
import { ADVISED } from './advised.js';
import { ANSWERS } from './answers.js';
import { CALLS_OUT } from './calls-out.js';
import { COUNTERS } from './counters.js';
import { DOORS } from './doors.js';
import { LIFESPANS } from './lifespans.js';
import { LIVES } from './lives.js';
import type { Mutant } from './mutant.js';
import { NARROW } from './narrow.js';
import { NOW_AND_THEN } from './now-and-then.js';
import { SECTION_1 } from './section-1.js';
import { SECTION_2_1 } from './section-2-1.js';
import { SECTION_2_2 } from './section-2-2.js';
import { SECTION_2_4 } from './section-2-4.js';
import { SECTION_3 } from './section-3.js';
import { SECTION_4 } from './section-4.js';
import { SECTION_5 } from './section-5.js';
import { SECTION_8 } from './section-8.js';
import { STREAMS } from './streams.js';
import { SUBMISSIONS } from './submissions.js';

export type { Mutant } from './mutant.js';
export { LEGAL_VARIANTS, legalVariants, NOT_MADE, ONLY_OVER_HTTP } from './variants.js';
export type { Variant } from './variants.js';

export const MUTANTS: readonly Mutant[] = [
  ...SECTION_1,
  ...SECTION_2_1,
  ...SECTION_2_2,
  ...SECTION_2_4,
  ...SECTION_3,
  ...SECTION_4,
  ...SECTION_5,
  ...SECTION_8,
  ...SUBMISSIONS,
  ...ADVISED,
  ...ANSWERS,
  ...LIFESPANS,
  ...LIVES,
  ...COUNTERS,
  ...STREAMS,
  ...CALLS_OUT,
  ...DOORS,
  ...NARROW,
  ...NOW_AND_THEN,
];
