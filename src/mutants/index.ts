/**
 * `mutants/` promises services with one known fault each, which the suite must catch, and legal variants, one
 * for each reading of each open question, which the suite must accept. It runs nothing.
 */
import { ADVISED } from './advised.js';
import { ANSWERS } from './answers.js';
import { WEBHOOKS } from './webhooks.js';
import { COUNTERS } from './counters.js';
import { AUTH_AND_RATES } from './auth-and-rates.js';
import { LIFESPANS } from './lifespans.js';
import { LIFECYCLE } from './lifecycle.js';
import type { Change, Changes, Mutant } from './mutant.js';
import { NARROW } from './narrow.js';
import { INTERMITTENT } from './intermittent.js';
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
import { requirement } from '../spec/index.js';
import { WRONGS } from './wrongs.js';

export type { Mutant } from './mutant.js';
export { LEGAL_VARIANTS, legalVariants, ONLY_OVER_HTTP } from './variants.js';
export type { Variant } from './variants.js';

const LISTS: readonly Changes[] = [
  SECTION_1,
  SECTION_2_1,
  SECTION_2_2,
  SECTION_2_4,
  SECTION_3,
  SECTION_4,
  SECTION_5,
  SECTION_8,
  SUBMISSIONS,
  ADVISED,
  ANSWERS,
  LIFESPANS,
  LIFECYCLE,
  COUNTERS,
  STREAMS,
  WEBHOOKS,
  AUTH_AND_RATES,
  NARROW,
  INTERMITTENT,
];
const changes = LISTS.flatMap((list) => Object.entries(list));
const changeBy: ReadonlyMap<string, Change> = new Map(changes);
if (changes.length !== WRONGS.length) throw new Error('rules stand twice, or without a row of wrongs.ts');

export const MUTANTS: readonly Mutant[] = WRONGS.map(({ id, sentence, breaks }) => {
  const change = changeBy.get(id);
  if (change === undefined) throw new Error(`no rules do ${id}`);
  const sections = [...new Set(breaks.map((broken) => requirement(broken).section))];
  return { id, title: sentence, breaks, sections, rules: (base) => ({ ...base, ...change(base) }) };
});
